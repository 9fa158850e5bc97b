"""What attempts may have done that must not be done twice: known before it is done."""

from collections.abc import Collection

from appliance.core.harm import Harm, HarmfulAction
from appliance.store.rows import clean
from appliance.store.tables import Tables


class HarmfulActionTable(Tables):
    """The table `deeds`."""

    about = "what may have been done"

    def keep(self, run_id: str, procedure_id: str, actions: Collection[HarmfulAction]) -> None:
        """These are all that a procedure's attempts may have done in a run."""
        key = [run_id, clean(procedure_id)]
        rows = [
            [*key, d.harm.value, clean(d.control), sorted(map(clean, d.things))] for d in actions
        ]
        with self._session.transaction("keeping what may have been done") as connection:
            connection.execute("DELETE FROM deeds WHERE run_id = ? AND procedure_id = ?", key)
            if rows:
                connection.executemany("INSERT INTO deeds VALUES (?, ?, ?, ?, ?)", rows)

    def of(self, run_id: str, procedure_id: str) -> frozenset[HarmfulAction]:
        """What a procedure's attempts may have done in a run."""
        rows = self._read(
            "SELECT harm, control, things FROM deeds WHERE run_id = ? AND procedure_id = ?",
            [run_id, procedure_id],
        )
        return frozenset(
            HarmfulAction(harm=Harm(harm), control=control, things=frozenset(things))
            for harm, control, things in rows
        )
