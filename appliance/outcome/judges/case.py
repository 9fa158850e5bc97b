"""What judges are shown, and what they say."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from appliance.core.result import ChannelResult


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedTurn:
    """One action, as it was recorded: nothing of what the policy thought or claimed."""

    step: str
    """The documented step that it served."""
    action: str
    """In words: `click button "Create disk"`. Of a policy's last word no more than its kind."""
    url: str
    """Of the page on which it was done."""
    title: str = ""
    notices: tuple[str, ...] = ()
    """What the console said then."""
    errors: tuple[str, ...] = ()
    """Error messages on the page, or why the action failed."""
    is_ok: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedCase:
    """An attempt, as judges see it."""

    title: str
    text: str
    """The procedure."""
    expected: str = ""
    """The result that it documents; empty: it says none."""
    bindings: Mapping[str, str] = field(default_factory=dict)
    """Values that were used for what the text leaves open."""
    turns: tuple[JudgedTurn, ...] = ()
    first_text: str = ""
    """The page before anything was done, as `final_text`: what stands there proves nothing."""
    final_text: str = ""
    """The page at the end, as `appliance.browser.describe` writes it."""
    final_picture: bytes | None = None
    """The same as a picture, without numbered marks."""
    language: str = "en"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeOpinion:
    """What one judge says."""

    role: str
    model: str
    """Empty: the one of the settings."""
    temperature: float
    reached: bool | None
    """None: it cannot tell, or its opinion does not count."""
    reason: str
    evidence: tuple[str, ...] = ()
    """Words of what it was shown; empty where its opinion does not count."""
    counts: bool = True
    """Whether it answered in the form asked for, with quotes that are there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelDecision:
    """What all of them say together, and what it took."""

    channel: ChannelResult
    opinions: tuple[JudgeOpinion, ...] = ()
    model_s: float = 0.0
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
