"""A store of an earlier appliance: what it kept is read as it was meant."""

import duckdb

from appliance.store.migrations import migrate, migrations

CLAIM = (
    "[{kind: 'limit', status: 'confirmed', text: 'at most 63', line: 3, \"column\": 1,"
    " end_line: 3, end_column: 9, step: '1', reason: ''}]"
)


def test_claims_of_an_earlier_store_are_measured(tmp_path) -> None:
    file = tmp_path / "store.duckdb"
    with duckdb.connect(file) as connection:
        migrate(connection, file, [one for one in migrations() if one.number <= 17])
        connection.execute(
            "INSERT INTO procedures BY NAME SELECT 'r' AS run_id, 'p' AS id, 0 AS position,"
            " '' AS title, []::VARCHAR[] AS title_path, 'd' AS document, 1 AS line, 9 AS end_line,"
            " 'verified' AS verdict, {'reached': true, 'channels': []} AS goal, '' AS path,"
            " '' AS decided_by, 1 AS attempts, {'wall_s': 0, 'browser_s': 0, 'model_s': 0,"
            " 'model_calls': 0, 'tokens': 0, 'resource_cost': 0} AS cost,"
            f" []::VARCHAR[] AS prerequisites, now()::TIMESTAMP AS saved_at, {CLAIM} AS claims"
            " UNION ALL BY NAME SELECT 'r' AS run_id, 'q' AS id, 1 AS position, '' AS title,"
            " []::VARCHAR[] AS title_path, 'd' AS document, 1 AS line, 9 AS end_line,"
            " 'verified' AS verdict, {'reached': true, 'channels': []} AS goal, '' AS path,"
            " '' AS decided_by, 1 AS attempts, {'wall_s': 0, 'browser_s': 0, 'model_s': 0,"
            " 'model_calls': 0, 'tokens': 0, 'resource_cost': 0} AS cost,"
            " []::VARCHAR[] AS prerequisites, now()::TIMESTAMP AS saved_at"
        )
        migrate(connection, file)
        kept = dict(connection.execute("SELECT id, claims FROM procedures").fetchall())
    assert kept["q"] is None
    (claim,) = kept["p"]
    assert (claim["text"], claim["reason"], claim["quote"]) == ("at most 63", "", "")
