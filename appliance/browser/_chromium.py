"""Which Chromium is started, and with which flags."""

import shutil
from collections.abc import Iterator
from pathlib import Path

from appliance.config import BrowserSettings
from appliance.core.errors import SetupError

SHELLS = ("chromium-headless-shell", "chrome-headless-shell", "headless_shell")
SHELL_FILES = (Path("/usr/lib/chromium/chromium-headless-shell"),)
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

# What Playwright, which drives it, expects of a Chromium; silent (nothing calls home) and steady
# (pages in the background are not slowed). Sites stay isolated, as in a person's own browser.
FLAGS = (
    "--allow-pre-commit-input",
    "--disable-back-forward-cache",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-component-extensions-with-background-pages",
    "--disable-component-update",
    "--disable-crash-reporter",
    "--disable-default-apps",
    "--disable-dev-shm-usage",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-field-trial-config",
    "--disable-gpu",
    "--disable-hang-monitor",
    "--disable-infobars",
    "--disable-ipc-flooding-protection",
    "--disable-popup-blocking",
    "--disable-prompt-on-repost",
    "--disable-quic",
    "--disable-renderer-backgrounding",
    "--disable-search-engine-choice-screen",
    "--disable-stack-profiler",
    "--disable-sync",
    "--disable-updater-scheduler",
    "--dns-prefetch-disable",
    "--enable-features=CDPScreenshotNewSurface,SkipListAccountsWithoutGaiaCookies",
    "--enable-unsafe-swiftshader",
    "--force-color-profile=srgb",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--metrics-recording-only",
    "--no-default-browser-check",
    "--no-first-run",
    "--no-pings",
    "--no-service-autorun",
    "--no-startup-window",
    "--password-store=basic",
    "--unsafely-disable-devtools-self-xss-warnings",
    "--use-mock-keychain",
)
# One flag: a second one of this name would replace the first.
DISABLED_FEATURES = (
    "AimEnabled",
    "AutofillServerCommunication",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "CertificateTransparencyComponentUpdater",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",  # a console without TLS is opened as it is
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "Translate",
)
HEADLESS_FLAGS = (
    "--headless",
    "--hide-scrollbars",
    "--mute-audio",
    # A mouse that can hover: consoles hide menus from devices without one.
    "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,"
    "availablePointerTypes=4",
)


def find_executable(settings: BrowserSettings, playwrights: Path) -> Path | None:
    """The Chromium to start; `playwrights` is where Playwright would have put its own.

    Without a window a headless shell is preferred: its contexts cost a third of the time and less
    than half of the memory of the full browser's.
    """
    if settings.executable is not None:
        if not settings.executable.is_file():
            raise SetupError(
                f"browser.executable: there is no file {settings.executable}; "
                "set it to a Chromium, or leave it out to use the system's"
            )
        return settings.executable
    shells = _shells(playwrights) if settings.headless else iter(())
    return next(shells, None) or next(_browsers(playwrights), None)


def _shells(playwrights: Path) -> Iterator[Path]:
    # The program itself before a wrapper of it, which need not hand over what it is told.
    yield from (path for path in SHELL_FILES if path.is_file())
    yield from _find_on_path(SHELLS)
    for parent in playwrights.parents:
        if parent.name.startswith("chromium-"):
            beside = parent.with_name(parent.name.replace("chromium-", "chromium_headless_shell-"))
            for name in SHELLS:
                yield from sorted(beside.glob(f"*/{name}"))


def _browsers(playwrights: Path) -> Iterator[Path]:
    yield from _find_on_path(NAMES)
    if playwrights.is_file():
        yield playwrights


def _find_on_path(names: tuple[str, ...]) -> Iterator[Path]:
    for name in names:
        path = shutil.which(name)
        if path:
            yield Path(path)


def launch_flags(settings: BrowserSettings, *, sandbox: bool) -> list[str]:
    """Flags for these settings, with Chromium's own sandbox or without."""
    flags = [*FLAGS, f"--disable-features={','.join(DISABLED_FEATURES)}"]
    if settings.headless:
        flags.extend(HEADLESS_FLAGS)
    if not sandbox:
        flags.append("--no-sandbox")
    return flags


def not_started(executable: Path | None, reason: str) -> SetupError:
    """What to tell a user whose browser does not start."""
    which = f"cannot start a browser ({executable}): {reason}" if executable else "no browser"
    return SetupError(
        f"{which}; install Chromium (Debian: apt-get install chromium), "
        "run `playwright install chromium`, or name one in browser.executable"
    )
