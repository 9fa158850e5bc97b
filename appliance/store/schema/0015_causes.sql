-- What kind of thing blocked a procedure or left it undecided; `blocked_by` says it in words.

ALTER TABLE procedures ADD COLUMN cause VARCHAR;  -- core.causes.CauseKind; NULL: none, or older
