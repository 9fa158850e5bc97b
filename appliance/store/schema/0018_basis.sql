-- How the divergence of a finding was seen; empty: older, not kept.

ALTER TABLE findings ADD COLUMN basis VARCHAR DEFAULT '';  -- core.verdict.Basis
