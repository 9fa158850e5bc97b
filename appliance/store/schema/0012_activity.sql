-- What people did, and who tried to come in. Rows are added only. Times are UTC.

CREATE TABLE activity (
    number BIGINT PRIMARY KEY,            -- from 1, without gaps
    happened_at TIMESTAMP NOT NULL,
    who VARCHAR NOT NULL,                 -- name of a key, `local`, or a user of the machine; '': nobody known
    key_id VARCHAR NOT NULL,              -- its public part; '': none
    role VARCHAR NOT NULL,                -- '': none
    way VARCHAR NOT NULL,                 -- rest, dashboard, command
    address VARCHAR NOT NULL,             -- of the client; '': a command of this machine
    deed VARCHAR NOT NULL,
    object VARCHAR NOT NULL,              -- what it was done to
    outcome VARCHAR NOT NULL,             -- done, failed, refused
    detail VARCHAR NOT NULL,
    hash VARCHAR NOT NULL                 -- of the row and of the hash before it
);
