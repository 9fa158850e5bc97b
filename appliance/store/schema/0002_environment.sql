-- Accounts, leases, attempts with what they made, and what the resource coder proposes. Times are
-- UTC. No primary keys: DuckDB checks them against rows that the same transaction has deleted.

CREATE TABLE account_states (
    console VARCHAR NOT NULL,
    account VARCHAR NOT NULL,
    quarantined_at TIMESTAMP,             -- NULL: may be leased
    quarantine_reason VARCHAR NOT NULL,
    quarantined_by VARCHAR NOT NULL,      -- `clean-up`, `health`, or who did it by hand
    checked_at TIMESTAMP,                 -- of the last health check
    health JSON,                          -- what it said
    last_leased_at TIMESTAMP              -- rotation: the one that rested longest goes first
);

CREATE TABLE leases (
    id VARCHAR NOT NULL,
    console VARCHAR NOT NULL,
    account VARCHAR NOT NULL,
    holder VARCHAR NOT NULL,              -- what it is for: `RUN/PROCEDURE`, `health check`
    taken_at TIMESTAMP NOT NULL,
    heartbeat_at TIMESTAMP NOT NULL,
    expires_at TIMESTAMP NOT NULL
);

CREATE TABLE attempts (
    id VARCHAR NOT NULL,                  -- names the folder of its Terraform state as well
    run_id VARCHAR NOT NULL,
    procedure_id VARCHAR NOT NULL,        -- empty: resources applied by hand or ahead of a sweep
    number INTEGER NOT NULL,
    console VARCHAR NOT NULL,
    account VARCHAR NOT NULL,
    "unique" VARCHAR NOT NULL,            -- the marker in names of what is made for it
    phase VARCHAR NOT NULL,               -- core.resources.Phase
    since TIMESTAMP NOT NULL,             -- what is younger was made by it, or for it
    baseline JSON,                        -- what the account held before; NULL: cannot be told
    problem VARCHAR NOT NULL,             -- why the clean-up is not complete; empty: it is
    expires_at TIMESTAMP NOT NULL,        -- time to live of what was made for it
    started_at TIMESTAMP NOT NULL,
    ended_at TIMESTAMP,                   -- NULL: under way, or killed
    ends_with_run BOOLEAN NOT NULL        -- the console was started for the run, and is gone
);

CREATE TABLE receipts (
    attempt_id VARCHAR NOT NULL,
    "at" TIMESTAMP NOT NULL,
    deed VARCHAR NOT NULL,                -- core.resources.Deed
    kind VARCHAR NOT NULL,
    id VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    why VARCHAR NOT NULL                  -- of a failure
);

CREATE TABLE shared_resources (
    key VARCHAR NOT NULL,                 -- of console, account, module and its arguments
    attempt_id VARCHAR NOT NULL,          -- that it was made in, as if it were one
    users VARCHAR[] NOT NULL,             -- ids of attempts that use it now
    outputs JSON NOT NULL
);

CREATE TABLE candidate_modules (
    id VARCHAR NOT NULL,
    console VARCHAR NOT NULL,
    request VARCHAR NOT NULL,             -- what was asked for, in words
    hcl VARCHAR NOT NULL,
    report JSON NOT NULL,                 -- environment.coder: repairs, plan, cost, outputs
    state VARCHAR NOT NULL,               -- `proposed`, `accepted`, `rejected`
    made_at TIMESTAMP NOT NULL,
    decided_at TIMESTAMP,
    decided_by VARCHAR NOT NULL,
    note VARCHAR NOT NULL
);
