-- What attempts may have done that hurts when it is done twice: kept before it is done.

CREATE TABLE deeds (
    run_id VARCHAR NOT NULL,
    procedure_id VARCHAR NOT NULL,
    harm VARCHAR NOT NULL,                -- core.harm.Harm
    control VARCHAR NOT NULL,             -- what was clicked, in words
    things VARCHAR[] NOT NULL             -- names of what it was done to
);
