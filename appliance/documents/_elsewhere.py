"""Steps that do not happen in a console, and the reason why they are left out."""

import re
from collections.abc import Iterator, Sequence

from appliance.core.procedure import (
    Code,
    InlineRole,
    LeftOutReason,
    Note,
    Sentence,
    Step,
)
from appliance.documents import _acting
from appliance.language.words import in_text

_SHELLS = frozenset(
    ("", *in_text("sh bash zsh shell console shell-session powershell bat cmd text"))
)


_FILES = re.compile(
    r"\b(?:terminal|command line|shell|(?-i:director(?:y|ies))|source code"
    r"|\w+\.(?:json|ya?ml|cnf|conf|cfg|ini|env|py|rb|js|ts|php|sh|toml|xml|hbs|css))\b"
    r"|命令行|配置文件",
    re.I,
)
"""Files that are edited or run outside a console."""


def why_outside_console(steps: Sequence[Step]) -> LeftOutReason | None:
    """Why none of the steps happens in a console; None if one does or may."""
    step_sentences = list(_sentences(steps))
    instructions = [
        sentence for sentence in step_sentences if _acting.is_console_instruction(sentence)
    ]
    if not step_sentences or any(map(_acting.has_label, instructions)):
        return None
    if any(step.fields for top_step in steps for step in top_step.walk()):
        return None
    parts = [part for top_step in steps for step in top_step.walk() for part in step.body]
    code_blocks = [part for part in parts if isinstance(part, Code)]
    roles = {inline.role for sentence in step_sentences for inline in sentence.inlines}
    if InlineRole.COMMAND in roles or any(c.language.casefold() in _SHELLS for c in code_blocks):
        return LeftOutReason.COMMAND_LINE
    if code_blocks or any(_FILES.search(sentence.text) for sentence in step_sentences):
        return LeftOutReason.CODE
    if instructions or any(_acting.count_actions(sentence) for sentence in step_sentences):
        return None  # "Go on." may be anything
    return LeftOutReason.CODE if InlineRole.LITERAL in roles else LeftOutReason.NO_CONTROL


def _sentences(steps: Sequence[Step]) -> Iterator[Sentence]:
    for top_step in steps:
        for step in top_step.walk():
            for part in step.body:
                if isinstance(part, Sentence):
                    yield part
                elif isinstance(part, Note) and part.kind == "summary":
                    yield from part.sentences
