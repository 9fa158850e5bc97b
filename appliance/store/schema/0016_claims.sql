-- What the text says, claim by claim, and what was seen of it; NULL: older, not told apart.

ALTER TABLE procedures ADD COLUMN claims STRUCT(
    kind VARCHAR,        -- core.claims.ClaimKind
    status VARCHAR,      -- core.claims.ClaimStatus
    text VARCHAR,
    line INTEGER,
    "column" INTEGER,
    end_line INTEGER,
    end_column INTEGER,
    step VARCHAR,
    reason VARCHAR
)[];
