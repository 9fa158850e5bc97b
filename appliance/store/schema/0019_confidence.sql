-- How the divergence of a finding was seen, and whether it counts; what a model said of claims.

ALTER TABLE findings ADD COLUMN basis VARCHAR DEFAULT '';      -- core.verdict.Basis; empty: not kept
ALTER TABLE findings ADD COLUMN is_sure BOOLEAN DEFAULT true;  -- its confidence reached the threshold

-- A field more, in a column of its own: `ADD COLUMN claims.element.quote` leaves an expression in the
-- write-ahead log that DuckDB cannot read again after a crash.
ALTER TABLE procedures RENAME COLUMN claims TO claims_before;
ALTER TABLE procedures ADD COLUMN claims STRUCT(
    kind VARCHAR,        -- core.claims.ClaimKind
    status VARCHAR,      -- core.claims.ClaimStatus
    text VARCHAR,
    line INTEGER,
    "column" INTEGER,
    end_line INTEGER,
    end_column INTEGER,
    step VARCHAR,
    reason VARCHAR,
    quote VARCHAR
)[];
UPDATE procedures
SET claims = list_transform(claims_before, lambda c: struct_insert(c, quote := ''));
ALTER TABLE procedures DROP COLUMN claims_before;

CREATE TABLE claim_answers (
    key VARCHAR PRIMARY KEY,              -- of claim, page, model and way of asking
    said VARCHAR NOT NULL,                -- verification.claim_questions.AnswerWord
    quote VARCHAR NOT NULL,               -- words of the page; empty: it could not be told
    answered_at TIMESTAMP NOT NULL
);
