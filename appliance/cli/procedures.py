"""`appliance procedures`: what would be verified."""

from pathlib import Path

import click
from rich.text import Text

from appliance.cli._options import checks_option, read_documents
from appliance.cli._output import json_option, print_table, talk, write_json
from appliance.cli._summary import counted, sections_left_out


@click.command("procedures")
@click.argument("docs", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="DOC...")
@checks_option
@json_option
def command(docs: tuple[Path, ...], checks: tuple[Path, ...], as_json: bool) -> None:
    """List the procedures found in documents: what `verify` would carry out.

    DOC is a Markdown, reStructuredText, HTML, AsciiDoc, DocBook or DITA file, or a folder of them.
    """
    from appliance.documents import procedures_document

    documents = read_documents(docs, checks)
    if as_json:
        write_json(procedures_document(documents))
        return
    cells = []
    for procedure in (procedure for document in documents for procedure in document.procedures):
        where = f"{procedure.span.file}:{procedure.span.line}"
        steps = sum(1 for _ in procedure.walk())
        checks_text = "yes" if procedure.checks.source else ""
        cells.append((where, procedure.title, steps, checks_text, Text(procedure.id, "dim")))
    headings = ("Where", "Procedure", "Steps", "Checks", "Id")
    print_table(headings, cells, right=("Steps",), whole=("Where",))
    talk(f"{counted(len(cells), 'procedure')} in {counted(len(documents), 'document')}.")
    if left_out := sections_left_out(
        section.reason for document in documents for section in document.left_out
    ):
        talk(left_out)
    if candidates := sum(len(document.candidates) for document in documents):
        talk(f"Only a model may take for a procedure: {counted(candidates, 'section')}.")
