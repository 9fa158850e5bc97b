"""Turns the text of a procedure into the plan that the literal policy carries out."""

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
from appliance.language.names import same
from appliance.language.words import one_of
from appliance.policy.literal.read import chinese, english
from appliance.policy.literal.read.elsewhere import is_elsewhere, path_visited
from appliance.policy.literal.read.intents import Gesture, Intent, IntentKind
from appliance.policy.literal.read.way import way_intents

_MAY_BE_COMMANDS = (IntentKind.UNCLEAR, IntentKind.FILL, IntentKind.PICK)

_SentenceReader = Callable[[Sentence, str], Iterator[Intent]]


def read_procedure(procedure: Procedure) -> tuple[Intent, ...]:
    """Read all intents of a procedure, in the order of the text.

    Results, introduction and remarks contribute only claims that a look at the page can check.
    """
    language = chinese if procedure.language == "zh" else english
    last_step = procedure.steps[-1].index if procedure.steps else ""
    steps = _read_steps(procedure, language.read)
    if procedure.language != "zh" and not any(_is_instruction(i) for i in steps if i.step != WAY):
        steps = _read_steps(procedure, english.read_offered)
    steps = _without_clicks_before(_without_general_condition(steps))
    results = [i for sentence in procedure.results for i in language.read(sentence, last_step)]
    surroundings = (*procedure.introduction, *_note_sentences(procedure), *procedure.remarks)
    remarks = [i for sentence in surroundings for i in language.read(sentence, last_step)]
    return (
        *steps,
        *(i for i in results if i.kind in _SHOWN_KINDS or _is_column_claim(i)),
        *(i for i in remarks if _is_column_claim(i)),
    )


def _is_instruction(intent: Intent) -> bool:
    """Whether it asks for an action, rather than stating what is shown or said."""
    return intent.kind not in _STATEMENTS


_STATEMENTS = frozenset(
    {IntentKind.INFORM, IntentKind.EXTERNAL, IntentKind.EXPECT_OPEN, IntentKind.EXPECT_TEXT}
    | {IntentKind.EXPECT_FIELD, IntentKind.EXPECT_DEFAULT, IntentKind.WAIT}
)
_GENERAL_CONDITION = re.compile(
    r"(?:when|once|after|as soon as)\b|if you (?:[^,]*? and )?(?:want|wish|need|would like|prefer|decide|choose|are ready)\b"
    r"|(?:如需|如要|若需|若要|当)",
    re.I,
)
"""Conditions that restate the purpose of the whole text ("When you want to …"), and restrict nothing."""


def _without_general_condition(steps: list[Intent]) -> list[Intent]:
    """Drop a condition that covers every instruction ("Once it is saved, …"): it makes none optional."""
    instructions = [i for i in steps if _is_instruction(i) and not i.is_optional]
    if not instructions or not all(i.is_conditional for i in instructions):
        return steps
    first_sentence = next(
        i.sentence.text for i in steps if i.step == instructions[0].step and i.is_conditional
    )
    if not _GENERAL_CONDITION.match(first_sentence.lstrip()):
        return steps
    return [
        replace(i, is_conditional=False) if i.step == instructions[0].step else i for i in steps
    ]


_AFTER = re.compile(r"(?:after|once|upon|when)\b", re.I)


def _without_clicks_before(steps: list[Intent]) -> list[Intent]:
    """Drop the click of "After clicking **Add**, …" where the text has asked for it before."""
    kept: list[Intent] = []
    for previous, intent in zip((None, *steps), steps, strict=False):
        is_first = previous is None or previous.sentence != intent.sentence
        is_before = is_first and _AFTER.match(intent.sentence.text.lstrip())
        if is_before and intent.kind is IntentKind.OPEN and intent.label is not None:
            clicked = (i.label.text for i in kept if i.kind is IntentKind.OPEN and i.label)
            if any(same(intent.label.text, name) for name in clicked):
                continue
        kept.append(intent)
    return kept


def _read_steps(procedure: Procedure, read_sentence: _SentenceReader) -> list[Intent]:
    labels_before = (None, *map(_last_label, procedure.steps))
    steps = zip(procedure.steps, labels_before, strict=False)
    return list(
        _expand_repetitions(
            i for step, label_before in steps for i in _read_step(step, read_sentence, label_before)
        )
    )


def _last_label(step: Step) -> Inline | None:
    labels = [label for part in step.body if isinstance(part, Sentence) for label in part.labels()]
    return labels[-1] if labels else None


_SHOWN_KINDS = frozenset({IntentKind.EXPECT_TEXT, IntentKind.EXPECT_OPEN})


def _is_column_claim(intent: Intent) -> bool:
    """Whether it claims a list column: that can be checked whenever the list is shown."""
    return intent.kind is IntentKind.EXPECT_FIELD and intent.noun == "column"


def _note_sentences(procedure: Procedure) -> Iterator[Sentence]:
    """The sentences of all notes within the steps."""
    for step in procedure.walk():
        for part in step.body:
            yield from part.sentences if isinstance(part, Note) else ()


_REPEATABLE = frozenset(
    {IntentKind.FILL, IntentKind.CHOOSE, IntentKind.TICK, IntentKind.UNTICK, IntentKind.OPEN}
)


def _expand_repetitions(intents: Iterable[Intent]) -> Iterator[Intent]:
    """Replace "Do the same for the **Subnet**" and "Click the switch again" by what they repeat.

    Also drops "Clicking **Add** opens …" unless it begins its step and names another control.
    """
    previous: Intent | None = None
    step = ""
    for intent in intents:
        is_first, step = intent.step != step, intent.step
        if _is_gerund_click(intent) and (
            not is_first or (previous is not None and _have_same_label(previous, intent))
        ):
            continue
        if intent.noun == "back" and previous is not None and previous.label is not None:
            was_on = previous.kind in (IntentKind.TICK, IntentKind.OPEN)
            kind = IntentKind.UNTICK if was_on else IntentKind.TICK
            previous = replace(previous, kind=kind, step=intent.step, sentence=intent.sentence)
            yield previous
        elif intent.noun != "same" or intent.kind is not IntentKind.UNCLEAR:
            previous = intent if intent.kind in _REPEATABLE else previous
            yield intent
        elif previous is not None and previous.label is None:
            place = replace(previous.place, field=intent.label)
            yield replace(
                previous,
                step=intent.step,
                sentence=intent.sentence,
                thing=intent.label.text if intent.label else "",
                place=place,
                value=None,
            )
        elif previous is not None:
            yield replace(
                previous, step=intent.step, sentence=intent.sentence, label=intent.label, value=None
            )


def _is_gerund_click(intent: Intent) -> bool:
    """Whether it reads "Clicking **Add** opens a form", which instructs only at the start of a step."""
    return intent.kind is IntentKind.OPEN and bool(
        _STARTS_WITH_CLICKING.match(intent.sentence.text)
    )


def _have_same_label(first: Intent, second: Intent) -> bool:
    names = [i.label.text.casefold() for i in (first, second) if i.label is not None]
    return len(names) == 2 and names[0] == names[1]


def _read_step(
    step: Step, read_sentence: _SentenceReader, named_before: Inline | None = None
) -> Iterator[Intent]:
    """Read the intents of a step and of its sub-steps.

    Args:
        step: The step.
        read_sentence: The reader of the text's language.
        named_before: The last label that the text named before this step.
    """
    has_command = any(
        isinstance(part, Code) and not (n and _pasted_code(step.body[n - 1], part))
        for n, part in enumerate(step.body)
    )
    last_label: Inline | None = None
    is_question = follows_question = lists_examples = asks_for_choice = False
    example_sentences = [
        part
        for part in step.body
        if isinstance(part, Sentence) and _EXAMPLE_CHOICE.match(part.text)
    ]
    for part, intents in _in_order_of_action(step, read_sentence):
        is_generalized = bool(example_sentences) and part is not example_sentences[0]
        previous_label = last_label or named_before
        if isinstance(part, Sentence):
            yield from _default_claims(part, step, last_label)
            last_label = part.labels()[-1] if part.labels() else last_label
            is_question, follows_question = _is_yes_no_question(part), is_question
            lists_examples = lists_examples or bool(_ENDS_WITH_EXAMPLES.search(part.text))
            asks_for_choice = bool(_ASKS_FOR_CHOICE.search(part.text))
        for intent in intents:
            if asks_for_choice and isinstance(part, Field):
                intent = replace(intent, noun="choice")
            if has_command and intent.kind in _MAY_BE_COMMANDS:
                intent = replace(intent, kind=IntentKind.EXTERNAL)
            if previous_label is not None and _refers_to_last_label(intent):
                intent = replace(
                    intent, kind=IntentKind.OPEN, label=previous_label, noun=intent.thing
                )
            if (
                is_generalized
                and intent.kind in _KINDS_BY_WORDS
                and not (intent.label or intent.value)
            ):
                intent = replace(intent, kind=IntentKind.INFORM)
            is_example = lists_examples and intent.kind is IntentKind.UNCLEAR
            yield replace(
                intent,
                is_optional=intent.is_optional or step.is_optional or is_example,
                is_conditional=intent.is_conditional
                or follows_question
                or step.condition is not None,
            )


_ASKS_FOR_CHOICE = re.compile(
    r"\b(?:select|choose|pick)\b(?![^.]*\b(?:fields|settings|details|parameters|properties)\b)"
    r"|(?:选择|选取)(?![^。]*(?:字段|参数|设置项|配置项))",
    re.IGNORECASE,
)
"""A field list after such a sentence may list the options to choose from, not fields to fill in."""
_ENDS_WITH_EXAMPLES = re.compile(
    r"\b(?:for example|for instance|such as|e\.g\.)\W*$|(?:例如|比如)\W*$", re.I
)
"""Ends a sentence that introduces examples: an example that is not understood may be skipped."""


def _refers_to_last_label(intent: Intent) -> bool:
    """Whether it means the control that the text named last ("Click the button")."""
    return intent.kind is IntentKind.UNCLEAR and intent.thing in _GENERIC_NOUNS


_GENERIC_NOUNS = (nouns.BUTTONS + nouns.LINKS).both


_EXAMPLE_CHOICE = re.compile(
    r"\W*(?:for|in) (?:this|our|the) (?:tutorial|example|guide|demo|walkthrough|exercise|case)\b"
    r"|(?:在)?(?:本|这个?|此)(?:教程|示例|例子?|例)中?",
    re.I,
)
"""Starts the concrete choice for a general instruction: "Select a format. For this tutorial choose …"."""


_NOT_YES_OR_NO = re.compile(
    rf"^\W*(?:what|which|when|where|who|whose|why|how)\b|\b(?:{one_of(verbs.IS_OVER.en)}|set|good)\b|^\W*\w+ed (?:it|them|everything)\b"
    rf"|谁|什么|哪|怎|为何|多少|{one_of(verbs.IS_OVER.zh)}",
    re.IGNORECASE,
)


def _is_yes_no_question(sentence: Sentence) -> bool:
    """Whether what follows depends on the answer: "Using SSO? Click …"."""
    is_question = sentence.text.rstrip().endswith(("?", "？"))
    return is_question and not _NOT_YES_OR_NO.search(sentence.text)


_STARTS_WITH_CLICKING = re.compile(r"\W*(?:by )?clicking\b", re.IGNORECASE)
_BROWSER = re.compile(r"\baddress bar\b|\bweb browser\b|地址栏", re.IGNORECASE)
_LISTS_BELOW = re.compile(r"\b(?:following|these|below)\b|以下|下列|如下", re.IGNORECASE)


def _in_order_of_action(
    step: Step, read_sentence: _SentenceReader
) -> Iterator[tuple[object, list[Intent]]]:
    """Yield the parts of a step with their intents, in the order in which they are carried out.

    In "Fill in these fields, then click **Next**:" before a field list, the click follows the fields;
    it comes with None instead of a part.
    """
    postponed: list[Intent] = []
    last_sub_step = max(
        (n for n, part in enumerate(step.body) if isinstance(part, Step)), default=-1
    )
    for n, (part, following) in enumerate(zip_longest(step.body, step.body[1:])):
        if postponed and not isinstance(part, Field | Note):
            yield None, postponed
            postponed = []
        intents = list(_read_part(part, step, read_sentence))
        introduces = isinstance(part, Sentence) and part.text.rstrip().endswith((":", "："))
        if introduces and n < last_sub_step:  # its sub-steps say how: "Choose the file:"
            intents = [i for i in intents if i.kind is not IntentKind.UPLOAD]
        if isinstance(part, Sentence) and (code := _pasted_code(part, following)):
            intents = _paste_intents(part, code, intents, step)
        is_followed = isinstance(following, Field)
        if is_followed or isinstance(following, Step):  # the fields to fill in follow
            intents = [i for i in intents if i.kind is not IntentKind.FORM]
        if introduces and is_followed:
            intents = [i for i in intents if not _introduces_fields(i)]
        if isinstance(part, Sentence) and is_followed and _LISTS_BELOW.search(part.text):
            while len(intents) > 1 and intents[-1].kind is IntentKind.OPEN:
                postponed.insert(0, intents.pop())
        yield part, intents
    if postponed:
        yield None, postponed


def _introduces_fields(intent: Intent) -> bool:
    """Whether it only introduces the field list that follows: "Configure the new token:"."""
    is_whole = intent.kind is IntentKind.FILL and not (intent.label or intent.value)
    return is_whole or intent.kind is IntentKind.UNCLEAR


_SAYS_TO_PASTE = re.compile(
    r"\b(?:paste|enter|replace|insert|type|copy|use|set)\b.*\b(?:following|this|below)\b|\bwith\b[^.]*:$"
    r"|(?:粘贴|输入|填写|填入|替换|复制).*(?:以下|如下|下列|下面)",
    re.IGNORECASE,
)
_SHELLS = frozenset({"sh", "bash", "console", "shell", "shell-session", "powershell", "ps1", "bat"})


def _pasted_code(part: object, following: object) -> Code | None:
    """The code block that the sentence has pasted into a field; None if it is a command to run."""
    if not isinstance(part, Sentence) or not isinstance(following, Code):
        return None
    is_command = following.language.casefold() in _SHELLS or re.search(r"command|命令", part.text)
    return following if _SAYS_TO_PASTE.search(part.text) and not is_command else None


def _paste_intents(part: Sentence, code: Code, intents: list[Intent], step: Step) -> list[Intent]:
    """Keep what the sentence opens, and fill in the code as the value of its last unused label."""
    openings = [i for i in intents if i.kind in (IntentKind.OPEN, IntentKind.EXPECT_OPEN)]
    value = Inline(
        role=InlineRole.LITERAL, text=code.text.strip("\n"), start=0, end=0, span=code.span
    )
    used_labels = {i.label.text for i in openings if i.label}
    label = next((i for i in reversed(part.labels()) if i.text not in used_labels), None)
    fill = Intent(
        kind=IntentKind.FILL, step=step.index, sentence=part, label=label, thing="code", value=value
    )
    return [*openings, fill]


_DEFAULT_STATE = re.compile(
    rf"\b(?:is|are) (?P<no>not )?(?:switched |turned )?(?P<on>{one_of(values.ON.en, values.OFF.en)}) (?:by default|already)\b"
    rf"|\b(?:is|are) (?P<already>already) (?:{one_of(values.ON.en)})\b"
    rf"|默认(?P<zh_no>不|未)?(?P<zh_on>{one_of(values.ON.zh, values.OFF.zh)})",
    re.IGNORECASE,
)
_CONDITION_WORD = re.compile(
    r"\b(?:if|when|unless|whether|once|until|while)\b|如果|若|当", re.IGNORECASE
)


def find_default_state(sentence: Sentence) -> re.Match[str] | None:
    """Find the words that say whether something is on by default; None after "if", "when", …."""
    match = _DEFAULT_STATE.search(sentence.text)
    return None if match and _CONDITION_WORD.search(sentence.text[: match.start()]) else match


def _default_claims(sentence: Sentence, step: Step, last_label: Inline | None) -> Iterator[Intent]:
    """Claim the default of the check box named in the sentence or before it ("It is on by default.")."""
    match = find_default_state(sentence)
    if not match:
        return
    labels_before = [i for i in sentence.labels() if i.end <= match.start()]
    label = labels_before[-1] if labels_before else last_label
    if label is None:
        return
    is_off = (match.group("on") or match.group("zh_on") or "").casefold() in values.OFF.both
    if match.group("no") or match.group("zh_no"):
        is_off = not is_off
    yield Intent(
        kind=IntentKind.EXPECT_DEFAULT,
        step=step.index,
        sentence=sentence,
        label=label,
        noun="off" if is_off else "on",
    )


def _read_part(part: object, step: Step, read_sentence: _SentenceReader) -> Iterator[Intent]:
    match part:
        case Sentence():
            yield from _read_sentence(part, step, read_sentence)
        case Field() if part.labels:
            yield Intent(
                kind=IntentKind.FIELD,
                step=step.index,
                sentence=_field_sentence(part),
                label=part.labels[0],
                entry=part,
            )
        case Step():
            yield from _read_step(part, read_sentence)
        case _:
            return


def _read_sentence(
    sentence: Sentence, step: Step, read_sentence: _SentenceReader
) -> Iterator[Intent]:
    if path := path_visited(sentence):
        yield Intent(kind=IntentKind.VISIT, step=step.index, sentence=sentence, thing=path)
        return
    if is_elsewhere(sentence) or _BROWSER.search(sentence.text):
        yield Intent(kind=IntentKind.EXTERNAL, step=step.index, sentence=sentence)
        return
    intents: Iterable[Intent] = read_sentence(sentence, step.index)
    if step.index == WAY:
        intents = way_intents(sentence, step.index, intents)
    for intent in intents:
        yield from _split_path(_narrow_or_reject(intent))


_KINDS_BY_WORDS = frozenset(
    {IntentKind.FILL, IntentKind.PICK, IntentKind.FOLLOW, IntentKind.UPLOAD, IntentKind.MOVE}
)
_MORE_THAN_A_NAME = re.compile(
    r"\b(?:and|then|until|if|before|after|while|unless|or)\b|[，,；]|[\u4e00-\u9fff]{12}"
    r"|(?:\S+ ){5}\S",
    re.IGNORECASE,
)
"""Words that no name of a thing contains: the phrase was cut wrongly, or says more."""


_ONE_OR_MORE = re.compile(r"\b(\w+) or \1e?s\b", re.IGNORECASE)
"""Matches "the volume or volumes", where one will do."""


_ANY_OF = re.compile(
    r"(?P<one>(?:(?! (?:and|or) )[^,])+)(?:, (?:(?! (?:and|or) )[^,])+)*,? or (?:(?! (?:and|or) )[^,])+$"
)
"""Matches alternatives ("the entire class, groups or single learners"): the first is taken."""


def _narrow_or_reject(intent: Intent) -> Intent:
    """Narrow an unmarked phrase to the one thing it names; unclear if it says more than a name."""
    intent = replace(intent, thing=_ONE_OR_MORE.sub(r"\1", intent.thing))
    is_bare = intent.kind is IntentKind.PICK and intent.value is None
    if is_bare and (any_of := _ANY_OF.match(intent.thing)):
        intent = replace(intent, thing=any_of["one"])
    is_named = intent.label or intent.place.field or intent.value
    if intent.kind not in _KINDS_BY_WORDS or is_named or not _MORE_THAN_A_NAME.search(intent.thing):
        return intent
    return replace(intent, kind=IntentKind.UNCLEAR, noun="")


def _split_path(intent: Intent) -> Iterator[Intent]:
    """Split the opening of a menu path into its entries; each keeps the span of the whole path."""
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
