-- How an incident was before somebody said something of it, and whether that was taken back since.

ALTER TABLE incident_log ADD COLUMN was JSON;   -- state, assignee, accepted_until, closed_at; NULL: nobody said it
ALTER TABLE incident_log ADD COLUMN is_undone BOOLEAN DEFAULT false;
