import io
import json
import logging
from collections.abc import Iterator

import pytest
import structlog
from hypothesis import given
from hypothesis import strategies as st

from appliance.config import TelemetrySettings
from appliance.config.settings import AccountSettings
from appliance.consoles.credentials import check_second_factor, password_of
from appliance.core import secrets
from appliance.core.errors import ConsoleError
from appliance.core.events import (
    AccountQuarantined,
    ProcedureStarted,
    RunStarted,
    SweepProgressed,
)
from appliance.core.secrets import learn, without_secrets
from appliance.telemetry.event_log import log_event
from appliance.telemetry.logs import mask, set_up_logs


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def no_secret_for_other_tests() -> Iterator[None]:
    known, secrets._registry = secrets._registry, secrets._Registry()
    yield
    secrets._registry = known


@pytest.fixture(autouse=True)
def levels_as_they_were() -> Iterator[None]:
    yield
    for name in ("appliance", "uvicorn.access", "opentelemetry"):
        logging.getLogger(name).setLevel(logging.NOTSET)


def lines(stream: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_all_records_go_one_way_as_json_lines():
    stream = io.StringIO()
    set_up_logs(TelemetrySettings(), stream)
    structlog.get_logger("appliance.engine").info("sweep begun", sweep_id="s1", procedures=3)
    logging.getLogger("uvicorn.error").warning("port %d is %s", 8080, "taken")
    ours, theirs = lines(stream)
    assert (ours["event"], ours["sweep_id"], ours["procedures"]) == ("sweep begun", "s1", 3)
    assert (theirs["event"], theirs["level"]) == ("port 8080 is taken", "warning")
    assert theirs["logger"] == "uvicorn.error"
    assert str(ours["timestamp"]).endswith("Z")


def test_on_a_terminal_it_is_text():
    stream = Terminal()
    set_up_logs(TelemetrySettings(), stream)
    structlog.get_logger("appliance.x").info("sweep begun", sweep_id="s1")
    assert "sweep begun" in stream.getvalue()
    assert not stream.getvalue().startswith("{")


def test_the_settings_say_how_much_and_in_which_form():
    stream = Terminal()
    set_up_logs(TelemetrySettings(log_format="json", log_level="warning"), stream)
    structlog.get_logger("appliance.x").info("not said")
    logging.getLogger("x").info("not said either")
    structlog.get_logger("appliance.x").warning("said")
    assert [line["event"] for line in lines(stream)] == ["said"]


def test_what_is_bound_to_a_task_is_in_its_lines():
    stream = io.StringIO()
    set_up_logs(TelemetrySettings(), stream)
    with structlog.contextvars.bound_contextvars(procedure_id="p1"):
        logging.getLogger("deep.below").warning("slow")
    assert lines(stream)[0]["procedure_id"] == "p1"


@pytest.mark.parametrize("level", ["debug", "info"])
@pytest.mark.parametrize("library", ["httpx", "picows.client.16", "apscheduler", "uvicorn.error"])
def test_what_libraries_do_is_their_own_business_and_what_goes_wrong_is_told(library, level):
    stream = io.StringIO()
    set_up_logs(TelemetrySettings(log_level=level), stream)
    logging.getLogger(library).info("HTTP Request: GET http://x/?token=abc")
    logging.getLogger(library).warning("broken")
    structlog.get_logger("appliance.x").info("ours")
    assert [line["event"] for line in lines(stream)] == ["broken", "ours"]


def test_an_exception_is_one_line_and_holds_no_secret():
    secret = learn("Gr\u00fcn'\"\n-17")
    stream = io.StringIO()
    set_up_logs(TelemetrySettings(), stream)
    try:
        try:
            raise ValueError(f"log-in with {secret!r} failed")
        except ValueError as error:
            raise ConsoleError(f"cannot log in: {secret}") from error
    except ConsoleError:
        structlog.get_logger("x").exception("failed", given={"deep": [{secret: {"k": secret}}]})
        logging.getLogger("y").exception("failed with %s", secret)
    ours, theirs = lines(stream)
    for line in (ours, theirs):
        assert "ConsoleError: cannot log in: ***" in str(line["exception"])
        assert "Grün" not in json.dumps(line, ensure_ascii=False)
    assert ours["given"] == {"deep": [{"***": {"k": "***"}}]}


nested = st.recursive(
    st.text(max_size=12) | st.integers() | st.booleans() | st.none() | st.binary(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


def planted(value: object, secret: str, depth: int) -> object:
    shapes = [
        lambda inner: {"a": inner},
        lambda inner: {secret: inner},
        lambda inner: [inner, secret],
        lambda inner: (1, inner),
        lambda inner: ValueError(f"not {secret}", inner),
        lambda inner: repr(inner),
        lambda inner: f"before{secret}after",
        lambda inner: str(inner).encode("utf-8", "backslashreplace"),
    ]
    for turn in range(depth % 5 + 1):
        value = shapes[(depth >> turn) % len(shapes)](value)
    return {"event": value, "with": secret, "also": [secret, {"x": f"{secret}{secret}"}]}


@given(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="*"), min_size=6),
    nested,
    st.integers(0, 10_000),
)
def test_no_secret_that_was_read_is_ever_written(secret, value, depth):
    secrets._registry = secrets._Registry()
    learn(secret)
    event = planted(value, secret, depth)
    assert not _within(json.loads(json.dumps(mask(None, "info", event))), secret)


def _within(value: object, secret: str) -> bool:
    match value:
        case dict():
            return any(_within(part, secret) for item in value.items() for part in item)
        case list():
            return any(_within(item, secret) for item in value)
        case _:
            return secret in str(value)


def test_a_short_secret_is_masked_where_it_stands_alone():
    learn("q7")
    assert without_secrets("the pin q7, in Iraq7x") == "the pin ***, in Iraq7x"


@pytest.mark.parametrize("form", ["p%40ss%2Fword%2017", "p%40ss/word%2017", "p%40ss%2Fword+17"])
def test_a_secret_in_an_address_is_masked(form):
    learn("p@ss/word 17")
    assert without_secrets(f"http://x/?a={form}&b=1") == "http://x/?a=***&b=1"


def test_what_the_program_reads_it_never_says(monkeypatch):
    monkeypatch.setenv("OF_ADA", "ada's own word")
    monkeypatch.setenv("TOTP_OF_ADA", "jbsw y3dp ehpk 3pxp")
    account = AccountSettings(username="ada", password_env="OF_ADA", totp_env="TOTP_OF_ADA")
    password_of("ada", account)
    check_second_factor("ada", account)
    for secret in ("ada's own word", "jbsw y3dp ehpk 3pxp", "JBSWY3DPEHPK3PXP"):
        assert without_secrets(f"[{secret}]") == "[***]"


def test_what_happens_in_runs_is_logged():
    stream = io.StringIO()
    set_up_logs(TelemetrySettings(), stream)
    log_event(RunStarted(run_id="r1", procedures=2))
    log_event(ProcedureStarted(run_id="r1", procedure_id="p1", title="not said at this level"))
    log_event(AccountQuarantined(console="lab", account="ada", reason="locked", by="health"))
    log_event(
        SweepProgressed(
            sweep_id="r1",
            state="waiting",
            done=1,
            total=2,
            running=0,
            rate_per_minute=None,
            seconds_left=None,
            why="the window is over",
        )
    )
    started, quarantined, stopped = lines(stream)
    assert (started["event"], started["run_id"], started["procedures"]) == ("run started", "r1", 2)
    assert (quarantined["level"], quarantined["account"]) == ("warning", "ada")
    assert (stopped["state"], stopped["why"]) == ("waiting", "the window is over")
