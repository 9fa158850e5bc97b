"""The one tree of errors.

ApplianceError
├── SetupError            the user can put it right: printed as a sentence, exit code 2
│   ├── ConfigError       a settings file, variable or flag
│   └── DocumentError     a document or checks file that cannot be read
│       └── LimitError    one that nobody should read: it is beyond a limit
├── StoreError            the results store
├── HinderedError         nothing can be attempted now, whatever a text says: a full disk, an outage
└── AttemptError          one attempt failed; the attempt runner turns it into data
    ├── PolicyError       the choice of the next action
    │   └── AnswerError   a model's answers could not be used, twice in a row
    ├── BrowserError      the page, the browser, the pool
    ├── ConsoleError      the console: down, or refuses the log-in
    ├── ProvisioningError what a procedure needs could not be made or removed
    ├── PersonError       a person was needed, and nobody came
    ├── ModelError        a model's endpoint: away, refuses, or answers nonsense
    ├── OutcomeError      the audit source or a judge
    └── WorkerError       a worker on another machine, or the way to it, is gone
"""

from appliance.core.causes import Cause, CauseKind


class ApplianceError(Exception):
    """Anything this program says about itself. The message says what, where and what to do."""


class SetupError(ApplianceError):
    """Something the user can put right; shown without a traceback."""


class ConfigError(SetupError):
    """A bad settings file, variable or flag."""

    def __init__(self, text: str, problems: tuple[tuple[str, str], ...] = ()) -> None:
        """`problems`: where each of several is, and what; empty: the text says it."""
        super().__init__(text)
        self.problems = problems


class DocumentError(SetupError):
    """A document or checks file that cannot be read."""


class LimitError(DocumentError):
    """A document that is beyond a limit: in a folder, the others are read without it."""


class StoreError(ApplianceError):
    """The results store cannot be opened, read or written."""


class HinderedError(ApplianceError):
    """No attempt can be made now, and what was begun counts as not made: nobody is to blame."""

    def __init__(self, cause: Cause) -> None:
        super().__init__(cause.text)
        self.cause = cause


class AttemptError(ApplianceError):
    """An attempt failed at a boundary; `boundary` names it in the result."""

    boundary = CauseKind.APPLIANCE

    @property
    def cause(self) -> Cause:
        """What an attempt says of it."""
        return Cause(self.boundary, str(self))


class PolicyError(AttemptError):
    """The policy could not choose."""

    boundary = CauseKind.POLICY


class AnswerError(PolicyError):
    """A model answered what cannot be used, and again when it was told so."""


class BrowserError(AttemptError):
    """The browser or a page failed."""

    boundary = CauseKind.BROWSER


class ConsoleError(AttemptError):
    """The console is down or refuses the log-in."""

    boundary = CauseKind.CONSOLE


class ProvisioningError(AttemptError):
    """A prerequisite could not be made, or what was made could not be removed."""

    boundary = CauseKind.ENVIRONMENT


class ModelError(AttemptError):
    """A model's endpoint does not answer, refuses, or answers what cannot be read."""

    boundary = CauseKind.MODEL


class PersonError(AttemptError):
    """Something that only a person can do: nobody can be asked, or nobody answered in time."""

    boundary = CauseKind.PERSON


class OutcomeError(AttemptError):
    """An audit source or judge failed."""

    boundary = CauseKind.OUTCOME


class WorkerError(AttemptError):
    """Whoever carried it out is gone: its process, its machine, or the way there."""
