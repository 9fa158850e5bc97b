-- Verified attempts that are done again without a reader. Times are UTC.

CREATE TABLE recipes (
    console VARCHAR NOT NULL,
    procedure_id VARCHAR NOT NULL,
    text_hash VARCHAR NOT NULL,           -- of the procedure, its checks included
    locale VARCHAR NOT NULL,              -- language of the console
    region VARCHAR NOT NULL,              -- of the account
    recipe VARCHAR NOT NULL,              -- JSON, as policy.replay writes it
    made_at TIMESTAMP NOT NULL
);
