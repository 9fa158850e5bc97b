"""Consoles under verification, one adapter for each kind."""

from typing import TYPE_CHECKING

from appliance.core.faces import names_of

if TYPE_CHECKING:
    from appliance.consoles.base import (
        Account,
        Console,
        Provided,
        TerraformAccess,
        Trace,
        matching_accounts,
    )
    from appliance.consoles.credentials import (
        check_second_factor,
        codes_from,
        has_second_factor,
        password_of,
    )
    from appliance.consoles.opening import cause_events, configured_console, open_console
    from appliance.consoles.recorded import (
        RecordedLogIn,
        RecordedLogIns,
        parse_state,
        read_sealed,
        session_key,
        write_sealed,
    )
    from appliance.consoles.starting import (
        asks_for_log_in,
        log_in_offers,
        open_start,
        past_errors,
    )
else:
    __getattr__ = names_of(__name__, __file__)

__all__ = [
    "Account",
    "Console",
    "Provided",
    "RecordedLogIn",
    "RecordedLogIns",
    "TerraformAccess",
    "Trace",
    "asks_for_log_in",
    "cause_events",
    "check_second_factor",
    "codes_from",
    "configured_console",
    "has_second_factor",
    "log_in_offers",
    "matching_accounts",
    "open_console",
    "open_start",
    "parse_state",
    "password_of",
    "past_errors",
    "read_sealed",
    "session_key",
    "write_sealed",
]
