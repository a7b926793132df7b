-- Step 23 of the schema: the reviewers' queue sorts drafts by what their rows and checks say.

-- Counts of a draft, kept by store/desk/draft_tally.c: rows that are not removed, those of them with a
-- doubt or held, failed checks, the earliest day on which a report of one of the trades was due, and
-- whether the draft is clean: read from its document, with every check passed, no doubt about any
-- row, nothing missing, and no earlier report to compare it with.

ALTER TABLE draft ADD COLUMN row_count {int} NOT NULL DEFAULT 0;

ALTER TABLE draft ADD COLUMN doubt_count {int} NOT NULL DEFAULT 0;

ALTER TABLE draft ADD COLUMN failed_count {int} NOT NULL DEFAULT 0;

ALTER TABLE draft ADD COLUMN due_day {int};

ALTER TABLE draft ADD COLUMN clean {int} NOT NULL DEFAULT 0;

UPDATE draft SET
    row_count = (SELECT count(*) FROM draft_row r
        WHERE r.draft_no = draft.no AND r.removed_at IS NULL),
    doubt_count = (SELECT count(*) FROM draft_row r
        WHERE r.draft_no = draft.no AND r.removed_at IS NULL
        AND (r.doubts <> '[]' OR r.held IS NOT NULL)),
    failed_count = (length(checks) - length(replace(checks, '"passed":false', ''))) / 14,
    due_day = (SELECT min(CASE
            WHEN r.trade_day IS NULL THEN r.notified_day + 30
            WHEN r.notified_day IS NULL OR r.notified_day < r.trade_day
                OR r.notified_day + 30 > r.trade_day + 45 THEN r.trade_day + 45
            ELSE r.notified_day + 30 END)
        FROM draft_row r WHERE r.draft_no = draft.no AND r.removed_at IS NULL);

UPDATE draft SET clean = 1
    WHERE manual = 0 AND row_count > 0 AND doubt_count = 0 AND failed_count = 0
    AND reason IS NULL AND amends IS NULL AND coalesce(amendment, 0) = 0
    AND member_no IS NOT NULL AND filed_at IS NOT NULL AND url IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM draft_row r WHERE r.draft_no = draft.no
        AND (r.status <> 'new' OR r.removed_at IS NOT NULL));
