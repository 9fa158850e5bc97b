"""The seam between the attempt loop and what chooses the next action."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from appliance.core.actions import Action
from appliance.core.claims import ClaimCheck
from appliance.core.page import Box, Observation, Performed
from appliance.core.procedure import Procedure
from appliance.core.source import Span
from appliance.core.verdict import Basis, DivergenceKind, PolicyName, Severity, StepStatus
from appliance.inference.messages import TokenTrace


@dataclass(frozen=True, slots=True, kw_only=True)
class Divergence:
    """One place where the console differed from the text, as the policy saw it."""

    kind: DivergenceKind
    severity: Severity
    basis: Basis
    span: Span
    """The untrue words in the source."""
    quote: str
    shown: str
    suggestion: str | None = None
    step: str = ""
    box: Box | None = None
    """Where on the page the evidence is; None, of a guess: it is what was clicked last."""
    is_guess: bool = False
    """Whether `suggestion` only resembles the words: a question, unless it proves to be right."""

    @property
    def is_missed(self) -> bool:
        """Whether it was looked for and is nowhere: there is no place that shows it."""
        is_missing = self.kind is DivergenceKind.MISSING_CONTROL
        return is_missing and self.box is None and not self.is_guess


@dataclass(frozen=True, slots=True, kw_only=True)
class StepReport:
    """What became of a documented step, or of a part of it. The worst report of a step counts."""

    step: str
    status: StepStatus
    note: str = ""
    is_open: bool = False
    """Whether it was skipped for want of understanding, or of a value: a reader who understands
    more might do it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What models took."""

    model_s: float = 0.0
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    unusable: int = 0
    """Answers among the calls that could not be used."""

    def __add__(self, other: "Spent") -> "Spent":
        return Spent(
            model_s=self.model_s + other.model_s,
            calls=self.calls + other.calls,
            tokens_in=self.tokens_in + other.tokens_in,
            tokens_out=self.tokens_out + other.tokens_out,
            unusable=self.unusable + other.unusable,
        )

    @property
    def tokens(self) -> int:
        """In and out."""
        return self.tokens_in + self.tokens_out


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One question to a model and its answer, as a training may want them later."""

    role: str
    """Who was asked: `agent`, or `planner` and `grounder` where the two are apart."""
    version: str
    """Of the prompts: language and number, as `en-1`."""
    messages: tuple[Mapping[str, object], ...]
    """What was asked, as OpenAI has it; a picture is only said to have been there."""
    answer: str
    """What the model said, as it stands."""
    problem: str = ""
    """Why it could not be used; empty: it was."""
    trace: TokenTrace | None = None
    """None: nobody trains on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Handover:
    """What a cheaper tier learnt before a dearer one begins, in a clean state."""

    tier: str
    """`replay` or `literal`."""
    why: str
    """Why it could not decide, as a sentence."""
    reports: tuple[StepReport, ...] = ()
    divergences: tuple["Divergence", ...] = ()

    @property
    def notes(self) -> tuple[StepReport, ...]:
        """What it says of the steps that it came to, each thing once."""
        told = (r for r in self.reports if r.note and r.status is not StepStatus.UNREACHED)
        return tuple(dict.fromkeys(told))


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The policy's answer to an observation."""

    action: Action
    step: str
    """Index of the documented step that the action serves."""
    thought: str = ""
    """Why, in a sentence: shown in the report."""
    reports: tuple[StepReport, ...] = ()
    divergences: tuple[Divergence, ...] = ()
    withdrawn: tuple["StepReport | Divergence", ...] = ()
    """What earlier decisions said, and holds no more."""
    checks: tuple[ClaimCheck, ...] = ()
    """What was seen of the text's claims since the last decision."""
    is_over_budget: bool = False
    """Whether it gives up because its tokens are used up."""
    is_detour: bool = False
    """Whether the text does not say to do this: a way round what failed."""
    is_search: bool = False
    """Whether it only looks for what the text means: that it may not be done says nothing."""
    spent: Spent = Spent()
    """What models took to choose it."""
    exchanges: tuple[Exchange, ...] = ()
    """What models were asked for it, and answered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A procedure ready to run."""

    procedure: Procedure
    bindings: Mapping[str, str] = field(default_factory=dict)
    project: str = ""
    """The project, region or tenant the account works in."""
    username: str = ""
    unique: str = ""
    """A short suffix for names made in this attempt."""
    sample_file: str = ""
    """A small file for uploads."""
    patience_s: float = 20.0
    """How long to wait for a documented result that takes its time."""
    resources: str = ""
    """What was made for the attempt beforehand, in words."""
    handover: Handover | None = None
    """What an earlier tier learnt."""
    pages: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Pages on which earlier attempts saw what the procedure begins with, by address, and which of
    those words, in small letters."""
    start_is_known: bool = True
    """Whether the page it starts on is where the documentation begins; else nothing is held against
    it before something that the text names was seen."""
    may_be_done: bool = False
    """Whether an attempt before this one may have carried it out where nothing is put back."""
    is_log_in: bool = False
    """Whether it is the log-in itself: that a page asks for one is no end of a session then."""

    @property
    def made_up_password(self) -> str:
        """The password for whatever is made in this attempt.

        It is unlike any made-up name: a console may refuse one with the user's name in it.
        """
        return f"{self.unique[::-1]}-Kp7!"


class Policy(Protocol):
    """Chooses the next action. One object serves one attempt."""

    name: PolicyName

    async def choose(self, view: Observation, last: Performed | None) -> Decision:
        """The next action on the page as it is now; `last` is what came of the previous one."""
        ...
