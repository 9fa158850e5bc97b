-- What people were asked while an attempt waited. What they typed is never in here. Times are UTC.

CREATE TABLE questions (
    id VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,                -- `consent`, `take_over`
    run_id VARCHAR NOT NULL,
    procedure_id VARCHAR NOT NULL,
    step VARCHAR NOT NULL,                -- the documented step
    text VARCHAR NOT NULL,
    url VARCHAR NOT NULL,                 -- of the page, without its query
    picture STRUCT(sha256 VARCHAR, media_type VARCHAR, size BIGINT),
    asked_at TIMESTAMP NOT NULL,
    expires_at TIMESTAMP NOT NULL,
    state VARCHAR NOT NULL,               -- `open`, `answered`, `expired`, `withdrawn`
    settled_at TIMESTAMP,                 -- NULL: open
    answered_by VARCHAR NOT NULL,
    reply VARCHAR                         -- `allow`, `refuse`, `type`, `click`, `done`
);
