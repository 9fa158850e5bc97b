"""How an account gets into the practice cloud: whether it can, and how Terraform does."""

from urllib.parse import urlsplit

import httpx

from appliance.consoles.base import Account, TerraformAccess
from appliance.consoles.credentials import SecondFactors, has_second_factor, password_of
from appliance.consoles.practice.api import TIMEOUT_S, PracticeApi, RefusedError
from appliance.consoles.practice.login import TRIES, headers_of, is_code_refused
from appliance.core.errors import ConsoleError
from appliance.core.resources import PRACTICE_PROVIDER, AccountHealth, Quota
from appliance.system.network.clients import async_client
from appliance.system.network.network import Network


async def health_of(
    url: str, account: Account, codes: SecondFactors, network: Network
) -> AccountHealth:
    """Whether the API knows the account, and its quotas in its region.

    Raises:
        ConsoleError: The cloud does not answer.
    """
    try:
        response = await _quotas(url, account, codes, network)
        if response.is_success:
            body = response.json()
            quotas = {
                entry["kind"]: Quota(entry["used"], entry["limit"]) for entry in body["quotas"]
            }
            return AccountHealth(can_log_in=True, quota=quotas)
        if response.is_server_error:
            raise ConsoleError(f"the practice cloud at {url} answers {response.status_code}")
        names = {entry["name"] for entry in (await _regions(url, network))["accounts"]}
    except _PasswordMissingError as exc:
        return AccountHealth(can_log_in=False, problem=str(exc))
    except (httpx.HTTPError, ValueError, KeyError) as exc:
        raise _no_answer(url, exc) from exc
    if account.settings.username not in names:
        problem = f"the practice cloud has no account {account.settings.username}"
        return AccountHealth(can_log_in=False, problem=problem)
    return AccountHealth(can_log_in=False, problem=_error_message(response))


async def terraform_access(url: str, account: Account, api: PracticeApi) -> TerraformAccess:
    """Access by the password's file, else by a token that is made for the purpose.

    Raises:
        ConsoleError: The password cannot be read, or the cloud refuses it or does not answer.
    """
    settings = account.settings
    arguments = {"endpoint": url}
    environment = api.network.variables()
    if settings.region:
        arguments["region"] = settings.region
    file = settings.password_file
    if file is not None and not settings.password_env and not has_second_factor(settings):
        arguments |= {"user": settings.username, "password_file": str(file.resolve())}
    else:
        environment["PRACTICE_TOKEN"] = await _new_token(account, api)
    return TerraformAccess(
        provider="practice",
        source=PRACTICE_PROVIDER,
        arguments=arguments,
        environment=environment,
        hosts=frozenset({urlsplit(url).netloc}),
    )


class _PasswordMissingError(ConsoleError):
    """The fault is in the settings, not in the cloud."""


async def _new_token(account: Account, api: PracticeApi) -> str:
    try:
        return str((await api.call(ConsoleError, "POST", "/api/tokens"))["token"])
    except RefusedError as exc:
        user = account.settings.username
        raise ConsoleError(f"the practice cloud gives {user} no token: {exc}") from exc


async def _quotas(
    url: str, account: Account, codes: SecondFactors, network: Network
) -> httpx.Response:
    """One call with the password as it is now: nothing that was opened earlier is used."""
    settings = account.settings
    query = {"region": settings.region} if settings.region else None
    async with async_client(network, base_url=url, timeout=TIMEOUT_S) as client:
        for _ in range(TRIES):
            try:
                auth = httpx.BasicAuth(settings.username, password_of(account.name, settings))
                headers = await headers_of(account, codes)
            except ConsoleError as exc:
                raise _PasswordMissingError(str(exc)) from exc
            response = await client.get("/api/quotas", params=query, headers=headers, auth=auth)
            if not (headers and is_code_refused(response)):
                break
    return response


async def _regions(url: str, network: Network) -> dict[str, list[dict[str, str]]]:
    async with async_client(network, base_url=url, timeout=TIMEOUT_S) as client:
        response = await client.get("/api/accounts")
        response.raise_for_status()
        known: dict[str, list[dict[str, str]]] = response.json()
        return known


def _no_answer(url: str, exc: Exception) -> ConsoleError:
    reason = str(exc) or type(exc).__name__
    return ConsoleError(f"the practice cloud at {url} does not answer: {reason}")


def _error_message(response: httpx.Response) -> str:
    """The error message in the cloud's response."""
    try:
        problem = response.json()
    except ValueError:
        problem = {}
    detail = problem.get("detail") if isinstance(problem, dict) else None
    return str(detail or f"answer {response.status_code}")
