"""`appliance observe`, as a person uses it."""

import json

from PIL import Image


def test_the_start_page_is_told_with_numbers_and_drawn(appliance, folder):
    seen = appliance("observe", "--locale", "zh", "--marks", "page.webp")
    assert seen.code == 0
    first = seen.out.splitlines()[0]
    assert first.startswith("欢迎")
    assert "## [6" in seen.out
    assert "elements in" in seen.err
    with Image.open(folder / "page.webp") as picture:
        assert (picture.format, picture.size) == ("WEBP", (1280, 900))


def test_json_has_every_element(appliance):
    seen = appliance("observe", "--json", "/console")
    page = json.loads(seen.out)
    assert page["title"].startswith("Welcome")
    assert {"Compute Service", "Products"} <= {e["name"] for e in page["elements"]}


def test_a_page_that_stays_empty_is_no_success(appliance):
    seen = appliance("observe", "/web/logo.svg")
    assert (seen.code, seen.out) == (2, "")
    assert "/web/logo.svg shows nothing, also after 10 s" in seen.err


def test_a_foreign_address_is_refused(appliance):
    seen = appliance("observe", "http://example.com/")
    assert seen.code == 2
    assert "is not on one of the console's hosts" in seen.err
    assert not seen.out


def test_a_picture_of_an_unknown_kind_is_refused_before_anything_starts(appliance):
    seen = appliance("observe", "--marks", "page.gif")
    assert seen.code == 2
    assert ".webp" in seen.err
