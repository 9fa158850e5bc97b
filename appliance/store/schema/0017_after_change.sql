-- Whether the procedure was verified with a finding's suggestion in its text; empty: not tried.

ALTER TABLE findings ADD COLUMN after_change VARCHAR DEFAULT '';  -- core.verdict.AfterChange
