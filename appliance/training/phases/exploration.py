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

NAME_PREFIX = "explored"
"""How everything begins that exploration makes."""
_NAME = f"{NAME_PREFIX}-${{unique}}"
_ROUNDS = 5
_MAX_CONTROLS_PER_ROW = 6
_MAX_PROPOSALS_PER_ROUND = 40
_TEXT_ROLES = frozenset({"textbox", "searchbox", "spinbutton"})
_CHOICE_ROLES = frozenset({"combobox", "listbox"})
_CLICKABLE_ROLES = frozenset({"button", "link", "menuitem"})


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
class TriedProposal:
    """What became of a proposal."""

    last_view: Observation | None
    """None: nothing was kept of it."""
    log: AuditLog
    """Of its attempt."""
    is_over: bool
    """Whether all its steps were carried out."""


TryProposals = Callable[[Sequence[Path]], Awaitable[Sequence[TriedProposal]]]
"""Has documents carried out, with full clean-up; what became of each, in order."""


@dataclass(slots=True)
class Explorer:
    """Goes on from what it has found."""

    folder: Path
    release: str
    tried: int = 0
    found: list[Candidate] = field(default_factory=list)

    async def explore(self, entries: Sequence[Proposal], attempt: TryProposals) -> list[Candidate]:
        """All rounds; tasks that changed something, with drafted rules."""
        proposals = list(entries)
        for number in range(_ROUNDS):
            files = [
                self._write(proposal, number, index) for index, proposal in enumerate(proposals)
            ]
            if not files:
                break
            outcomes = await attempt(files)
            self.tried += len(files)
            following = list[Proposal]()
            for proposal, file, tried in zip(proposals, files, outcomes, strict=True):
                if tried.is_over:
                    events = frozenset(event.name for event in tried.log.events)
                    is_new = bool(proposal.bindings and events - proposal.known)
                    if is_new:
                        self._keep_candidate(proposal, file, tried)
                    if not (is_new and proposal.has_made):  # what changed it is a task of its own
                        continued = replace(
                            proposal,
                            known=proposal.known | events,
                            has_made=proposal.has_made or is_new,
                        )
                        following += further(continued, tried.last_view)
            proposals = following[:_MAX_PROPOSALS_PER_ROUND]
        return self.found

    def _write(self, proposal: Proposal, round_number: int, number: int) -> Path:
        file = self.folder / f"{NAME_PREFIX}-{round_number}-{number}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(proposal.text, encoding="utf-8")
        procedure = _procedure(file)
        checks = Checks(bindings=dict(proposal.bindings))
        key = procedure.id.rsplit("/", 1)[-1]
        plain = as_yaml({"procedures": {key: plain_checks(checks)}}) if proposal.bindings else ""
        if plain:
            file.with_suffix(".checks.yaml").write_text(plain, encoding="utf-8")
        return file

    def _keep_candidate(self, proposal: Proposal, file: Path, tried: TriedProposal) -> None:
        """A task of it: what it did, the audit log must hold the next time, too."""
        checks = Checks(bindings=dict(proposal.bindings))
        drafted = draft_from_events(checks, proposal.text, tried.log)
        if not drafted.checks.expect:
            return
        procedure = replace(_procedure(file), checks=drafted.checks)
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
                note="rules drafted from its audit log: "
                + "; ".join(drafted.notes or ("no remark",)),
            )
        )


def _procedure(file: Path) -> Procedure:
    (document,) = load_documents([file])
    return document.procedures[0]


def entries_of(product: str, view: Observation) -> Iterator[Proposal]:
    """What an entry page offers to make."""
    for element in view.elements:
        verb, _, noun = element.name.partition(" ")
        makes = verb.casefold() in CREATES.both and noun
        if element.role in ("button", "link") and makes and _is_usable(element):
            start = (f"On the console home, click **{product}**.", f"Click **{element.name}**.")
            yield Proposal(product=product, steps=start, last=element.name, thing=noun)


def further(proposal: Proposal, view: Observation | None) -> Iterator[Proposal]:
    """What can be done where a proposal has led."""
    if view is None:
        return
    if filled := _fill_form(proposal, view):
        yield filled
        return
    menu_items = [
        element for element in view.elements if element.role == "menuitem" and _is_usable(element)
    ]
    if menu_items:
        yield from (proposal.further(item.name, f"Click **{item.name}**.") for item in menu_items)
        return
    row_controls = [
        element
        for element in view.elements
        if element.row and NAME_PREFIX in element.row and _is_usable(element)
    ]
    for control in [each for each in row_controls if each.role in _CLICKABLE_ROLES and each.name][
        :_MAX_CONTROLS_PER_ROW
    ]:
        if NAME_PREFIX in control.name:
            label, sentence = "Look at it", f"Click the name of the {proposal.thing}."
        else:
            label, sentence = (
                control.name,
                f"In the row of the {proposal.thing}, click **{control.name}**.",
            )
        yield proposal.further(label, sentence)


def _fill_form(proposal: Proposal, view: Observation) -> Proposal | None:
    """The form or dialog that is open, filled in and sent; None: there is none."""
    submits = [
        element for element in view.elements if element.is_submit and element.dialog is not None
    ]
    submits = submits or [element for element in view.elements if element.is_submit]
    if not submits:
        return None
    dialog, sentences = submits[-1].dialog, list[str]()
    bindings = dict(proposal.bindings)
    for element in view.elements:
        if element.dialog != dialog or not _is_usable(element) or element.value:
            continue
        if element.role in _TEXT_ROLES and (
            dialog is None or "required" in element.states or not bindings
        ):
            if "required" in element.states:
                bindings |= {name: _NAME for name in (element.name, proposal.thing)}
                sentences.append(f"Enter a name in the **{element.name}** field.")
        elif element.role in _CHOICE_ROLES and "required" in element.states and element.options:
            option = next((choice for choice in element.options if choice.strip()), "")
            sentences.append(f"Choose **{option}** in **{element.name}**.")
        elif element.role == "checkbox" and "required" in element.states:
            sentences.append(f"Select **{element.name}**.")
    label = submits[-1].name
    filled = replace(proposal, bindings=tuple(bindings.items()))
    return filled.further(label, *sentences, f"Click **{label}**.")


def _is_usable(element: Element) -> bool:
    return not {"disabled", "covered"} & element.states
