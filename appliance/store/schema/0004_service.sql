-- What the service shows: who asked for a run, the last verdict on each procedure, and findings as
-- incidents. All but the log follows from the results; it is kept beside them, in the transaction
-- that keeps a verdict, so that no page has to go through every verdict there ever was.

ALTER TABLE sweeps ADD COLUMN kind VARCHAR DEFAULT 'sweep';      -- or `verification`
ALTER TABLE sweeps ADD COLUMN requested_by VARCHAR DEFAULT '';   -- empty: the command line
ALTER TABLE sweep_items ADD COLUMN region VARCHAR DEFAULT '';    -- empty: the console's
ALTER TABLE procedures ADD COLUMN cost.resource_cost DOUBLE;
UPDATE procedures SET cost = struct_update(cost, resource_cost := 0.0);

CREATE TABLE procedure_states (
    console VARCHAR NOT NULL,
    id VARCHAR NOT NULL,                  -- of the result
    title VARCHAR NOT NULL,
    document VARCHAR NOT NULL,
    line INTEGER NOT NULL,
    verdict VARCHAR NOT NULL,
    verdict_at TIMESTAMP NOT NULL,
    run_id VARCHAR NOT NULL,
    findings INTEGER NOT NULL,
    cost_s DOUBLE NOT NULL
);

CREATE TABLE incidents (
    id VARCHAR NOT NULL,                  -- 12 hex digits of the SHA-256 of console NUL fingerprint
    console VARCHAR NOT NULL,
    fingerprint VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    severity VARCHAR NOT NULL,
    confidence DOUBLE NOT NULL,
    state VARCHAR NOT NULL,               -- `open`, `confirmed`, `rejected`, `accepted`, `closed`
    quote VARCHAR NOT NULL,
    shown VARCHAR NOT NULL,
    suggestion VARCHAR,
    document VARCHAR NOT NULL,
    line INTEGER NOT NULL,
    places INTEGER NOT NULL,
    first_seen_at TIMESTAMP NOT NULL,
    last_seen_at TIMESTAMP NOT NULL,
    closed_at TIMESTAMP,
    assignee VARCHAR NOT NULL,            -- empty: nobody
    accepted_until TIMESTAMP,
    run_id VARCHAR NOT NULL,              -- of the finding that was seen last
    procedure_id VARCHAR NOT NULL,
    finding_id VARCHAR NOT NULL
);

CREATE TABLE incident_places (
    incident_id VARCHAR NOT NULL,
    console VARCHAR NOT NULL,
    procedure_id VARCHAR NOT NULL,
    procedure_title VARCHAR NOT NULL,
    document VARCHAR NOT NULL,
    line INTEGER NOT NULL,
    "column" INTEGER NOT NULL,
    quote VARCHAR NOT NULL,
    step VARCHAR NOT NULL,
    run_id VARCHAR NOT NULL,
    finding_id VARCHAR NOT NULL,
    seen_at TIMESTAMP NOT NULL
);

CREATE TABLE incident_log (
    incident_id VARCHAR NOT NULL,
    console VARCHAR NOT NULL,
    "at" TIMESTAMP NOT NULL,
    "by" VARCHAR NOT NULL,                -- empty: the appliance itself
    action VARCHAR NOT NULL,              -- what a person did, `opened`, `closed`, `reopened`, …
    comment VARCHAR NOT NULL
);

-- From the results of an earlier appliance. A verdict that taught nothing and shows nothing is
-- passed over: what was shown before it still stands.

INSERT INTO procedure_states BY NAME
SELECT r.console, p.id, p.title, p.document, p.line, p.verdict, p.saved_at AS verdict_at, p.run_id,
    coalesce(f.findings, 0) AS findings, p.cost.wall_s AS cost_s
FROM procedures p JOIN runs r ON r.id = p.run_id
LEFT JOIN (SELECT run_id, procedure_id, count(*) AS findings FROM findings GROUP BY ALL) f
    ON f.run_id = p.run_id AND f.procedure_id = p.id
QUALIFY row_number() OVER (PARTITION BY r.console, p.id ORDER BY p.saved_at DESC, p.run_id DESC) = 1;

INSERT INTO incident_places BY NAME
WITH telling AS (
    SELECT r.console, p.run_id, p.id, p.title, p.saved_at
    FROM procedures p JOIN runs r ON r.id = p.run_id
    WHERE p.verdict IN ('verified', 'drifted', 'broken') OR EXISTS (
        SELECT 1 FROM findings f WHERE f.run_id = p.run_id AND f.procedure_id = p.id)
    QUALIFY row_number() OVER (PARTITION BY r.console, p.id ORDER BY p.saved_at DESC, p.run_id DESC)
        = 1
)
SELECT substr(sha256(t.console || chr(0) || f.fingerprint), 1, 12) AS incident_id, t.console,
    f.procedure_id, t.title AS procedure_title, f.document, f.line, f."column", f.quote, f.step,
    f.run_id, f.id AS finding_id, t.saved_at AS seen_at
FROM findings f JOIN telling t ON t.run_id = f.run_id AND t.id = f.procedure_id;

INSERT INTO incidents BY NAME
WITH shown AS (
    SELECT substr(sha256(r.console || chr(0) || f.fingerprint), 1, 12) AS incident, r.console,
        p.saved_at, f.*
    FROM findings f JOIN runs r ON r.id = f.run_id
    JOIN procedures p ON p.run_id = f.run_id AND p.id = f.procedure_id
), since AS (
    SELECT s.incident, max(n.verdict_at) AS verified_at
    FROM shown s JOIN procedure_states n ON n.console = s.console AND n.id = s.procedure_id
    GROUP BY s.incident
), here AS (SELECT incident_id, count(*) AS places FROM incident_places GROUP BY incident_id),
seen AS (SELECT incident, min(saved_at) AS first_seen_at FROM shown GROUP BY incident)
SELECT s.incident AS id, s.console, s.fingerprint, s.kind, s.severity, s.confidence,
    CASE WHEN here.places IS NULL THEN 'closed' ELSE 'open' END AS state,
    s.quote, s.shown, s.suggestion, s.document, s.line, coalesce(here.places, 0) AS places,
    seen.first_seen_at, s.saved_at AS last_seen_at,
    CASE WHEN here.places IS NULL THEN since.verified_at END AS closed_at,
    '' AS assignee, NULL AS accepted_until, s.run_id, s.procedure_id, s.id AS finding_id
FROM shown s JOIN seen ON seen.incident = s.incident
LEFT JOIN since ON since.incident = s.incident LEFT JOIN here ON here.incident_id = s.incident
QUALIFY row_number() OVER (
    PARTITION BY s.incident ORDER BY s.saved_at DESC, s.run_id DESC, s.document, s.line, s.id) = 1;

INSERT INTO incident_log
SELECT id, console, first_seen_at, '', 'opened', '' FROM incidents
UNION ALL SELECT id, console, closed_at, '', 'closed', '' FROM incidents WHERE state = 'closed';
