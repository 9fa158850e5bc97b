"""A result with other names for its documents: where a run knew them by another path."""

from collections.abc import Callable
from dataclasses import replace

from appliance.core.result import RunResult


def documents_of(run: RunResult) -> frozenset[str]:
    """The paths of all documents that a result names."""
    findings = (f.document for procedure in run.procedures for f in procedure.findings)
    return frozenset(findings).union(
        run.documents, (procedure.document for procedure in run.procedures)
    )


def with_documents_named(run: RunResult, name: Callable[[str], str]) -> RunResult:
    """The same result; `name` gives the path that is shown for one that the run has."""
    procedures = tuple(
        replace(
            procedure,
            document=name(procedure.document),
            findings=tuple(
                replace(finding, document=name(finding.document)) for finding in procedure.findings
            ),
        )
        for procedure in run.procedures
    )
    documents = {name(path): revision for path, revision in run.documents.items()}
    return replace(run, procedures=procedures, documents=documents)
