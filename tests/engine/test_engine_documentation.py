"""What is kept of the configured documentation is what stands in its files."""

import os
from pathlib import Path

import pytest

from appliance.config import Settings
from appliance.core.errors import DocumentError
from appliance.engine.documentation import Documentation

GUIDE = "# Tags\n\n## Add a tag\n\n1. Click **Add tag**.\n"


def test_a_document_is_read_again_when_it_or_its_checks_have_changed(tmp_path: Path) -> None:
    guide = tmp_path / "guide.md"
    guide.write_text(GUIDE)
    documentation = Documentation(Settings(data_dir=tmp_path / "data"), print, is_open=True)
    first = documentation.whole(guide)
    assert documentation.whole(guide) is first
    seen = documentation.rendered(guide)
    assert documentation.rendered(guide) is seen

    guide.write_text(GUIDE.replace("Add tag", "New tag"))  # as long as before
    os.utime(guide, ns=(1, guide.stat().st_mtime_ns + 1))
    second = documentation.whole(guide)
    assert second.procedures[0].steps[0].text == "Click New tag."
    assert documentation.rendered(guide) != seen

    checks = tmp_path / "guide.checks.yaml"
    checks.write_text("procedures: {add-a-tag: {bindings: {tag: blue}}}\n")
    assert documentation.whole(guide).procedures[0].checks.bindings == {"tag": "blue"}
    checks.unlink()
    assert documentation.whole(guide).procedures[0].checks.bindings == {}

    guide.unlink()
    with pytest.raises(DocumentError):
        documentation.whole(guide)
    documentation.close()
