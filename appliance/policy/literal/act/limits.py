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


def hold(s: Session, intent: Intent, element: Element) -> None:
    """Hold what the text says of the field of an instruction against the field itself, once."""
    label = intent.place.field if intent.kind is IntentKind.CHOOSE else None
    label = label or intent.label or intent.place.field
    subject = intent.entry.labels[0].span if intent.entry else subject_of(intent)
    names = [n for n in (element.name, element.group, element.column) if n]
    if intent.entry is not None or label is None or any(same(label.text, n) for n in names):
        hold_facts(s, subject, element)


def hold_facts(s: Session, subject: Span, element: Element) -> None:
    """As above, for the field whose name stands there."""
    facts = s.facts.pop(subject, None)
    if not facts:
        return
    shown = facts_shown(s.view, element)
    for stated in facts:
        is_default = stated.fact.kind is FactKind.HOLDS
        is_told = not is_default or _is_untouched(s, element)
        judged = check_fact(stated.fact, shown, element, s.view) if is_told else None
        if judged is None:
            s.confirm(stated.words, _NOT_SAID)
        elif judged.is_true:
            s.confirm(stated.words)
        else:
            _untrue(s, stated, judged.shown, element)


def _is_untouched(s: Session, element: Element) -> bool:
    """Whether it holds its default: what is edited holds its own value."""
    return plain(element.name) not in s.values.assigned and is_making(s)


def _untrue(s: Session, stated: FieldFact, shown: str, element: Element) -> None:
    kind = _KINDS.get(stated.fact.kind, DivergenceKind.WRONG_RESULT)
    is_absent = stated.fact.kind is FactKind.BESIDE
    basis = Basis.ABSENT if is_absent else Basis.READ
    s.diverge(kind, stated.words, shown, basis=basis, box=element.box)


_KINDS = {
    FactKind.OPTIONAL: DivergenceKind.MISSING_STEP,
    FactKind.OFFERS: DivergenceKind.CHANGED_OPTION,
    FactKind.SECTION: DivergenceKind.MOVED_CONTROL,
    FactKind.FIRST: DivergenceKind.MOVED_CONTROL,
    FactKind.LAST: DivergenceKind.MOVED_CONTROL,
    FactKind.HOLDS: DivergenceKind.CHANGED_DEFAULT,
    FactKind.BESIDE: DivergenceKind.MISSING_CONTROL,
}
