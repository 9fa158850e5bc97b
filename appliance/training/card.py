"""The card of a dataset, for people."""

from collections.abc import Iterator, Mapping
from typing import Any

_HEAD = """\
# Steps of a console, to learn from

Single steps of documented procedures: a question as the agent asks it, and the answer as it should
have been. One row is one step. The documents of `held_out.parquet` are in no row of
`train.parquet`. `times` says how often a row is shown, so that rare kinds of actions count.
"""


def card_of(facts: Any) -> str:  # Any: the facts, as JSON
    """Render the card as Markdown."""
    return "\n".join([_HEAD, *_lines(facts)]) + "\n"


def _lines(facts: Any) -> Iterator[str]:
    yield "| file | rows | untrue | tokens, median | p95 | longest | sha256 |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | --- |"
    for name, counts in facts["samples"].items():
        length = counts["tokens"]
        yield (
            f"| {name} | {counts['count']} | {counts['untrue']} | {length['median']}"
            f" | {length['p95']} | {length['longest']} | `{facts['files'][name]}` |"
        )
    for name, counts in facts["samples"].items():
        yield f"\n## {name}\n"
        for field in ("stage", "form", "role", "version", "language", "policy", "release", "kind"):
            yield f"- {field}: {format_counts(counts[field])}"
    yield "\n## Where it is from\n"
    yield f"- console: {facts['console']}; made {facts['made_at']} by build {facts['commit']}"
    yield f"- attempts: {facts['attempts']}, of these kept: {facts['kept']}"
    yield f"- left out, attempts: {format_counts(facts['left_out']['attempts'])}"
    yield f"- left out, steps: {format_counts(facts['left_out']['steps'])}"
    yield f"- left out: {facts['repeated']} repeats; {facts['untold']} steps that a form cannot say"
    yield f"- learnt from: {', '.join(facts['documents']['train'])}"
    yield f"- held out: {', '.join(facts['documents']['held_out'])}"
    yield (
        "- secrets stand as the names by which a model types them; addresses of mail and numbers of"
        " telephones are replaced"
    )
    yield f"- licence: {facts['licence']}"


def format_counts(counts: Mapping[str, int], empty: str = "none") -> str:
    """Write counts as `name count, name count`; `empty` stands for no counts."""
    return ", ".join(f"{name} {count}" for name, count in counts.items()) or empty
