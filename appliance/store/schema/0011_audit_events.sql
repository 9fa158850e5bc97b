-- Audit events that a console's backend has posted. Times are UTC.

CREATE TABLE audit_events (
    console VARCHAR NOT NULL,
    id VARCHAR NOT NULL,                  -- of the event: it is kept once, however often it comes
    event_at TIMESTAMP NOT NULL,          -- by the backend's clock
    received_at TIMESTAMP NOT NULL,       -- by ours
    event JSON NOT NULL,
    PRIMARY KEY (console, id)
);
