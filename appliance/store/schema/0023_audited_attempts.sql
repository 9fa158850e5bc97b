-- What the audit log alone said of a kept attempt: labels of an outcome model.

ALTER TABLE demonstrations ADD COLUMN audited BOOLEAN;  -- NULL: it said nothing
