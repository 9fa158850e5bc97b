-- Sweeps and what they are to verify. A sweep's results are those of the run of the same id. Times
-- are UTC. No primary keys: DuckDB checks them against rows that the same transaction has deleted.

CREATE TABLE sweeps (
    id VARCHAR NOT NULL,                  -- of its run, too
    console VARCHAR NOT NULL,
    state VARCHAR NOT NULL,               -- `waiting`, `running`, `paused`, `done`, `cancelled`
    why VARCHAR NOT NULL,                 -- what brought it there
    request JSON NOT NULL,                -- documents, checks, procedures, values: as asked for
    planned_at TIMESTAMP NOT NULL,
    ended_at TIMESTAMP                    -- NULL: it goes on
);

CREATE TABLE sweep_items (
    sweep_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,            -- order in which they are begun
    id VARCHAR NOT NULL,                  -- of the result: the procedure's, with locale and role
    procedure_id VARCHAR NOT NULL,
    locale VARCHAR NOT NULL,              -- empty: the console's or the document's
    role VARCHAR NOT NULL,                -- empty: as its checks say, else the default account
    title VARCHAR NOT NULL,
    document VARCHAR NOT NULL,
    line INTEGER NOT NULL,
    reason VARCHAR NOT NULL,              -- `never`, `changed`, `failed`, `stale`, `asked`
    why VARCHAR NOT NULL,                 -- the reason in a sentence
    estimate_s DOUBLE NOT NULL,
    text_hash VARCHAR NOT NULL,           -- of the text that was carried out last, or is to be
    state VARCHAR NOT NULL,               -- `waiting`, `running`, `done`, `skipped`, `cancelled`
    attempts INTEGER NOT NULL,            -- how often it was begun
    deaths INTEGER NOT NULL,              -- how often the process died meanwhile
    note VARCHAR NOT NULL,                -- why it was skipped or given up
    run_id VARCHAR,                       -- where its verdict is, when it is done
    changed_at TIMESTAMP NOT NULL
);
