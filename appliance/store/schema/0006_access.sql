-- Who may ask, and what was answered. No key and no token of a log-in is in here, only hashes of
-- them. Times are UTC.

CREATE TABLE api_keys (
    id VARCHAR NOT NULL,                  -- public part of the key
    name VARCHAR NOT NULL,
    role VARCHAR NOT NULL,                -- `viewer`, `operator`, `admin`
    hash VARCHAR NOT NULL,                -- argon2, of the whole key
    created_at TIMESTAMP NOT NULL,
    created_by VARCHAR NOT NULL,
    last_used_at TIMESTAMP,               -- to the minute; NULL: never
    revoked_at TIMESTAMP,                 -- NULL: it is good
    revoked_by VARCHAR NOT NULL
);

CREATE TABLE logins (
    token_hash VARCHAR NOT NULL,          -- SHA-256 of what the browser has in its cookie
    key_id VARCHAR NOT NULL,
    began_at TIMESTAMP NOT NULL,
    expires_at TIMESTAMP NOT NULL
);

CREATE TABLE answers (
    caller VARCHAR NOT NULL,
    idempotency_key VARCHAR NOT NULL,
    request_hash VARCHAR NOT NULL,        -- of method, address and body
    status INTEGER NOT NULL,
    headers JSON NOT NULL,                -- pairs
    body BLOB NOT NULL,
    answered_at TIMESTAMP NOT NULL
);
