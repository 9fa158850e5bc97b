-- Keys that end by themselves, and log-ins that an identity provider vouches for. Times are UTC.

ALTER TABLE api_keys ADD COLUMN expires_at TIMESTAMP;            -- NULL: when it is revoked
ALTER TABLE api_keys ADD COLUMN replaced_by VARCHAR DEFAULT '';  -- id of the key that it was rotated to

ALTER TABLE logins ADD COLUMN name VARCHAR DEFAULT '';           -- of the person; '': a key's
ALTER TABLE logins ADD COLUMN role VARCHAR;                      -- of the person; NULL: the key's

CREATE TABLE settings_in_force (
    path VARCHAR PRIMARY KEY,             -- `server.port`
    hash VARCHAR NOT NULL                 -- SHA-256 of its value, when a server started last
);
