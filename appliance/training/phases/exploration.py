"""Self-exploration: what pages offer is tried step by step, and what changes something is a task.

From an entry page on, each attempt goes one click further than the one before it: a control that
makes a thing, the form that opens, the controls in the row of what was made, the dialog that asks.
Every attempt is one of the engine's: in a cloud of its own, and what it makes is deleted after it.
What the audit log holds then becomes the rules of the task.
"""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from appliance.benchmark.drafts import Draft
from appliance.core.audit_json import AuditLog
from appliance.core.checks import Checks
from appliance.core.page import Element, Observation
from appliance.core.procedure import Procedure
from appliance.documents import as_yaml, load_documents, plain_checks
from appliance.language.verbs import CREATES
from appliance.outcome.drafting import draft_from_events
from appliance.training.phases.candidates import Candidate

MADE = "explored"
"""How everything begins that exploration makes."""
_NAME = f"{MADE}-${{unique}}"
_ROUNDS = 5
_MOST_IN_ROW = 6
_MOST_A_ROUND = 40
_ENTERED = frozenset({"textbox", "searchbox", "spinbutton"})
_CHOSEN = frozenset({"combobox", "listbox"})
_ACTED_ON = frozenset({"button", "link", "menuitem"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A task in words, as far as it is known."""

    product: str
    steps: tuple[str, ...]
    last: str
    """What is clicked at its end."""
    thing: str = ""
    """What is made, in the words of the control that makes it."""
    bindings: tuple[tuple[str, str], ...] = ()
    known: frozenset[str] = frozenset()
    """Events that its first steps cause."""
    has_made: bool = False
    """Whether these make the thing already."""

    @property
    def title(self) -> str:
        """What it may be called."""
        return f"{self.last} ({self.product})"

    def further(self, label: str, *sentences: str) -> "Proposal":
        """With a click more at its end."""
        steps = (*self.steps, *sentences)
        return replace(self, steps=steps, last=label)

    @property
    def text(self) -> str:
        """As a document."""
        steps = (f"{number}. {step}" for number, step in enumerate(self.steps, 1))
        return "\n".join([f"# {self.product}", "", f"## {self.title}", "", *steps, ""])


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """What became of a proposal."""

    last_view: Observation | None
    """None: nothing was kept of it."""
    log: AuditLog
    """Of its attempt."""
    is_over: bool
    """Whether all its steps were carried out."""


Try = Callable[[Sequence[Path]], Awaitable[Sequence[Tried]]]
"""Has documents carried out, with full clean-up; what became of each, in order."""


@dataclass(slots=True)
class Explorer:
    """Goes on from what it has found."""

    folder: Path
    release: str
    tried: int = 0
    found: list[Candidate] = field(default_factory=list)

    async def explore(self, entries: Sequence[Proposal], attempt: Try) -> list[Candidate]:
        """All rounds; tasks that changed something, with drafted rules."""
        proposals = list(entries)
        for number in range(_ROUNDS):
            files = [self._write(one, number, n) for n, one in enumerate(proposals)]
            if not files:
                break
            became = await attempt(files)
            self.tried += len(files)
            following = list[Proposal]()
            for proposal, file, tried in zip(proposals, files, became, strict=True):
                if tried.is_over:
                    events = frozenset(one.name for one in tried.log.events)
                    is_new = bool(proposal.bindings and events - proposal.known)
                    if is_new:
                        self._keep(proposal, file, tried)
                    if not (is_new and proposal.has_made):  # what changed it is a task of its own
                        known = replace(
                            proposal,
                            known=proposal.known | events,
                            has_made=proposal.has_made or is_new,
                        )
                        following += further(known, tried.last_view)
            proposals = following[:_MOST_A_ROUND]
        return self.found

    def _write(self, proposal: Proposal, round_number: int, number: int) -> Path:
        file = self.folder / f"{MADE}-{round_number}-{number}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(proposal.text, encoding="utf-8")
        procedure = _procedure(file)
        checks = Checks(bindings=dict(proposal.bindings))
        key = procedure.id.rsplit("/", 1)[-1]
        plain = as_yaml({"procedures": {key: plain_checks(checks)}}) if proposal.bindings else ""
        if plain:
            file.with_suffix(".checks.yaml").write_text(plain, encoding="utf-8")
        return file

    def _keep(self, proposal: Proposal, file: Path, tried: Tried) -> None:
        """A task of it: what it did, the audit log must hold the next time, too."""
        checks = Checks(bindings=dict(proposal.bindings))
        made = draft_from_events(checks, proposal.text, tried.log)
        if not made.checks.expect:
            return
        procedure = replace(_procedure(file), checks=made.checks)
        draft = Draft(
            name=file.name,
            text=proposal.text,
            key=procedure.id.rsplit("/", 1)[-1],
            rest="*",
            procedure=procedure,
        )
        self.found.append(
            Candidate(
                how="exploration",
                made_from=(),
                release=self.release,
                product=proposal.product,
                draft=draft,
                note="rules drafted from its audit log: " + "; ".join(made.notes or ("no remark",)),
            )
        )


def _procedure(file: Path) -> Procedure:
    (document,) = load_documents([file])
    return document.procedures[0]


def entries_of(product: str, view: Observation) -> Iterator[Proposal]:
    """What an entry page offers to make."""
    for one in view.elements:
        verb, _, thing = one.name.partition(" ")
        makes = verb.casefold() in CREATES.both and thing
        if one.role in ("button", "link") and makes and _is_usable(one):
            start = (f"On the console home, click **{product}**.", f"Click **{one.name}**.")
            yield Proposal(product=product, steps=start, last=one.name, thing=thing)


def further(proposal: Proposal, view: Observation | None) -> Iterator[Proposal]:
    """What can be done where a proposal has led."""
    if view is None:
        return
    if filled := _filled(proposal, view):
        yield filled
        return
    offered = [one for one in view.elements if one.role == "menuitem" and _is_usable(one)]
    if offered:
        yield from (proposal.further(o.name, f"Click **{o.name}**.") for o in offered)
        return
    rows = [one for one in view.elements if one.row and MADE in one.row and _is_usable(one)]
    for one in [each for each in rows if each.role in _ACTED_ON and each.name][:_MOST_IN_ROW]:
        if MADE in one.name:
            label, said = "Look at it", f"Click the name of the {proposal.thing}."
        else:
            label, said = one.name, f"In the row of the {proposal.thing}, click **{one.name}**."
        yield proposal.further(label, said)


def _filled(proposal: Proposal, view: Observation) -> Proposal | None:
    """The form or dialog that is open, filled in and sent; None: there is none."""
    submits = [one for one in view.elements if one.is_submit and one.dialog is not None]
    submits = submits or [one for one in view.elements if one.is_submit]
    if not submits:
        return None
    dialog, sentences = submits[-1].dialog, list[str]()
    bindings = dict(proposal.bindings)
    for one in view.elements:
        if one.dialog != dialog or not _is_usable(one) or one.value:
            continue
        if one.role in _ENTERED and (dialog is None or "required" in one.states or not bindings):
            if "required" in one.states:
                bindings |= {name: _NAME for name in (one.name, proposal.thing)}
                sentences.append(f"Enter a name in the **{one.name}** field.")
        elif one.role in _CHOSEN and "required" in one.states and one.options:
            option = next((each for each in one.options if each.strip()), "")
            sentences.append(f"Choose **{option}** in **{one.name}**.")
        elif one.role == "checkbox" and "required" in one.states:
            sentences.append(f"Select **{one.name}**.")
    label = submits[-1].name
    filled = replace(proposal, bindings=tuple(bindings.items()))
    return filled.further(label, *sentences, f"Click **{label}**.")


def _is_usable(one: Element) -> bool:
    return not {"disabled", "covered"} & one.states
