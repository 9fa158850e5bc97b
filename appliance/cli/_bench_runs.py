"""What benchmarks on the practice cloud share: their settings."""

from pathlib import Path

from appliance.config import ConsoleSettings, Settings


def on_practice(
    settings: Settings, folder: Path, jobs: int | None, console: ConsoleSettings
) -> Settings:
    """Settings of a run on a practice cloud of its own, with its data in the folder.

    Args:
        settings: The user's.
        folder: Of the benchmark.
        jobs: Procedures under way at the same time; None: as the settings say.
        console: The practice cloud.
    """
    verification, browser = settings.verification, settings.browser
    if jobs:
        verification = verification.model_copy(update={"parallel": jobs})
        browser = browser.model_copy(update={"pool_size": jobs})
    return settings.model_copy(
        update={
            "data_dir": folder / "data",
            "console": "practice",
            "consoles": {"practice": console},
            "verification": verification,
            "browser": browser,
        }
    )
