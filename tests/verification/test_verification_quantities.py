"""Figures with a unit: the same thing with another figure is another statement."""

import pytest

from appliance.verification.quantities import differ

SMALL = "2 vCPUs, 8 GiB"
BUSY = "Up to 1000 new connections a second"


@pytest.mark.parametrize(
    ("text", "shown", "is_other"),
    [
        ("two processors and 256 GiB of memory", SMALL, True),
        ("two processors and 8 GiB of memory", SMALL, False),
        ("8192 MiB of memory, 2 vCPUs", SMALL, False),
        ("8 GB of memory", SMALL, False),
        ("It has four vCPUs.", SMALL, True),
        ("Good for up to ten connections a day.", BUSY, True),
        ("Good for up to 1,000 connections per second.", BUSY, False),
        ("Up to 60000 connections a minute.", BUSY, False),
        # a bound is no exact figure, nor is a share of something a bound of the whole
        ("Good for 500 connections a second.", BUSY, False),
        ("Good for 5000 connections a second.", BUSY, True),
        ("At least 10 connections a second.", BUSY, False),
        ("Up to 10 connections.", BUSY, False),
        # which of two is meant nobody knows, and an example is none
        ("8 GiB", "8 GiB of memory, 40 GiB of disk", False),
        ("50 GiB", "8 GiB of memory, 40 GiB of disk", False),
        ("4 to 16 GiB", SMALL, False),
        # a measure may be of something else
        ("a disk of 40 GB comes with it", SMALL, False),
        ("Kept for 30 days.", "Kept for 7 days.", True),
        ("Invoices are kept for 30 days.", "Kept for 7 days.", False),
        ("For example, put 100 GiB on it.", SMALL, False),
        ("Choose 2 of them.", SMALL, False),
        ("It was made in 2024.", SMALL, False),
        ("每秒最多 10 个连接", "每秒最多 1000 个新建连接", True),
        ("每秒最多 1000 个连接", "每秒最多 1000 个新建连接", False),
        ("2 核，256 GiB 内存", "2 核 8 GiB", True),
        ("例如 256 GiB", "2 核 8 GiB", False),
        ("保留 30 天", "保留 7 天", True),
    ],
)
def test_another_figure(text: str, shown: str, is_other: bool) -> None:
    assert differ(text, shown) is is_other
