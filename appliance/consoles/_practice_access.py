"""How an account gets into the practice cloud: whether it can, and how Terraform does."""

from urllib.parse import urlsplit

import httpx

from appliance.consoles._practice_api import TIMEOUT_S
from appliance.consoles.base import Account, TerraformAccess
from appliance.consoles.passwords import password_of
from appliance.core.errors import ConsoleError
from appliance.core.providers import PRACTICE_PROVIDER
from appliance.core.resources import AccountHealth, Quota


async def health_of(url: str, account: Account) -> AccountHealth:
    """Whether the API knows the account, and its quotas in its region.

    Raises:
        ConsoleError: The cloud does not answer.
    """
    try:
        response = await _ask(url, account, "GET", "/api/quotas")
        if response.is_success:
            answer = response.json()
            found = {one["kind"]: Quota(one["used"], one["limit"]) for one in answer["quotas"]}
            return AccountHealth(can_log_in=True, quota=found)
        if response.is_server_error:
            raise ConsoleError(f"the practice cloud at {url} answers {response.status_code}")
        names = {one["name"] for one in (await _known(url))["accounts"]}
    except _PasswordMissingError as exc:
        return AccountHealth(can_log_in=False, problem=str(exc))
    except (httpx.HTTPError, ValueError, KeyError) as exc:
        raise _unanswered(url, exc) from exc
    if account.settings.username not in names:
        problem = f"the practice cloud has no account {account.settings.username}"
        return AccountHealth(can_log_in=False, problem=problem)
    return AccountHealth(can_log_in=False, problem=_said(response))


async def terraform_access(url: str, account: Account) -> TerraformAccess:
    """Access by the password's file, else by a token that is made for the purpose.

    Raises:
        ConsoleError: The password cannot be read, or the cloud refuses it or does not answer.
    """
    settings = account.settings
    arguments = {"endpoint": url}
    environment = {}
    if settings.region:
        arguments["region"] = settings.region
    if settings.password_file is not None and not settings.password_env:
        file = settings.password_file.resolve()
        arguments |= {"user": settings.username, "password_file": str(file)}
    else:
        environment["PRACTICE_TOKEN"] = await _new_token(url, account)
    return TerraformAccess(
        provider="practice",
        source=PRACTICE_PROVIDER,
        arguments=arguments,
        environment=environment,
        hosts=frozenset({urlsplit(url).netloc}),
    )


class _PasswordMissingError(ConsoleError):
    """The fault is in the settings, not in the cloud."""


async def _new_token(url: str, account: Account) -> str:
    try:
        response = await _ask(url, account, "POST", "/api/tokens")
        if not response.is_success:
            user = account.settings.username
            raise ConsoleError(f"the practice cloud gives {user} no token: {_said(response)}")
        return str(response.json()["token"])
    except (httpx.HTTPError, ValueError, KeyError) as exc:
        raise _unanswered(url, exc) from exc


async def _ask(url: str, account: Account, method: str, path: str) -> httpx.Response:
    """One call with the password as it is now: nothing that was opened earlier is used."""
    settings = account.settings
    try:
        password = password_of(account.name, settings)
    except ConsoleError as exc:
        raise _PasswordMissingError(str(exc)) from exc
    auth = httpx.BasicAuth(settings.username, password)
    query = {"region": settings.region} if settings.region else None
    async with httpx.AsyncClient(
        base_url=url, auth=auth, timeout=TIMEOUT_S, trust_env=False
    ) as client:
        return await client.request(method, path, params=query)


async def _known(url: str) -> dict[str, list[dict[str, str]]]:
    async with httpx.AsyncClient(base_url=url, timeout=TIMEOUT_S, trust_env=False) as client:
        response = await client.get("/api/accounts")
        response.raise_for_status()
        known: dict[str, list[dict[str, str]]] = response.json()
        return known


def _unanswered(url: str, exc: Exception) -> ConsoleError:
    reason = str(exc) or type(exc).__name__
    return ConsoleError(f"the practice cloud at {url} does not answer: {reason}")


def _said(response: httpx.Response) -> str:
    """The cloud's own words."""
    try:
        problem = response.json()
    except ValueError:
        problem = {}
    detail = problem.get("detail") if isinstance(problem, dict) else None
    return str(detail or f"answer {response.status_code}")
