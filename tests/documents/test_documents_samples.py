"""Whole documents in all three formats and both languages, as a reader of the result sees them."""

from pathlib import Path

import pytest
from documents_checks import check_shape

from appliance.core.procedure import Code, Document, Field, Figure, Note, Sentence, Step
from appliance.documents import load_documents, procedures_document

SAMPLES = Path(__file__).parent / "samples"


@pytest.fixture(autouse=True)
def in_the_folder_of_the_samples(monkeypatch):
    """Paths in places and ids are as the user gave them: relative ones."""
    monkeypatch.chdir(SAMPLES)


def outline(document: Document) -> str:
    """A document's procedures, with every part on a line of its own."""
    lines = [f"{document.path}: {document.title}", *document.problems]
    for procedure in document.procedures:
        place = f"{procedure.span.line}-{procedure.span.end_line}"
        lines += ["", f"{procedure.id} [{place}] {procedure.language}"]
        lines.append("  " + " / ".join(procedure.title_path))
        lines += [f"  needs {_sentence(s)}" for s in procedure.prerequisites]
        for step in procedure.steps:
            lines += _part(step, "  ")
        lines += [f"  gives {_sentence(s)}" for s in procedure.results]
    return "\n".join(lines)


def _sentence(sentence: Sentence) -> str:
    marks = ", ".join(
        f"{i.role.value} {i.text!r}@{i.span.line}:{i.span.column}"
        + (f" -> {i.target}" if i.target else "")
        + (f" {list(i.parts)}" if i.parts else "")
        for i in sentence.inlines
    )
    return f"{sentence.span.line}:{sentence.span.column} {sentence.text}" + f"  <{marks}>" * bool(
        marks
    )


def _part(part: object, indent: str) -> list[str]:
    more = indent + "  "
    match part:
        case Step():
            said = " optional" * part.is_optional + f" if {part.condition!r}" * bool(part.condition)
            lines = [f"{indent}{part.index}. [{part.span.line}-{part.span.end_line}]{said}"]
            return lines + [line for p in part.body for line in _part(p, more)]
        case Sentence():
            return [indent + _sentence(part)]
        case Field():
            names = ", ".join(f"{i.text!r}@{i.span.line}:{i.span.column}" for i in part.labels)
            lines = [f"{indent}field {names}", *(more + _sentence(s) for s in part.description)]
            below = [*part.options, *part.notes]
            return lines + [line for p in below for line in _part(p, more)]
        case Note():
            return [f"{indent}{part.kind}:", *(more + _sentence(s) for s in part.sentences)]
        case Code():
            return [f"{indent}code {part.language} {part.text!r} at {part.span}"]
        case Figure():
            return [f"{indent}figure {part.target} {part.caption!r} at {part.span}"]
    raise AssertionError(part)


@pytest.mark.parametrize("name", ["buckets.md", "networks.rst", "security.html"])
def test_a_document_is_read_like_this(name, snapshot):
    (document,) = load_documents([Path("guide") / name])
    check_shape(document)
    assert outline(document) == snapshot


def test_the_json_of_all_of_them(snapshot):
    assert procedures_document(load_documents([Path("guide")])) == snapshot


def test_the_checks_beside_a_document(snapshot):
    (document,) = load_documents([Path("guide/buckets.md")])
    assert {p.id: p.checks for p in document.procedures if p.checks.source} == snapshot
