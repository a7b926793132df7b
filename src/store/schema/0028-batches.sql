-- Step 28 of the schema: clean drafts that are accepted together (docs/adr/0033-triage-and-batches.md).

-- A batch: how many drafts it had, and how many of them were drawn at random to be looked at.

CREATE TABLE review_batch (
    no {id},
    state {text} NOT NULL CHECK ({one_of state open accepting accepted returned}),
    started_at {int} NOT NULL,
    started_by {text} NOT NULL,
    size {int} NOT NULL,
    sample {int} NOT NULL,
    ended_at {int},
    ended_by {text},
    reason {text}
) {strict};

-- Its drafts. `mark` is what a reviewer would have seen of the draft when the batch was started. An
-- accepted one has the instant of its draft's acceptance.

CREATE TABLE review_batch_draft (
    batch_no {int} NOT NULL REFERENCES review_batch (no),
    draft_no {int} NOT NULL REFERENCES draft (no),
    mark {text} NOT NULL,
    drawn {int} NOT NULL DEFAULT 0 CHECK (drawn BETWEEN 0 AND 1),
    outcome {text} NOT NULL
        CHECK ({one_of outcome waiting right fault left accepted returned}),
    at {int},
    by_email {text},
    reason {text},
    PRIMARY KEY (batch_no, draft_no)
) {strict};

-- No draft is in two open batches.

CREATE UNIQUE INDEX review_batch_draft_open ON review_batch_draft (draft_no)
    WHERE outcome IN ('waiting', 'right');

CREATE INDEX review_batch_draft_draft ON review_batch_draft (draft_no);

-- The batch with which the filing was accepted before its last publication; null: row by row, or as
-- bulk history.

ALTER TABLE filing ADD COLUMN batch_no {int} REFERENCES review_batch (no);
