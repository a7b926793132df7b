-- Step 36 of the schema: an index for each order of the reviewers' queue, of the drafts that wait
-- (store/desk/draft_queue.c), and one with all that the queue counts; usable from 34.

DROP INDEX {online} IF EXISTS queue_filed;

CREATE INDEX {online} queue_filed ON draft (coalesce(filed_at, 0), filing_id)
    WHERE state <> 'accepted' AND state <> 'rejected' AND state <> 'published'
    AND state <> 'amended' AND state <> 'superseded';

DROP INDEX {online} IF EXISTS queue_newest;

CREATE INDEX {online} queue_newest ON draft ((-coalesce(filed_at, 0)), filing_id)
    WHERE state <> 'accepted' AND state <> 'rejected' AND state <> 'published'
    AND state <> 'amended' AND state <> 'superseded';

DROP INDEX {online} IF EXISTS queue_due;

CREATE INDEX {online} queue_due ON draft (coalesce(due_day, 9999999), filing_id)
    WHERE state <> 'accepted' AND state <> 'rejected' AND state <> 'published'
    AND state <> 'amended' AND state <> 'superseded';

DROP INDEX {online} IF EXISTS queue_due_blind;

CREATE INDEX {online} queue_due_blind ON draft (
    (CASE WHEN manual = 1 THEN 9999999 ELSE coalesce(due_day, 9999999) END), filing_id)
    WHERE state <> 'accepted' AND state <> 'rejected' AND state <> 'published'
    AND state <> 'amended' AND state <> 'superseded';

DROP INDEX {online} IF EXISTS queue_clean;

CREATE INDEX {online} queue_clean ON draft (
    (((1 - clean) * 2 + manual) * 1000000000000000000 + failed_count * 10000000000000000
    + doubt_count * 1000000000000
    + CASE WHEN coalesce(amendment, 0) > 0 THEN 100000000000 ELSE 0 END
    + row_count * 10000000 + coalesce(filed_at, 0) / 86400000), filing_id)
    WHERE state <> 'accepted' AND state <> 'rejected' AND state <> 'published'
    AND state <> 'amended' AND state <> 'superseded';

DROP INDEX {online} IF EXISTS queue_clean_blind;

CREATE INDEX {online} queue_clean_blind ON draft (
    (((1 - clean) * 2 + manual) * 1000000000000000000 + failed_count * 10000000000000000
    + (1 - manual) * doubt_count * 1000000000000
    + CASE WHEN coalesce(amendment, 0) > 0 THEN 100000000000 ELSE 0 END
    + (1 - manual) * row_count * 10000000 + coalesce(filed_at, 0) / 86400000), filing_id)
    WHERE state <> 'accepted' AND state <> 'rejected' AND state <> 'published'
    AND state <> 'amended' AND state <> 'superseded';

DROP INDEX {online} IF EXISTS queue_doubts;

CREATE INDEX {online} queue_doubts ON draft ((-doubt_count), filing_id)
    WHERE state <> 'accepted' AND state <> 'rejected' AND state <> 'published'
    AND state <> 'amended' AND state <> 'superseded';

DROP INDEX {online} IF EXISTS queue_doubts_blind;

CREATE INDEX {online} queue_doubts_blind ON draft ((-(1 - manual) * doubt_count), filing_id)
    WHERE state <> 'accepted' AND state <> 'rejected' AND state <> 'published'
    AND state <> 'amended' AND state <> 'superseded';

DROP INDEX {online} IF EXISTS queue_checks;

CREATE INDEX {online} queue_checks ON draft ((-failed_count), filing_id)
    WHERE state <> 'accepted' AND state <> 'rejected' AND state <> 'published'
    AND state <> 'amended' AND state <> 'superseded';

DROP INDEX {online} IF EXISTS queue_rows;

CREATE INDEX {online} queue_rows ON draft ((-row_count), filing_id)
    WHERE state <> 'accepted' AND state <> 'rejected' AND state <> 'published'
    AND state <> 'amended' AND state <> 'superseded';

DROP INDEX {online} IF EXISTS queue_rows_blind;

CREATE INDEX {online} queue_rows_blind ON draft ((-(1 - manual) * row_count), filing_id)
    WHERE state <> 'accepted' AND state <> 'rejected' AND state <> 'published'
    AND state <> 'amended' AND state <> 'superseded';

DROP INDEX {online} IF EXISTS queue_counted;

CREATE INDEX {online} queue_counted ON draft (
    clean, manual, state, claimed_until, created_at, due_day)
    WHERE state <> 'accepted' AND state <> 'rejected' AND state <> 'published'
    AND state <> 'amended' AND state <> 'superseded';
