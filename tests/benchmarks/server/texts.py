"""A documentation as large as the store is full: every verdict has its text."""

from pathlib import Path

DOCUMENT_PROCEDURES = 10
"""Procedures in a document."""
STEPS = 20
"""Steps of a procedure."""


def write_texts(folder: Path, procedures: int) -> None:
    """Write documents with so many procedures in all."""
    for number in range(procedures // DOCUMENT_PROCEDURES):
        file = folder / f"product-{number // 20:02d}" / f"guide-{number:03d}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        parts = (_procedure(number, place) for place in range(DOCUMENT_PROCEDURES))
        file.write_text(f"# Guide {number}\n\n" + "\n".join(parts), "utf-8")


def _procedure(document: int, place: int) -> str:
    steps = "".join(
        f"{step + 1}. In section {step // 5 + 1}, click **Button {step + 1}**.\n"
        for step in range(STEPS)
    )
    return f"## Create a resource of sort {document}-{place}\n\n{steps}"
