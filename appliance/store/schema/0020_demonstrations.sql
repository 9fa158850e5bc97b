-- Attempts with all that they saw, kept where `training.keep_attempts` is set, for training.

CREATE TABLE demonstrations (
    run_id VARCHAR NOT NULL,
    procedure_id VARCHAR NOT NULL,
    attempt INTEGER NOT NULL,             -- its number in the run
    console VARCHAR NOT NULL,
    release VARCHAR NOT NULL,             -- as the settings call it; empty: they do not
    document VARCHAR NOT NULL,
    policy VARCHAR NOT NULL,              -- core.verdict.PolicyName
    stop VARCHAR NOT NULL,                -- verification.trajectory.StopReason
    reached BOOLEAN,                      -- the goal; NULL: nobody can tell
    witnesses VARCHAR[] NOT NULL,         -- core.verdict.GoalChannel of those who say so
    artifact STRUCT(sha256 VARCHAR, media_type VARCHAR, size BIGINT) NOT NULL,
    kept_at TIMESTAMP NOT NULL
);
