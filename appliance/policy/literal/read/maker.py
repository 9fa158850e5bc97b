"""Makes the intents of one sentence."""

from collections.abc import Callable

from appliance.core.procedure import Inline
from appliance.policy.literal.read.intents import Intent, IntentKind, Place
from appliance.policy.literal.read.masking import Masked


class IntentMaker:
    """Makes intents that carry their sentence, their step, and whether they are optional."""

    def __init__(
        self,
        masked: Masked,
        step: str,
        optional: bool,
        conditional: bool,
        to_noun_phrase: Callable[[str], str],
    ) -> None:
        self.masked, self.step, self._to_noun_phrase = masked, step, to_noun_phrase
        self.optional, self.conditional = optional, conditional

    def __call__(
        self,
        kind: IntentKind,
        label: str | Inline | None = None,
        *,
        noun: str = "",
        thing: str = "",
        value: str | Inline | None = None,
        place: Place = Place(),  # noqa: B008 - frozen
    ) -> Intent:
        """Make an intent of this sentence; `label` and `value` may be the characters of masked stretches."""
        mark = self.masked.mark(label) if isinstance(label, str) else label
        return Intent(
            kind=kind,
            step=self.step,
            sentence=self.masked.sentence,
            label=mark,
            noun=noun.lower(),
            thing=self._to_noun_phrase(self.masked.unmask(thing)),
            value=self.masked.mark(value) if isinstance(value, str) else value,
            place=place,
            is_optional=self.optional,
            is_conditional=self.conditional,
        )
