"""While a page is in use, what other procedures need is made."""

from pathlib import Path

from appliance.config import (
    AccountSettings,
    BrowserSettings,
    ConsoleSettings,
    Settings,
    VerificationSettings,
)
from appliance.core.events import Event, ProcedureFinished, ResourceProgressed
from appliance.core.verdict import Verdict
from appliance.engine.engine import EngineOptions
from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings
from tests.running import verified

ONE = """## Open bucket {0}

1. Open **Products** > **Buckets**.
2. Click the name of the bucket.
"""
CHECKS = """  open-bucket-{0}:
    needs: [{{bucket: {{name: "{0}-${{unique}}"}}}}]
    bindings: {{bucket: "{0}-${{unique}}"}}
"""


async def test_with_one_page_the_next_procedure_is_provided_for(tmp_path: Path) -> None:
    told: list[Event] = []
    guide = tmp_path / "guide.md"
    guide.write_text("# Buckets\n\n" + "\n".join(map(ONE.format, ("ant", "bee"))))
    checks = "procedures:\n" + "".join(map(CHECKS.format, ("ant", "bee")))
    guide.with_name("guide.checks.yaml").write_text(checks)
    options = EngineOptions(subscribers=[told.append], is_open=True)
    with serving(PracticeSettings(settle_s=0.2)) as cloud:
        (tmp_path / "password").write_text(cloud.password)
        accounts = {
            name: AccountSettings(username=name, password_file=tmp_path / "password")
            for name in ("alice", "bob")
        }
        console = ConsoleSettings(kind="practice", url=cloud.url, accounts=accounts)
        settings = Settings(
            data_dir=tmp_path / "data",
            consoles={"practice": console},
            browser=BrowserSettings(pool_size=1),
            verification=VerificationSettings(parallel=2),
        )
        run = await verified(settings, [guide], options=options)
    assert [p.verdict for p in run.procedures] == [Verdict.VERIFIED] * 2
    first = next(n for n, e in enumerate(told) if isinstance(e, ProcedureFinished))
    provided = {e.procedure_id for e in told[:first] if isinstance(e, ResourceProgressed)}
    assert provided == {p.id for p in run.procedures}
