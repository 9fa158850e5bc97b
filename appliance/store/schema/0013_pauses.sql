-- Why a sweep is paused: what it is paused for by itself, it goes on from by itself. Times are UTC.

ALTER TABLE sweeps ADD COLUMN paused_for VARCHAR;    -- `by_hand`, `disk_full`, `console_down`; NULL: it is not, or by hand
ALTER TABLE sweeps ADD COLUMN paused_at TIMESTAMP;   -- since when; NULL: it is not
