-- Which tiers of the cascade were tried, what the audit log had, and verdicts that may be settled
-- anew. Times are UTC.

ALTER TABLE procedures ADD COLUMN tiers STRUCT(
    policy VARCHAR,                       -- `replay`, `literal`, `model`
    verdict VARCHAR,                      -- what it alone would say
    attempts INTEGER,
    cost STRUCT(wall_s DOUBLE, browser_s DOUBLE, model_s DOUBLE, model_calls BIGINT,
        tokens BIGINT, resource_cost DOUBLE),
    why VARCHAR                           -- why it did not decide; empty: it did
)[] DEFAULT [];
ALTER TABLE procedures ADD COLUMN audit STRUCT(sha256 VARCHAR, media_type VARCHAR, size BIGINT);
ALTER TABLE procedures ADD COLUMN pending_until TIMESTAMP;  -- NULL: the verdict stands
