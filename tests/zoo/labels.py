"""Labels: what somebody who walked a console by hand says of the procedures of its guide."""

from collections.abc import Mapping
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, model_validator

from appliance.core.verdict import DivergenceKind, Verdict
from tests.zoo.console import Console, Half, labels_path


class Part(BaseModel):
    """A piece of a labels file."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Untruth(Part):
    """A sentence that the console contradicts."""

    line: int = Field(ge=1)
    quote: str = Field(min_length=1)
    """Its untrue words, as they stand in the source."""
    kinds: tuple[DivergenceKind, ...] = Field(min_length=1)
    """Those that a careful person could give it; the first is the best."""
    shown: str = Field(min_length=1)
    severity: Literal["misleads", "cosmetic"]
    disputable: bool = False
    """Careful people could differ: finding it is no mistake, and neither is leaving it out."""

    @property
    def must_be_found(self) -> bool:
        """Whether a verdict can only be right for the right reason with it."""
        return self.severity == "misleads" and not self.disputable


class Must(Part):
    """What the witness must have seen: a thing of a kind that was made, changed or gone."""

    made: str = ""
    changed: str = ""
    gone: str = ""
    name: str = ""
    """Empty: any."""

    @model_validator(mode="after")
    def _one(self) -> "Must":
        if sum(map(bool, (self.made, self.changed, self.gone))) != 1:
            raise ValueError("one of made, changed and gone")
        return self


class Label(Part):
    """What is true of one procedure."""

    document: str
    line: int = Field(ge=1)
    """Of its heading."""
    title: str
    cannot: str = ""
    """Why it can't be carried out here; it isn't verified then."""
    verdicts: tuple[Verdict, ...] = ()
    steps: int = Field(default=0, ge=0)
    """How many of its steps can be carried out."""
    set: Mapping[str, str] = Field(default_factory=dict)
    """Existing things that it is about, where the text says "the desired": what a user binds."""
    must: tuple[Must, ...] = ()
    touches: tuple[Mapping[str, str], ...] = ()
    """Further things that were there before and rightly change: `kind: name`."""
    untrue: tuple[Untruth, ...] = ()

    @model_validator(mode="after")
    def _is_scored_or_not(self) -> "Label":
        if self.cannot and (self.verdicts or self.steps or self.must or self.untrue):
            raise ValueError("what can't be carried out has nothing to score")
        if not self.cannot and not (
            self.verdicts and (self.steps or Verdict.BROKEN in self.verdicts)
        ):
            raise ValueError("verdicts and steps, or why it can't be carried out")
        if Verdict.VERIFIED in self.verdicts and any(u.must_be_found for u in self.untrue):
            raise ValueError("it can't be verified with a misleading sentence in it")
        if self.verdicts == (Verdict.DRIFTED,) and not any(u.must_be_found for u in self.untrue):
            raise ValueError("it has drifted from what?")
        return self


class Labels(Part):
    """A labels file."""

    schema_version: Literal[1]
    procedures: tuple[Label, ...] = Field(min_length=1)


class Measured(Part):
    """How often the held-out consoles were measured."""

    schema_version: Literal[1]
    runs: tuple[Mapping[str, str], ...] = ()


def labels_of(console: Console) -> tuple[Label, ...]:
    """The labels of a console."""
    text = labels_path(console).read_text(encoding="utf-8")
    return Labels.model_validate(yaml.safe_load(text)).procedures


def half_of(held_out: bool) -> Half:
    """The half that a run is about."""
    return "held-out" if held_out else "train"
