-- Step 38 of the schema: indexes of the few drafts and rows that may repeat an earlier report
-- (store/public/trade_report.c), which are amendments, rows marked as amended and rows that name the trade
-- of another filing, usable from 36.

DROP INDEX {online} IF EXISTS draft_amendment;

CREATE INDEX {online} draft_amendment ON draft (filing_id) WHERE amendment > 0;

DROP INDEX {online} IF EXISTS draft_row_marked;

CREATE INDEX {online} draft_row_marked ON draft_row (draft_no, position) WHERE status <> 'new';

DROP INDEX {online} IF EXISTS draft_row_linked;

CREATE INDEX {online} draft_row_linked ON draft_row (trade_id) WHERE trade_id IS NOT NULL;
