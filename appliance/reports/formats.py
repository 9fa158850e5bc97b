"""Which formats of reports there are."""

FILE_NAMES = {
    "html": "report.html",
    "json": "result.json",
    "junit": "junit.xml",
    "sarif": "results.sarif",
    "github": "github.txt",
    "markdown": "summary.md",
}
"""The formats, and the names of their files."""
