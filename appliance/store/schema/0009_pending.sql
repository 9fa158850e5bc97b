-- Verdicts that a late audit log may still change, and what was said before it did. Times are UTC.

CREATE TABLE pending (
    run_id VARCHAR NOT NULL,
    procedure_id VARCHAR NOT NULL,
    console VARCHAR NOT NULL,
    account VARCHAR NOT NULL,             -- whose events they are
    began_at TIMESTAMP NOT NULL,          -- nothing of the attempt is older
    ended_at TIMESTAMP NOT NULL,          -- nothing of the attempt is newer
    deadline TIMESTAMP NOT NULL,          -- from then on what is not there will not come
    checks JSON NOT NULL,                 -- the rules
    bindings JSON NOT NULL,               -- the values that they speak of
    if_reached JSON NOT NULL,             -- the result that it becomes, in result.json's shape
    if_not JSON NOT NULL
);

CREATE TABLE verdict_history (
    run_id VARCHAR NOT NULL,
    procedure_id VARCHAR NOT NULL,
    verdict VARCHAR NOT NULL,             -- that was said
    because VARCHAR,
    said_at TIMESTAMP NOT NULL,
    changed_at TIMESTAMP NOT NULL,        -- since when another is said
    why VARCHAR NOT NULL                  -- what changed it
);
