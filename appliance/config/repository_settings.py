"""Settings of pull and merge requests: where the documentation's repository is."""

from pathlib import Path
from typing import Literal

from pydantic import Field

from appliance.config.section import Section


class RepositorySettings(Section):
    """The repository of the documentation, for pull and merge requests with suggested texts."""

    kind: Literal["", "github", "gitlab", "gitea"] = ""
    """Which API it speaks (Forgejo: `gitea`); empty: nothing is ever sent there."""
    url: str = ""
    """Address of the host; empty: the public one of `github` and `gitlab`."""
    project: str = ""
    """`OWNER/NAME`; gitlab: with all groups before it."""
    token_env: str | None = None
    """Environment variable that holds a token that may write branches and open requests."""
    token_file: Path | None = None
    """File that holds it."""
    base: str = ""
    """Branch that requests are for; empty: the repository's default one. It is never written to."""
    branch_prefix: str = Field("console-docs/", pattern=r"^[A-Za-z0-9][A-Za-z0-9._/-]*$")
    """What the names of our branches begin with; the run's id follows."""
    root: Path | None = None
    """Folder here that is the top of the repository; empty: the one with `.git` in it."""
