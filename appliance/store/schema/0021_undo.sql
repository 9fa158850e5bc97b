-- How an incident was before somebody said something of it, and whether that was taken back since.

ALTER TABLE incident_log ADD COLUMN was STRUCT(
    state VARCHAR, assignee VARCHAR, accepted_until TIMESTAMP, closed_at TIMESTAMP
);                                                                  -- NULL: nothing to go back to
ALTER TABLE incident_log ADD COLUMN is_undone BOOLEAN DEFAULT false;
