"""Whoever may read the data folder asks its server without a key of their own."""

import os
import stat
from datetime import UTC, datetime

import httpx
import pytest

from appliance.cli import run
from appliance.config import ServerSettings, Settings
from appliance.engine.address import Address, server_address, shown_address
from appliance.store.keys import Role

NOW = datetime(2026, 11, 22, 2, 30, tzinfo=UTC)


@pytest.fixture
def settings(tmp_path):
    return Settings(data_dir=tmp_path, server=ServerSettings(keys="required"))


@pytest.fixture
def serving(address, service, settings):
    service.keys.create("first", Role.ADMIN, "test")
    key = service.keys.own()
    told = Address(url=address, pid=os.getpid(), started_at=NOW, version="1", key=key)
    with shown_address(settings.data_dir, told):
        yield address


def test_a_command_at_the_data_folder_needs_no_key_of_its_own(serving, settings, monkeypatch):
    monkeypatch.setenv("APPLIANCE_DATA_DIR", str(settings.data_dir))
    monkeypatch.delenv("APPLIANCE_KEY", raising=False)
    assert run(["key", "list", "--json"]) == 0

    told = server_address(settings.data_dir)
    assert told.key not in repr(told)
    mode = (settings.data_dir / "server.json").stat().st_mode
    assert stat.S_IMODE(mode) == 0o600


def test_without_that_folder_a_key_is_needed(serving):
    assert httpx.get(f"{serving}/api/v1/keys").status_code == 401


def test_the_key_is_that_of_one_server_only(service, store, clock):
    from appliance.server.keys import KeyStore

    assert KeyStore(store.keys, clock).own() != service.keys.own()
    assert service.keys.own() not in str(service.keys.all())
