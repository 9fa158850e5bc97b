"""What an agent asks for while its attempt waits: made in a sandbox, kept as a candidate."""

from dataclasses import dataclass

from appliance.config import Settings
from appliance.consoles import Account, Console, TerraformAccess
from appliance.core.blocking import in_thread
from appliance.core.errors import AttemptError, SetupError
from appliance.core.page import Performed
from appliance.core.resources import Lifetime, Receipt, ReceiptKind
from appliance.environment.coder.coder import ResourceCoder
from appliance.environment.coder.report import CoderReport, Made
from appliance.environment.modules import Catalogue
from appliance.environment.sandbox import choose_sandbox
from appliance.environment.terraform import Terraform
from appliance.inference.client import ModelClient
from appliance.store.store import Store


@dataclass(frozen=True, slots=True)
class CoderSupply:
    """Makes in one console what no module provides."""

    client: ModelClient
    catalogue: Catalogue
    terraform: Terraform
    """That of the console's own provisioning: it destroys what is made here, too."""
    console: Console
    settings: Settings
    store: Store

    async def supply(
        self, request: str, lifetime: Lifetime, account: Account, name: str = ""
    ) -> Performed:
        """Make it, and say what was made or why not; never raises for what can be said."""
        try:
            access = await self.console.terraform(account)
            if access is None:
                return Performed(ok=False, error="nothing can be made in this console")
            report = await self._make(request, lifetime, access, name)
        except (AttemptError, SetupError) as exc:
            return Performed(ok=False, error=f"{request!r} could not be made: {exc}")
        await in_thread(self._keep, report, lifetime)
        if not report.is_made:
            return Performed(ok=False, error=report.text)
        return Performed(ok=True, report=report.text)

    async def _make(
        self, request: str, lifetime: Lifetime, access: TerraformAccess, name: str
    ) -> CoderReport:
        let_in = await self.terraform.let_in(access)
        launcher = await choose_sandbox(
            self.settings.environment.sandbox,
            read_only=let_in.paths,
            hosts=let_in.hosts,
            network=self.console.network,
        )
        coder = ResourceCoder(
            self.client, self.catalogue, self.terraform, launcher, self.settings.environment.coder
        )
        workspace = await in_thread(self._free_id, lifetime.id)
        return await coder.make(
            request,
            self.settings.consoles[self.console.name].kind,
            access,
            lifetime.unique,
            workspace,
            name,
        )

    def _free_id(self, attempt_id: str) -> str:
        """`X.1`, `X.2`: one workspace a request, beside the attempt's own."""
        taken_ids = set(self.terraform.known())
        number = 1
        while f"{attempt_id}.{number}" in taken_ids:
            number += 1
        return f"{attempt_id}.{number}"

    def _keep(self, report: CoderReport, lifetime: Lifetime) -> None:
        receipts = [_receipt(ReceiptKind.MADE, each) for each in report.made]
        receipts += [_receipt(ReceiptKind.FAILED, each, report.problem) for each in report.left]
        self.store.attempts.add_receipts(lifetime.id, receipts)
        if report.is_made:
            self.store.candidates.propose(
                console=report.console,
                request=report.request,
                hcl=report.hcl,
                report=report.as_json(),
            )


def _receipt(outcome: ReceiptKind, resource: Made, why: str = "") -> Receipt:
    return Receipt(deed=outcome, kind=resource.type, id=resource.id, name=resource.name, why=why)
