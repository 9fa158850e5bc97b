"""One verification as a command asks for it: read, chosen, carried out here or at a server."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import click

from appliance import __version__
from appliance.cli._app import CLEAN
from appliance.cli._handed_in import HandedIn, collect_hand_in
from appliance.cli._local import verify_here
from appliance.cli._options import ReportOptions, Selection, read_documents
from appliance.cli._output import talk, write_json
from appliance.cli._progress import progress
from appliance.cli._remote import RemoteServer
from appliance.cli._reporting import report
from appliance.cli._served import artifacts_of, begin_at, end_of
from appliance.cli._summary import counted
from appliance.cli._terminal import people_at_terminal
from appliance.config import Settings
from appliance.core.build import commit
from appliance.core.clock import SystemClock
from appliance.core.errors import SetupError
from appliance.core.procedure import Document, Procedure
from appliance.core.result import RunResult
from appliance.core.result_json import result_document
from appliance.core.verdict import PolicyChoice
from appliance.documents import outline_of
from appliance.engine.reading import choose, with_candidates
from appliance.engine.request import RunKind
from appliance.verification import asks_model


@dataclass(frozen=True, slots=True)
class Verification:
    """What is to be verified, and what becomes of its result."""

    settings: Settings
    selection: Selection
    options: ReportOptions
    server: RemoteServer | None
    """None: here."""

    def of(self, procedures: Sequence[Procedure]) -> "Verification":
        """The same of these procedures only."""
        patterns = tuple(procedure.id for procedure in procedures)
        return replace(self, selection=replace(self.selection, patterns=patterns))

    def read(self) -> tuple[Document, ...]:
        """The documents; see `reading.read_documents`."""
        docs, checks, policy = self.selection.docs, self.selection.checks, self.selection.policy
        if self.server is not None:  # whether it has a model, it knows itself
            is_literal = policy in (PolicyChoice.LITERAL, PolicyChoice.REPLAY)
            return read_documents(docs, checks, may_be_empty=not is_literal)
        has_model = asks_model(policy, self.settings.model)
        documents = read_documents(docs, checks, may_be_empty=has_model)
        return _with_candidates(documents, self.selection.patterns) if has_model else documents

    def choose(self, documents: Sequence[Document]) -> tuple[Procedure, ...]:
        """The procedures that are asked for; `SetupError` where there is none."""
        patterns = self.selection.patterns
        try:
            return choose(documents, patterns)
        except SetupError:
            if self.server is None:
                raise
            return choose(_with_candidates(documents, patterns), patterns)

    def carry_out(self, documents: Sequence[Document], procedures: Sequence[Procedure]) -> int:
        """Verify them, and report it; the exit code.

        Args:
            documents: Where they stand.
            procedures: What the selection means.
        """
        if self.server is not None:
            handed_in = self._handed_in(documents, procedures)
            run_id = begin_at(self.server, self.selection, handed_in)
            with progress(len(procedures)) as tell:
                run = end_of(self.server, run_id, handed_in, tell)
            return report(run, self.settings, self.options, artifacts_of(self.server))
        request = self.selection.request(RunKind.VERIFICATION, self.settings.console)
        talk(f"{counted(len(procedures), 'procedure')} against {request.console}.")
        with progress(len(procedures)) as tell:
            run = verify_here(self.settings, request, tell, people=people_at_terminal(tell))
        return report(run, self.settings, self.options)

    def begin(self, documents: Sequence[Document], procedures: Sequence[Procedure]) -> int:
        """Have it begun at the server, and print the run's id."""
        if self.server is None:
            raise SetupError("--no-wait is for a server: name it with --server URL.")
        run_id = begin_at(self.server, self.selection, self._handed_in(documents, procedures))
        address = f"{self.server.url}/runs/{run_id}"
        if self.options.as_json:
            write_json({"id": run_id, "url": address})
        else:
            click.echo(run_id)
        talk(f"Under way in the server: {address}")
        return CLEAN

    def tell_nothing(self) -> int:
        """Say that nothing is to be done."""
        if self.options.as_json:
            now = SystemClock().now()
            nothing = RunResult(
                id="",
                appliance_version=__version__,
                commit=commit(),
                console=self.selection.console or self.settings.console,
                policy=self.selection.policy,
                started_at=now,
                ended_at=now,
                procedures=(),
            )
            write_json(result_document(nothing))
        talk("Nothing to verify: no report is written.")
        return CLEAN

    def _handed_in(
        self, documents: Sequence[Document], procedures: Sequence[Procedure]
    ) -> HandedIn:
        """Only documents with one of them."""
        paths = {procedure.span.file for procedure in procedures}
        docs = [document for document in documents if document.path in paths]
        return collect_hand_in(docs, self.selection.docs, self.selection.checks)


def _with_candidates(
    documents: Sequence[Document], patterns: Sequence[str]
) -> tuple[Document, ...]:
    """See `reading.with_candidates`."""
    outlines = with_candidates(tuple(map(outline_of, documents)), patterns)
    procedure_ids = {procedure.id for outline in outlines for procedure in outline.procedures}
    return tuple(
        replace(
            document, procedures=tuple(p for p in document.all_procedures if p.id in procedure_ids)
        )
        for document in documents
    )
