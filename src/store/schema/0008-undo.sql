-- Step 8 of the schema: withdrawals can be taken back, and the log of corrections names filings.
--
-- An entry without a trade is about a filing as a whole. SQLite cannot change a CHECK, so the log is
-- copied into a new table; entries keep their numbers.

CREATE TABLE correction_before AS SELECT * FROM correction;

DROP TABLE correction;

CREATE TABLE correction (
    no {id},
    kind {text} NOT NULL CHECK ({one_of kind field withdrawn reinstated backfill}),
    trade_id {text},
    filing_id {text},
    at {int} NOT NULL,
    field {text},
    old_value {text},
    new_value {text},
    reason {text},
    by_email {text} NOT NULL,
    range_start {int},
    range_end {int},
    entries {int},
    CHECK (trade_id IS NULL OR filing_id IS NOT NULL)
) {strict};

INSERT INTO correction (no, kind, trade_id, filing_id, at, field, old_value, new_value, reason,
    by_email, range_start, range_end, entries)
    SELECT no, kind, trade_id, substr(trade_id, 1, length(trade_id) - 5), at, field, old_value,
    new_value, reason, by_email, range_start, range_end, entries FROM correction_before ORDER BY no;

DROP TABLE correction_before;

{next_number correction};

CREATE INDEX correction_trade ON correction (trade_id);
CREATE INDEX correction_at ON correction (at, no);
CREATE INDEX correction_filing ON correction (filing_id);

-- The filings that a member no longer has, and their trades: the former member's id and slug.

CREATE INDEX correction_filer_id ON correction (old_value) WHERE field = 'politicianId';
CREATE INDEX correction_filer_slug ON correction (old_value) WHERE field = 'politician.slug';

{append_only correction};

CREATE INDEX filing_member ON filing (member_no);

-- Whether a trade was withdrawn together with its filing. Reinstating the filing brings back these.

ALTER TABLE trade ADD COLUMN withdrawn_with_filing {int} NOT NULL DEFAULT 0
    CHECK (withdrawn_with_filing BETWEEN 0 AND 1);

UPDATE trade SET withdrawn_with_filing = 1 WHERE withdrawn_at IS NOT NULL AND EXISTS (SELECT 1
    FROM filing f WHERE f.no = trade.filing_no AND f.state = 'withdrawn'
    AND f.withdrawn_at = trade.withdrawn_at AND f.reason = trade.withdrawn_reason);
