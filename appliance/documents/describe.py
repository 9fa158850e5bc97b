"""Procedures as plain data, for `appliance procedures --json`."""

from collections.abc import Sequence
from typing import Any

from appliance.core.procedure import Document, Field, Inline, LeftOut, Procedure, Sentence, Step

SCHEMA_VERSION = 1

Json = dict[str, Any]  # Any: JSON


def procedures_document(documents: Sequence[Document]) -> Json:
    """The procedures that would be verified, with file and line."""
    return {
        "schema_version": SCHEMA_VERSION,
        "procedures": [_procedure(p, d) for d in documents for p in d.procedures],
        "candidates": [_candidate(p) for d in documents for p in d.candidates],
        "left_out": [_left_out(one) for d in documents for one in d.left_out],
        "problems": [problem for d in documents for problem in d.problems],
    }


def _candidate(procedure: Procedure) -> Json:
    """A section that only a model may take for a procedure; it can be requested by its id."""
    return {
        "id": procedure.id,
        "title": procedure.title,
        "document": procedure.span.file,
        "line": procedure.span.line,
        "end_line": procedure.span.end_line,
    }


def _left_out(section: LeftOut) -> Json:
    return {
        "title": section.title,
        "document": section.span.file,
        "line": section.span.line,
        "end_line": section.span.end_line,
        "reason": section.reason.value,
    }


def _procedure(procedure: Procedure, document: Document) -> Json:
    return {
        "id": procedure.id,
        "title": procedure.title,
        "title_path": list(procedure.title_path),
        "document": document.path,
        "line": procedure.span.line,
        "end_line": procedure.span.end_line,
        "language": procedure.language,
        "prerequisites": [_text(s) for s in procedure.prerequisites],
        "introduction": [_text(s) for s in procedure.introduction],
        "steps": [_step(s) for s in procedure.steps],
        "results": [_text(s) for s in procedure.results],
        "remarks": [_text(s) for s in procedure.remarks],
        "checks": procedure.checks.source,
    }


def _text(sentence: Sentence) -> Json:
    return {"text": sentence.text, "line": sentence.span.line, "column": sentence.span.column}


def _label(inline: Inline) -> Json:
    shown = {
        "role": inline.role.value,
        "text": inline.text,
        "line": inline.span.line,
        "column": inline.span.column,
    }
    return shown | ({"parts": list(inline.parts)} if inline.parts else {})


def _step(step: Step) -> Json:
    sentences = [part for part in step.body if isinstance(part, Sentence)]
    return {
        "index": step.index,
        "line": step.span.line,
        "column": step.span.column,
        "text": step.text,
        "optional": step.is_optional,
        "condition": step.condition,
        "labels": [_label(i) for s in sentences for i in s.inlines],
        "fields": [_field(f) for f in step.fields],
        "steps": [_step(s) for s in step.substeps],
    }


def _field(field: Field) -> Json:
    return {
        "labels": [_label(label) for label in field.labels],
        "description": " ".join(s.text for s in field.description),
        "line": field.span.line,
        "column": field.span.column,
        "options": [_field(o) for o in field.options],
    }
