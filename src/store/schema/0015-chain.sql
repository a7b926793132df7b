-- Step 15 of the schema: a chain over publications (docs/adr/0022-chain-over-publications.md).
--
-- `digest` covers the columns of a published row. A trade has two: `source_digest` covers its
-- position in the document and the cells as printed, and `digest` covers the rest and
-- source_digest, so that a server loads its trades without reading the cells.

ALTER TABLE trade ADD COLUMN source_digest {blob};
ALTER TABLE trade ADD COLUMN digest {blob};
ALTER TABLE filing ADD COLUMN digest {blob};

-- One entry for each publication, each later change of a published row, and each correction. `hash`
-- covers the other columns and the hash of the entry before. `before` is the row's previous digest.
-- `row_no` is the number of the row in the table that `noun` names; `damage` is about a trade and
-- `filing_damage` about a filing that was found different from its digest before it was withdrawn.

CREATE TABLE chain (
    no {int} PRIMARY KEY,
    noun {text} NOT NULL CHECK ({one_of noun publication trade filing correction damage
        filing_damage}),
    row_no {int} NOT NULL,
    before {blob},
    digest {blob} NOT NULL,
    hash {blob} NOT NULL
) {strict};

CREATE INDEX chain_row ON chain (row_no, noun, no);

{append_only chain};

INSERT INTO counter (name, value) VALUES ('chain', 0);

-- db/migrate_chain.c fills the columns and the chain from the rows as they are.
