"""What the text says of the values of a field, held against what the page says of them."""

from appliance.core.page import Element
from appliance.core.source import Span
from appliance.core.verdict import Basis, DivergenceKind
from appliance.language.names import plain, same
from appliance.policy.literal.act.defaults import is_making
from appliance.policy.literal.match.limits import check_fact, facts_shown
from appliance.policy.literal.read.facts import FactKind
from appliance.policy.literal.read.intents import Intent, IntentKind
from appliance.policy.literal.read.subjects import FieldFact, subject_of
from appliance.policy.literal.session import Session

_NOT_SAID = "the page does not say so, nor anything else"


def check_instruction_facts(s: Session, intent: Intent, element: Element) -> None:
    """Check, once, what the text says of the field of this instruction."""
    label = intent.place.field if intent.kind is IntentKind.CHOOSE else None
    label = label or intent.label or intent.place.field
    subject = intent.entry.labels[0].span if intent.entry else subject_of(intent)
    names = [n for n in (element.name, element.group, element.column) if n]
    if intent.entry is not None or label is None or any(same(label.text, n) for n in names):
        check_facts(s, subject, element)


def check_facts(s: Session, subject: Span, element: Element) -> None:
    """Check, once, what the text says of the field that it names at `subject`."""
    facts = s.facts.pop(subject, None)
    if not facts:
        return
    page_facts = facts_shown(s.view, element)
    for field_fact in facts:
        is_default = field_fact.fact.kind is FactKind.HOLDS
        is_comparable = not is_default or _is_untouched(s, element)
        judged = check_fact(field_fact.fact, page_facts, element, s.view) if is_comparable else None
        if judged is None:
            s.confirm(field_fact.words, _NOT_SAID)
        elif judged.is_true:
            s.confirm(field_fact.words)
        else:
            _report_untrue(s, field_fact, judged.shown, element)


def _is_untouched(s: Session, element: Element) -> bool:
    """Whether it holds its default: nothing was entered, and the form creates something new."""
    return plain(element.name) not in s.values.assigned and is_making(s)


def _report_untrue(s: Session, field_fact: FieldFact, message: str, element: Element) -> None:
    kind = _KINDS.get(field_fact.fact.kind, DivergenceKind.WRONG_RESULT)
    is_absent = field_fact.fact.kind is FactKind.BESIDE
    basis = Basis.ABSENT if is_absent else Basis.READ
    s.diverge(kind, field_fact.words, message, basis=basis, box=element.box)


_KINDS = {
    FactKind.OPTIONAL: DivergenceKind.MISSING_STEP,
    FactKind.OFFERS: DivergenceKind.CHANGED_OPTION,
    FactKind.SECTION: DivergenceKind.MOVED_CONTROL,
    FactKind.FIRST: DivergenceKind.MOVED_CONTROL,
    FactKind.LAST: DivergenceKind.MOVED_CONTROL,
    FactKind.HOLDS: DivergenceKind.CHANGED_DEFAULT,
    FactKind.BESIDE: DivergenceKind.MISSING_CONTROL,
}
