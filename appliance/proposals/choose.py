"""The code host that the settings name."""

from appliance.config import RepositorySettings
from appliance.core.errors import SetupError
from appliance.proposals.code_host import CodeHost
from appliance.proposals.gitea import Gitea
from appliance.proposals.github import GitHub
from appliance.proposals.gitlab import GitLab
from appliance.system.network.network import Network
from appliance.system.secret_references import SecretReference


def code_host(settings: RepositorySettings, network: Network) -> CodeHost:
    """The host, with the token.

    Raises:
        SetupError: The settings name none, or leave something out.
    """
    if not settings.kind:
        raise SetupError(
            "nothing is proposed anywhere: repository.kind is not set (github, gitlab or gitea)"
        )
    if not settings.project.strip("/").count("/"):
        raise SetupError("repository.project is to be OWNER/NAME")
    url = settings.url.rstrip("/")
    match settings.kind:
        case "github":
            return GitHub(url, settings.project, _token(settings), network)
        case "gitlab":
            return GitLab(url, settings.project, _token(settings), network)
        case "gitea":
            if not url:
                raise SetupError("repository.url is missing: where is your Gitea?")
            return Gitea(url, settings.project, _token(settings), network)


def _token(settings: RepositorySettings) -> str:
    place = SecretReference(settings.token_env, settings.token_file)
    if not place:
        raise SetupError("name a token in repository.token_env or repository.token_file")
    return place.require("the token").strip()
