-- Step 30 of the schema: what a batch keeps of the looks at its drafts, and drafts that were read once.

-- Who found a drawn draft right: its acceptance or return does not replace that. `history_no`: the
-- draft's last line in the history when it was added.

ALTER TABLE review_batch_draft ADD COLUMN looked_by {text};

ALTER TABLE review_batch_draft ADD COLUMN history_no {int} NOT NULL DEFAULT 0;

UPDATE review_batch_draft SET
    looked_by = CASE WHEN drawn = 1 AND outcome = 'right' THEN by_email END,
    history_no = (SELECT coalesce(max(h.no), 0) FROM draft_history h, review_batch b
        WHERE h.draft_no = review_batch_draft.draft_no AND b.no = review_batch_draft.batch_no
        AND h.at < b.started_at);

-- A draft whose document was not read twice is not clean.

UPDATE draft SET clean = 0
    WHERE clean = 1 AND document_version_no IS NOT NULL AND checks NOT LIKE '%"second_reading"%';
