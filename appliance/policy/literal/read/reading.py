"""A procedure's text → the reader's plan."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import zip_longest

from appliance.core.procedure import (
    WAY,
    Code,
    Field,
    Inline,
    InlineRole,
    Note,
    Procedure,
    Sentence,
    Step,
)
from appliance.language import nouns, values, verbs
from appliance.language.words import one_of
from appliance.policy.literal.read import chinese, english
from appliance.policy.literal.read.elsewhere import is_elsewhere, path_visited
from appliance.policy.literal.read.intents import Gesture, Intent, IntentKind
from appliance.policy.literal.read.way import way_of

_RUNS_COMMANDS = (IntentKind.UNCLEAR, IntentKind.FILL, IntentKind.PICK)

_Read = Callable[[Sentence, str], Iterator[Intent]]


def read_procedure(procedure: Procedure) -> tuple[Intent, ...]:
    """All intents of a procedure, in the order of the text."""
    language = chinese if procedure.language == "zh" else english
    last = procedure.steps[-1].index if procedure.steps else ""
    steps = _steps(procedure, language.read)
    if procedure.language != "zh" and not any(_does(i) for i in steps if i.step != WAY):
        steps = _steps(procedure, english.read_offered)
    steps = _presumed(steps)
    results = [i for said in procedure.results for i in language.read(said, last)]
    around = (*procedure.introduction, *_noted(procedure), *procedure.remarks)
    told = [i for said in around for i in language.read(said, last)]
    return (
        *steps,
        *(i for i in results if i.kind in _SHOWN or _is_column(i)),
        *(i for i in told if _is_column(i)),
    )


def _does(intent: Intent) -> bool:
    """Whether something has to be done for it."""
    return intent.kind not in _TOLD


_TOLD = frozenset(
    {IntentKind.INFORM, IntentKind.EXTERNAL, IntentKind.EXPECT_OPEN, IntentKind.EXPECT_TEXT}
    | {IntentKind.EXPECT_FIELD, IntentKind.EXPECT_DEFAULT, IntentKind.WAIT}
)
_IN_GENERAL = re.compile(
    r"(?:when|once|after|as soon as)\b|if you (?:[^,]*? and )?(?:want|wish|need|would like|prefer|decide|choose|are ready)\b"
    r"|(?:如需|如要|若需|若要|当)",
    re.I,
)
"""What only says when somebody does what the whole text is about."""


def _presumed(steps: list[Intent]) -> list[Intent]:
    """Without the condition that all there is to be done stands under: "Once it is saved, …"."""
    done = [i for i in steps if _does(i) and not i.is_optional]
    if not done or not all(i.is_conditional for i in done):
        return steps
    first = next(i.sentence.text for i in steps if i.step == done[0].step and i.is_conditional)
    if not _IN_GENERAL.match(first.lstrip()):
        return steps
    return [replace(i, is_conditional=False) if i.step == done[0].step else i for i in steps]


def _steps(procedure: Procedure, read: _Read) -> list[Intent]:
    before = (None, *map(_last_label, procedure.steps))
    steps = zip(procedure.steps, before, strict=False)
    return list(_again(i for step, last in steps for i in _step(step, read, last)))


def _last_label(step: Step) -> Inline | None:
    labels = [i for part in step.body if isinstance(part, Sentence) for i in part.labels()]
    return labels[-1] if labels else None


_SHOWN = frozenset({IntentKind.EXPECT_TEXT, IntentKind.EXPECT_OPEN})


def _is_column(intent: Intent) -> bool:
    """Whether it says what a list shows: true as long as the list is there."""
    return intent.kind is IntentKind.EXPECT_FIELD and intent.noun == "column"


def _noted(procedure: Procedure) -> Iterator[Sentence]:
    """What notes in the steps say."""
    for step in procedure.walk():
        for part in step.body:
            yield from part.sentences if isinstance(part, Note) else ()


_REPEATABLE = frozenset(
    {IntentKind.FILL, IntentKind.CHOOSE, IntentKind.TICK, IntentKind.UNTICK, IntentKind.OPEN}
)


def _again(intents: Iterable[Intent]) -> Iterator[Intent]:
    """As in "Do the same for the **Subnet**" and "Click the switch again"."""
    last: Intent | None = None
    step = ""
    for intent in intents:
        is_first, step = intent.step != step, intent.step
        if _tells_on(intent) and (not is_first or (last is not None and _are_alike(last, intent))):
            continue
        if intent.noun == "back" and last is not None and last.label is not None:
            was_on = last.kind in (IntentKind.TICK, IntentKind.OPEN)
            kind = IntentKind.UNTICK if was_on else IntentKind.TICK
            last = replace(last, kind=kind, step=intent.step, sentence=intent.sentence)
            yield last
        elif intent.noun != "same" or intent.kind is not IntentKind.UNCLEAR:
            last = intent if intent.kind in _REPEATABLE else last
            yield intent
        elif last is not None and last.label is None:
            place = replace(last.place, field=intent.label)
            yield replace(
                last,
                step=intent.step,
                sentence=intent.sentence,
                thing=intent.label.text if intent.label else "",
                place=place,
                value=None,
            )
        elif last is not None:
            yield replace(
                last, step=intent.step, sentence=intent.sentence, label=intent.label, value=None
            )


def _tells_on(intent: Intent) -> bool:
    """As "Clicking **Add** opens a form": an instruction only where a step begins so."""
    return intent.kind is IntentKind.OPEN and bool(_GERUND.match(intent.sentence.text))


def _are_alike(one: Intent, other: Intent) -> bool:
    names = [i.label.text.casefold() for i in (one, other) if i.label is not None]
    return len(names) == 2 and names[0] == names[1]


def _step(step: Step, read: _Read, named: Inline | None = None) -> Iterator[Intent]:
    """The intents of a step and of what is nested in it.

    `named`: what the text named last before it.
    """
    is_outside = any(
        isinstance(part, Code) and not (n and _pasted(step.body[n - 1], part))
        for n, part in enumerate(step.body)
    )
    last: Inline | None = None
    is_asked = is_answer = are_examples = is_choosing = False
    exact = [
        part for part in step.body if isinstance(part, Sentence) and _OF_EXAMPLE.match(part.text)
    ]
    for part, intents in _in_doing_order(step, read):
        is_outlined = bool(exact) and part is not exact[0]
        before = last or named
        if isinstance(part, Sentence):
            yield from _default(part, step, last)
            last = part.labels()[-1] if part.labels() else last
            is_asked, is_answer = _asks_whether(part), is_asked
            are_examples = are_examples or bool(_EXAMPLES.search(part.text))
            is_choosing = bool(_CHOOSES_ONE.search(part.text))
        for intent in intents:
            if is_choosing and isinstance(part, Field):
                intent = replace(intent, noun="choice")
            if is_outside and intent.kind in _RUNS_COMMANDS:
                intent = replace(intent, kind=IntentKind.EXTERNAL)
            if before is not None and _is_that(intent):
                intent = replace(intent, kind=IntentKind.OPEN, label=before, noun=intent.thing)
            if is_outlined and intent.kind in _BY_WORDS and not (intent.label or intent.value):
                intent = replace(intent, kind=IntentKind.INFORM)
            is_example = are_examples and intent.kind is IntentKind.UNCLEAR
            yield replace(
                intent,
                is_optional=intent.is_optional or step.is_optional or is_example,
                is_conditional=intent.is_conditional or is_answer or step.condition is not None,
            )


_CHOOSES_ONE = re.compile(
    r"\b(?:select|choose|pick)\b(?![^.]*\b(?:fields|settings|details|parameters|properties)\b)"
    r"|(?:选择|选取)(?![^。]*(?:字段|参数|设置项|配置项))",
    re.IGNORECASE,
)
"""What is listed below, each with a name first, may be what there is to choose, and no fields."""
_EXAMPLES = re.compile(r"\b(?:for example|for instance|such as|e\.g\.)\W*$|(?:例如|比如)\W*$", re.I)
"""Before a list of what can be done: what of it is not understood need not be done."""


def _is_that(intent: Intent) -> bool:
    """As "Click the button", which the sentence before has named."""
    return intent.kind is IntentKind.UNCLEAR and intent.thing in _NAMED_BEFORE


_NAMED_BEFORE = (nouns.BUTTONS + nouns.LINKS).both


_OF_EXAMPLE = re.compile(
    r"\W*(?:for|in) (?:this|our|the) (?:tutorial|example|guide|demo|walkthrough|exercise|case)\b"
    r"|(?:在)?(?:本|这个?|此)(?:教程|示例|例子?|例)中?",
    re.I,
)
"""After it stands what is chosen of what was said before in general: "Select a format. For this
tutorial choose …"."""


_OPEN_QUESTION = re.compile(
    rf"^\W*(?:what|which|when|where|who|whose|why|how)\b|\b(?:{one_of(verbs.IS_OVER.en)}|set|good)\b|^\W*\w+ed (?:it|them|everything)\b"
    rf"|谁|什么|哪|怎|为何|多少|{one_of(verbs.IS_OVER.zh)}",
    re.IGNORECASE,
)


def _asks_whether(sentence: Sentence) -> bool:
    """As in "Using SSO? Click …": what comes next is done only if the answer is yes."""
    is_question = sentence.text.rstrip().endswith(("?", "？"))
    return is_question and not _OPEN_QUESTION.search(sentence.text)


_GERUND = re.compile(r"\W*(?:by )?clicking\b", re.IGNORECASE)
_BROWSER = re.compile(r"\baddress bar\b|\bweb browser\b|地址栏", re.IGNORECASE)
_LISTS = re.compile(r"\b(?:following|these|below)\b|以下|下列|如下", re.IGNORECASE)


def _in_doing_order(step: Step, read: _Read) -> Iterator[tuple[object, list[Intent]]]:
    """The parts of a step with their intents.

    "Fill in these fields, then click **Next**:" before a table: the click comes after the fields.
    """
    held: list[Intent] = []
    last_sub_step = max(
        (n for n, part in enumerate(step.body) if isinstance(part, Step)), default=-1
    )
    for n, (part, following) in enumerate(zip_longest(step.body, step.body[1:])):
        if held and not isinstance(part, Field | Note):
            yield None, held
            held = []
        intents = list(_part(part, step, read))
        introduces = isinstance(part, Sentence) and part.text.rstrip().endswith((":", "："))
        if introduces and n < last_sub_step:  # says what its sub-steps do: "Choose the file:"
            intents = [i for i in intents if i.kind is not IntentKind.UPLOAD]
        if isinstance(part, Sentence) and (code := _pasted(part, following)):
            intents = _pasting(part, code, intents, step)
        is_followed = isinstance(following, Field)
        if is_followed or isinstance(following, Step):  # what is to be filled in comes now
            intents = [i for i in intents if i.kind is not IntentKind.FORM]
        if introduces and is_followed:
            intents = [i for i in intents if not _introduces_fields(i)]
        if isinstance(part, Sentence) and is_followed and _LISTS.search(part.text):
            while len(intents) > 1 and intents[-1].kind is IntentKind.OPEN:
                held.insert(0, intents.pop())
        yield part, intents
    if held:
        yield None, held


def _introduces_fields(intent: Intent) -> bool:
    """As in "Configure the new token:" before a table of its fields."""
    is_whole = intent.kind is IntentKind.FILL and not (intent.label or intent.value)
    return is_whole or intent.kind is IntentKind.UNCLEAR


_PASTES = re.compile(
    r"\b(?:paste|enter|replace|insert|type|copy|use|set)\b.*\b(?:following|this|below)\b|\bwith\b[^.]*:$"
    r"|(?:粘贴|输入|填写|填入|替换|复制).*(?:以下|如下|下列|下面)",
    re.IGNORECASE,
)
_SHELLS = frozenset({"sh", "bash", "console", "shell", "shell-session", "powershell", "ps1", "bat"})


def _pasted(part: object, following: object) -> Code | None:
    """The code block that a sentence says to paste into a field; None for commands to be run."""
    if not isinstance(part, Sentence) or not isinstance(following, Code):
        return None
    is_command = following.language.casefold() in _SHELLS or re.search(r"command|命令", part.text)
    return following if _PASTES.search(part.text) and not is_command else None


def _pasting(part: Sentence, code: Code, intents: list[Intent], step: Step) -> list[Intent]:
    """What the sentence asks for, with the code as the value."""
    kept = [i for i in intents if i.kind in (IntentKind.OPEN, IntentKind.EXPECT_OPEN)]
    value = Inline(
        role=InlineRole.LITERAL, text=code.text.strip("\n"), start=0, end=0, span=code.span
    )
    used = {i.label.text for i in kept if i.label}
    label = next((i for i in reversed(part.labels()) if i.text not in used), None)
    fill = Intent(
        kind=IntentKind.FILL, step=step.index, sentence=part, label=label, thing="code", value=value
    )
    return [*kept, fill]


_ON = re.compile(
    rf"\b(?:is|are) (?P<no>not )?(?:switched |turned )?(?P<on>{one_of(values.ON.en, values.OFF.en)}) (?:by default|already)\b"
    rf"|\b(?:is|are) (?P<already>already) (?:{one_of(values.ON.en)})\b"
    rf"|默认(?P<zh_no>不|未)?(?P<zh_on>{one_of(values.ON.zh, values.OFF.zh)})",
    re.IGNORECASE,
)
_IF = re.compile(r"\b(?:if|when|unless|whether|once|until|while)\b|如果|若|当", re.IGNORECASE)


def states_default(sentence: Sentence) -> re.Match[str] | None:
    """The words that say whether something is on to begin with; a condition says nothing."""
    found = _ON.search(sentence.text)
    return None if found and _IF.search(sentence.text[: found.start()]) else found


def _default(sentence: Sentence, step: Step, last: Inline | None) -> Iterator[Intent]:
    """A claim about the check box named in it or just before ("It is selected by default.")."""
    found = states_default(sentence)
    if not found:
        return
    before = [i for i in sentence.labels() if i.end <= found.start()]
    label = before[-1] if before else last
    if label is None:
        return
    is_off = (found.group("on") or found.group("zh_on") or "").casefold() in values.OFF.both
    if found.group("no") or found.group("zh_no"):
        is_off = not is_off
    yield Intent(
        kind=IntentKind.EXPECT_DEFAULT,
        step=step.index,
        sentence=sentence,
        label=label,
        noun="off" if is_off else "on",
    )


def _part(part: object, step: Step, read: _Read) -> Iterator[Intent]:
    match part:
        case Sentence():
            yield from _sentence(part, step, read)
        case Field() if part.labels:
            yield Intent(
                kind=IntentKind.FIELD,
                step=step.index,
                sentence=_field_sentence(part),
                label=part.labels[0],
                entry=part,
            )
        case Step():
            yield from _step(part, read)
        case _:
            return


def _sentence(sentence: Sentence, step: Step, read: _Read) -> Iterator[Intent]:
    if path := path_visited(sentence):
        yield Intent(kind=IntentKind.VISIT, step=step.index, sentence=sentence, thing=path)
        return
    if is_elsewhere(sentence) or _BROWSER.search(sentence.text):
        yield Intent(kind=IntentKind.EXTERNAL, step=step.index, sentence=sentence)
        return
    intents: Iterable[Intent] = read(sentence, step.index)
    if step.index == WAY:
        intents = way_of(sentence, step.index, intents)
    for intent in intents:
        yield from _path(_understood(intent))


_BY_WORDS = frozenset(
    {IntentKind.FILL, IntentKind.PICK, IntentKind.FOLLOW, IntentKind.UPLOAD, IntentKind.MOVE}
)
_JOINT = re.compile(
    r"\b(?:and|then|until|if|before|after|while|unless|or)\b|[，,；]|[\u4e00-\u9fff]{12}"
    r"|(?:\S+ ){5}\S",
    re.IGNORECASE,
)
"""No thing is called so: the words for it hold more than a name."""


_ONE_OR_MORE = re.compile(r"\b(\w+) or \1e?s\b", re.IGNORECASE)
"""As in "the volume or volumes": one will do."""


_ANY_OF = re.compile(
    r"(?P<one>(?:(?! (?:and|or) )[^,])+)(?:, (?:(?! (?:and|or) )[^,])+)*,? or (?:(?! (?:and|or) )[^,])+$"
)
"""As in "the entire class, groups or single learners": any will do, the first as well."""


def _understood(intent: Intent) -> Intent:
    """An instruction about a thing without a marked name, where the words name one thing."""
    intent = replace(intent, thing=_ONE_OR_MORE.sub(r"\1", intent.thing))
    is_bare = intent.kind is IntentKind.PICK and intent.value is None
    if is_bare and (any_of := _ANY_OF.match(intent.thing)):
        intent = replace(intent, thing=any_of["one"])
    is_named = intent.label or intent.place.field or intent.value
    if intent.kind not in _BY_WORDS or is_named or not _JOINT.search(intent.thing):
        return intent
    return replace(intent, kind=IntentKind.UNCLEAR, noun="")


def _path(intent: Intent) -> Iterator[Intent]:
    """A menu path is opened entry by entry; each keeps the span of the whole path."""
    label = intent.label
    if label is None or not label.parts or intent.kind is not IntentKind.OPEN:
        yield intent
        return
    for n, part in enumerate(label.parts):
        noun = "path" if n + 1 < len(label.parts) else intent.noun or "path"
        entry = Inline(
            role=InlineRole.UI_LABEL,
            text=part,
            start=label.start,
            end=label.end,
            span=label.span,
        )
        gesture = intent.gesture if n == 0 else Gesture.CLICK
        yield replace(intent, label=entry, noun=noun, gesture=gesture)


def _field_sentence(entry: Field) -> Sentence:
    if entry.description:
        return entry.description[0]
    return Sentence(text=entry.labels[0].text, span=entry.span)
