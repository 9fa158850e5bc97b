"""Which Chromium is started, and with which flags."""

import os
import shutil
from pathlib import Path

from appliance.config import BrowserSettings
from appliance.core.errors import SetupError

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

# Silent (nothing calls home), steady (no throttling of pages in the background), and one process
# tree per page: cross-site frames stay in the page's process, so that one session reaches them all.
FLAGS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-client-side-phishing-detection",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-sync",
    "--disable-quic",
    "--disable-gpu",
    "--disable-site-isolation-trials",
    "--disable-features=IsolateOrigins,site-per-process,OptimizationHints,Translate,MediaRouter,"
    "AutofillServerCommunication,CertificateTransparencyComponentUpdater,PaintHolding",
    "--dns-prefetch-disable",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--metrics-recording-only",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-pings",
    "--password-store=basic",
    "--use-mock-keychain",
)


def find_executable(settings: BrowserSettings) -> Path | None:
    """The Chromium to start; `None` stands for Playwright's own."""
    if settings.executable is not None:
        if not settings.executable.is_file():
            raise SetupError(
                f"browser.executable: there is no file {settings.executable}; "
                "set it to a Chromium, or leave it out to use the system's"
            )
        return settings.executable
    for name in NAMES:
        found = shutil.which(name)
        if found:
            return Path(found)
    return None


def launch_flags() -> list[str]:
    """Flags for this machine: only root has to give up Chromium's own sandbox."""
    flags = list(FLAGS)
    if os.geteuid() == 0:
        flags.append("--no-sandbox")
    return flags


def not_started(executable: Path | None, reason: str) -> SetupError:
    """What to tell a user whose browser does not start."""
    first = reason.strip().splitlines()[0] if reason.strip() else "no reason given"
    which = str(executable) if executable else "Playwright's Chromium"
    return SetupError(
        f"cannot start a browser ({which}): {first}; install Chromium "
        "(Debian: apt-get install chromium), run `playwright install chromium`, "
        "or name one in browser.executable"
    )
