-- How the divergence of a finding was seen, and whether it counts; what a model said of claims.

ALTER TABLE findings ADD COLUMN basis VARCHAR DEFAULT '';      -- core.verdict.Basis; empty: not kept
ALTER TABLE findings ADD COLUMN is_sure BOOLEAN DEFAULT true;  -- its confidence reached the threshold
ALTER TABLE procedures ADD COLUMN claims.element.quote VARCHAR;
UPDATE procedures SET claims = list_transform(claims, lambda c: struct_update(c, quote := ''));

CREATE TABLE claim_answers (
    key VARCHAR PRIMARY KEY,              -- of claim, page, model and way of asking
    said VARCHAR NOT NULL,                -- verification.asking.AnswerWord
    quote VARCHAR NOT NULL,               -- words of the page; empty: it could not be told
    answered_at TIMESTAMP NOT NULL
);
