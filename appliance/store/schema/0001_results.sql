-- Runs and what they found. Times are UTC. Artifacts are named by hash and live in the folder beside.

CREATE TABLE runs (
    id VARCHAR PRIMARY KEY,
    schema_version INTEGER NOT NULL,      -- of the result, not of this store
    appliance_version VARCHAR NOT NULL,
    build_commit VARCHAR NOT NULL,
    console VARCHAR NOT NULL,
    policy VARCHAR NOT NULL,
    planned INTEGER NOT NULL,             -- procedures that were to be verified
    started_at TIMESTAMP NOT NULL,
    ended_at TIMESTAMP,                   -- NULL: under way, or killed
    config JSON NOT NULL                  -- resolved settings, secrets masked
);

CREATE TABLE documents (
    run_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    path VARCHAR NOT NULL,
    revision VARCHAR NOT NULL             -- SHA-256 of the bytes
);

CREATE TABLE procedures (
    run_id VARCHAR NOT NULL,
    id VARCHAR NOT NULL,
    position INTEGER NOT NULL,            -- order of the report
    title VARCHAR NOT NULL,
    title_path VARCHAR[] NOT NULL,
    document VARCHAR NOT NULL,
    line INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    verdict VARCHAR NOT NULL,
    goal STRUCT(reached BOOLEAN, channels STRUCT(channel VARCHAR, reached BOOLEAN, reason VARCHAR)[])
        NOT NULL,
    path VARCHAR NOT NULL,
    decided_by VARCHAR NOT NULL,
    attempts INTEGER NOT NULL,
    cost STRUCT(wall_s DOUBLE, browser_s DOUBLE, model_s DOUBLE, model_calls BIGINT, tokens BIGINT)
        NOT NULL,
    blocked_by VARCHAR,
    prerequisites VARCHAR[] NOT NULL,
    trajectory STRUCT(sha256 VARCHAR, media_type VARCHAR, size BIGINT),
    saved_at TIMESTAMP NOT NULL
);

CREATE TABLE steps (
    run_id VARCHAR NOT NULL,
    procedure_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    "index" VARCHAR NOT NULL,             -- `3.2`
    line INTEGER NOT NULL,
    text VARCHAR NOT NULL,
    status VARCHAR NOT NULL,
    note VARCHAR NOT NULL,
    "before" STRUCT(sha256 VARCHAR, media_type VARCHAR, size BIGINT),
    "after" STRUCT(sha256 VARCHAR, media_type VARCHAR, size BIGINT)
);

CREATE TABLE findings (
    run_id VARCHAR NOT NULL,
    procedure_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    id VARCHAR NOT NULL,
    fingerprint VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    severity VARCHAR NOT NULL,
    confidence DOUBLE NOT NULL,
    document VARCHAR NOT NULL,
    line INTEGER NOT NULL,
    "column" INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    end_column INTEGER NOT NULL,
    quote VARCHAR NOT NULL,
    shown VARCHAR NOT NULL,
    suggestion VARCHAR,
    step VARCHAR NOT NULL
);

CREATE TABLE evidence (
    run_id VARCHAR NOT NULL,
    procedure_id VARCHAR NOT NULL,
    finding INTEGER NOT NULL,             -- position of the finding in its procedure
    position INTEGER NOT NULL,
    kind VARCHAR NOT NULL,
    caption VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    artifact STRUCT(sha256 VARCHAR, media_type VARCHAR, size BIGINT)
);
