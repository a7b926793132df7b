-- Step 26 of the schema: paper filings that two people type (docs/adr/0035-double-entry.md).

-- What the draft still needs from a second or a third person; null: nothing.

ALTER TABLE draft ADD COLUMN entry {text} CHECK (entry IN ('second', 'third', 'twice'));

-- A field as the second person typed it (null: the page does not state it), and how it compared with
-- the draft: both texts at the first comparison, the outcome, and the text that settled a difference.
-- The field `row` of a row is "yes" or "no": the page has it. The field `rows` of row 0 counts them.

CREATE TABLE second_entry (
    draft_no {int} NOT NULL REFERENCES draft (no),
    row_no {int} NOT NULL CHECK (row_no BETWEEN 0 AND 9999),
    field {text} NOT NULL,
    typed {text},
    typed_by {text},
    typed_at {int},
    first_text {text},
    second_text {text},
    outcome {text} CHECK (outcome IN ('agreed', 'differs', 'first', 'second', 'neither')),
    settled {text},
    decided_by {text},
    decided_at {int},
    PRIMARY KEY (draft_no, row_no, field)
) {strict};
