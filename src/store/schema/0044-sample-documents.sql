-- Step 44 of the schema: documents that were drawn at random to have their rows counted
-- (docs/adr/0036-sample.md), usable from 36.

-- Documents of a group that could be drawn; null: the draw was before this step.

ALTER TABLE sample_stratum ADD COLUMN documents {int};

-- A drawn document, and how many of its rows were known then.

CREATE TABLE sample_document (
    no {id},
    draw_no {int} NOT NULL REFERENCES sample_draw (no),
    filing_id {text} NOT NULL,
    chamber {text} NOT NULL CHECK ({one_of chamber house senate}),
    kind {text} NOT NULL CHECK ({one_of kind electronic paper}),
    drawn_at {int} NOT NULL,
    known {int} NOT NULL
) {strict};

CREATE INDEX sample_document_filing ON sample_document (filing_id);

{append_only sample_document};

-- A count by a person: the first is blind. One that ends the document has a month; without rows,
-- the document was skipped.

CREATE TABLE sample_count (
    no {id},
    document_no {int} NOT NULL REFERENCES sample_document (no),
    ends {int} NOT NULL CHECK (ends BETWEEN 0 AND 1),
    at {int} NOT NULL,
    by_email {text} NOT NULL,
    counted {int} CHECK (counted >= 0),
    month {int},
    reason {text},
    CHECK ((ends = 1) = (month IS NOT NULL)),
    CHECK ((counted IS NULL) = (reason IS NOT NULL)),
    CHECK (ends = 1 OR counted IS NOT NULL),
    UNIQUE (document_no, ends)
) {strict};

CREATE INDEX sample_count_month ON sample_count (month);

{append_only sample_count};
