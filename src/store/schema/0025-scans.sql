-- Step 25 of the schema: scans are read by their form (docs/adr/0031-scans-by-form.md).

-- Where a row stands on its page, upright and straight, in ten-thousandths, and how each of its cells
-- was read (JSON, paper/cell/cell_source.h). Null: the row is not of a scanned page.

ALTER TABLE draft_row ADD COLUMN place_left {int};
ALTER TABLE draft_row ADD COLUMN place_top {int};
ALTER TABLE draft_row ADD COLUMN place_width {int};
ALTER TABLE draft_row ADD COLUMN place_height {int};
ALTER TABLE draft_row ADD COLUMN sources {text};

-- The pages of one version of a scan: degrees clockwise that make it upright, hundredths of a degree
-- that then make it straight, the form that was recognised, and why it was not read, or not in full.

CREATE TABLE document_page (
    version_no {int} NOT NULL REFERENCES document_version (no),
    page {int} NOT NULL CHECK (page BETWEEN 1 AND 9999),
    turn {int} NOT NULL CHECK (turn IN (0, 90, 180, 270)),
    skew {int} NOT NULL,
    form {text},
    reason {text},
    PRIMARY KEY (version_no, page)
) {strict};
