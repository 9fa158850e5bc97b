"""`appliance procedures`: what would be verified."""

from pathlib import Path

import click
from rich.table import Table

from appliance.cli._options import checks_option, read_documents
from appliance.cli._output import data_console, json_option, talk, write_json
from appliance.cli._summary import counted, sections_left_out
from appliance.core.procedure import Document
from appliance.documents import procedures_document


@click.command("procedures")
@click.argument("docs", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="DOC...")
@checks_option
@json_option
def command(docs: tuple[Path, ...], checks: tuple[Path, ...], as_json: bool) -> None:
    """List the procedures found in documents: what `verify` would carry out.

    DOC is a Markdown, reStructuredText or HTML file, or a folder of them.
    """
    documents = read_documents(docs, checks)
    if as_json:
        write_json(procedures_document(documents))
        return
    data_console().print(_table(documents))
    count = sum(len(document.procedures) for document in documents)
    talk(f"{counted(count, 'procedure')} in {counted(len(documents), 'document')}.")
    if left_out := sections_left_out(one.reason for each in documents for one in each.left_out):
        talk(left_out)


def _table(documents: tuple[Document, ...]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("Where", no_wrap=True)
    table.add_column("Procedure")
    table.add_column("Steps", justify="right")
    table.add_column("Checks")
    table.add_column("Id", style="dim", overflow="fold")
    for document in documents:
        for procedure in document.procedures:
            table.add_row(
                f"{procedure.span.file}:{procedure.span.line}",
                procedure.title,
                str(sum(1 for _ in procedure.walk())),
                "yes" if procedure.checks.source else "",
                procedure.id,
            )
    return table
