-- Step 5 of the schema: what conflict signals rest on, and every change of one
-- (docs/adr/0016-conflict-signal.md).

-- Committees as each version lists them, because names change and ids of subcommittees are given
-- again to others. Nothing could be imported before this step, so the tables are made anew.

DROP TABLE committee_seat;

DROP TABLE committee;

CREATE TABLE committee (
    no {id},
    id {text} NOT NULL UNIQUE,
    chamber {text} CHECK ({one_of chamber house senate})
) {strict};

CREATE TABLE committee_listed (
    version_no {int} NOT NULL REFERENCES committee_version (no),
    committee_no {int} NOT NULL REFERENCES committee (no),
    name {text} NOT NULL,
    parent_no {int} REFERENCES committee (no),
    PRIMARY KEY (version_no, committee_no)
) {strict};

-- A seat: the chamber its holder sat for (a joint committee has both), the side and the rank on it.

CREATE TABLE committee_seat (
    version_no {int} NOT NULL,
    committee_no {int} NOT NULL,
    member_no {int} NOT NULL REFERENCES member (no),
    role {text} NOT NULL CHECK ({one_of role chair ranking_member vice_chair member}),
    chamber {text} NOT NULL CHECK ({one_of chamber house senate}),
    side {text} CHECK ({one_of side majority minority}),
    rank {int},
    PRIMARY KEY (version_no, committee_no, member_no),
    FOREIGN KEY (version_no, committee_no) REFERENCES committee_listed (version_no, committee_no)
) {strict};

CREATE INDEX committee_seat_member ON committee_seat (member_no, version_no);

-- What the rule can find: a reason and its evidence, each kind once. Trades share them, so a change
-- of signal is a number in a narrow table and leaves the trade's own row alone.

CREATE TABLE finding (
    no {id},
    sha256 {blob} NOT NULL UNIQUE CHECK (length(sha256) = 32),
    reason {text} NOT NULL,
    evidence {text} NOT NULL,
    rule_version {text} NOT NULL,
    found_at {int} NOT NULL
) {strict};

CREATE TABLE trade_finding (
    trade_no {int} PRIMARY KEY REFERENCES trade (no),
    finding_no {int} NOT NULL REFERENCES finding (no)
) {strict};

CREATE TABLE finding_history (
    no {id},
    trade_no {int} NOT NULL REFERENCES trade (no),
    at {int} NOT NULL,
    old_no {int} REFERENCES finding (no),
    new_no {int} REFERENCES finding (no),
    CHECK (old_no IS NOT NULL OR new_no IS NOT NULL)
) {strict};

CREATE INDEX finding_history_trade ON finding_history (trade_no, no);

{append_only finding_history};

-- All that the rule needs of a trade, so that a sweep passes over a million without their rows.
-- withdrawn_at is among it because SQLite reads the row for a column that a query only compares.

CREATE INDEX trade_sweep ON trade (filing_no, no, asset_type, ticker, trade_day, withdrawn_at)
    WHERE withdrawn_at IS NULL;

ALTER TABLE trade DROP COLUMN conflict_reason;

ALTER TABLE trade DROP COLUMN conflict;
