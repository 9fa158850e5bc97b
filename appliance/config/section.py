"""What every part of the settings has in common."""

from pydantic import BaseModel, ConfigDict


class Section(BaseModel):
    """A part of the settings: frozen, and unknown keys are errors."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        use_attribute_docstrings=True,
        defer_build=True,  # by whoever reads settings
    )
