"""Words of a sentence are found in the source; where that is unsure, the whole sentence is."""

import pytest

from appliance.documents import parse_document
from appliance.policy.literal import span_of


def quoted(sentence_in_source: str, words: str) -> str:
    """What stands at the place of the words of the only step's sentence."""
    text = f"# T\n\n1. {sentence_in_source}\n2. Click **Save**.\n"
    (procedure,) = parse_document(text, "t.md", "markdown").procedures
    sentence = procedure.steps[0].body[0]
    start = sentence.text.index(words)
    span = span_of(sentence, start, start + len(words))
    return text.splitlines()[span.line - 1][span.column - 1 : span.end_column - 1]


@pytest.mark.parametrize(
    ("source", "words", "is_exact"),
    [
        ("Open the list and wait until a drawer opens.", "a drawer opens", True),
        ("Open it, click on :icon{name=\"mdi:plus\"} and a drawer opens.", "a drawer opens", False),
        ("Open it, click on :icon{name=\"mdi:plus\"} and a drawer opens.", "Open it", True),
        ("Open A &amp; B and wait until a drawer opens.", "a drawer opens", False),
        ("Open **Lists** and wait until a drawer opens.", "a drawer opens", False),
    ],
)  # fmt: skip
def test_what_does_not_stand_in_the_source_as_it_is_read(
    source: str, words: str, is_exact: bool
) -> None:
    assert quoted(source, words) == (words if is_exact else source)
