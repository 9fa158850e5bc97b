-- What is done by the clock, and what receivers of webhooks are told. Times are UTC. No primary
-- keys, as in 0003.

CREATE TABLE schedules (                  -- those that were added or changed while it ran
    name VARCHAR NOT NULL,
    settings JSON NOT NULL,               -- as under `schedules` in the settings
    changed_at TIMESTAMP NOT NULL,
    changed_by VARCHAR NOT NULL
);

CREATE TABLE schedule_marks (             -- all in force, wherever they come from
    name VARCHAR NOT NULL,
    settings JSON NOT NULL,
    since TIMESTAMP NOT NULL              -- no time before this was missed
);

CREATE TABLE schedule_runs (
    id VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    job VARCHAR NOT NULL,
    requested_by VARCHAR NOT NULL,        -- `clock`, `catch-up`, or who asked
    started_at TIMESTAMP NOT NULL,
    ended_at TIMESTAMP,                   -- NULL: under way, or its process died
    outcome VARCHAR NOT NULL,             -- `running`, `done`, `skipped`, `failed`, `stopped`, `died`
    why VARCHAR NOT NULL
);

CREATE TABLE webhook_deliveries (
    id VARCHAR NOT NULL,                  -- of the message: the same at every attempt
    hook VARCHAR NOT NULL,
    event VARCHAR NOT NULL,               -- `sweep.finished` and the others
    subject VARCHAR NOT NULL,             -- id of the run, finding or account that it is about
    body VARCHAR NOT NULL,                -- as it is signed and sent
    state VARCHAR NOT NULL,               -- `waiting`, `delivered`, `dead`
    attempts INTEGER NOT NULL,
    created_at TIMESTAMP NOT NULL,
    next_at TIMESTAMP,                    -- NULL: it is over
    tried_at TIMESTAMP,
    status INTEGER,                       -- HTTP status of the last answer
    why VARCHAR NOT NULL                  -- what was wrong the last time
);

CREATE TABLE webhook_stops (              -- receivers that said 410
    hook VARCHAR NOT NULL,
    address_hash VARCHAR NOT NULL,        -- another address in the settings starts it again
    stopped_at TIMESTAMP NOT NULL
);
