-- Step 27 of the schema: a daily random sample of public trades that people type again
-- (docs/adr/0036-sample.md).

-- One draw a day, and the trades from which it was drawn: House or Senate, read from text or from
-- paper. `unstored` are public trades without a stored document, which cannot be checked.

CREATE TABLE sample_draw (
    no {id},
    day {int} NOT NULL UNIQUE,
    drawn_at {int} NOT NULL,
    seed {blob} NOT NULL
) {strict};

CREATE TABLE sample_stratum (
    draw_no {int} NOT NULL REFERENCES sample_draw (no),
    chamber {text} NOT NULL CHECK ({one_of chamber house senate}),
    kind {text} NOT NULL CHECK ({one_of kind electronic paper}),
    trades {int} NOT NULL,
    unstored {int} NOT NULL,
    drawn {int} NOT NULL,
    PRIMARY KEY (draw_no, chamber, kind)
) {strict};

-- A drawn trade. `month` is that of its end.

CREATE TABLE sample_row (
    no {id},
    draw_no {int} NOT NULL REFERENCES sample_draw (no),
    trade_id {text} NOT NULL,
    chamber {text} NOT NULL CHECK ({one_of chamber house senate}),
    kind {text} NOT NULL CHECK ({one_of kind electronic paper}),
    drawn_at {int} NOT NULL,
    state {text} NOT NULL CHECK ({one_of state open differs right wrong unreadable skipped expired}),
    entered_by {text},
    entered_at {int},
    judged_by {text},
    ended_at {int},
    month {int},
    reason {text},
    CHECK ((state IN ('open', 'differs')) = (ended_at IS NULL)),
    CHECK ((ended_at IS NULL) = (month IS NULL))
) {strict};

CREATE UNIQUE INDEX sample_row_waiting ON sample_row (trade_id) WHERE ended_at IS NULL;
CREATE INDEX sample_row_no ON sample_row (no) WHERE ended_at IS NULL;
CREATE INDEX sample_row_month ON sample_row (month, chamber, kind, state);

-- The row as it was public when it was drawn, and as a person typed it.

CREATE TABLE sample_content (
    row_no {int} NOT NULL REFERENCES sample_row (no),
    entered {int} NOT NULL CHECK (entered BETWEEN 0 AND 1),
    ticker {text},
    asset_name {text},
    asset_type {text},
    side {text},
    amount_bucket {text},
    trade_day {int},
    owner_type {text},
    details {text},
    notified_day {int},
    PRIMARY KEY (row_no, entered)
) {strict};

-- The fields that differ, and which of both is right.

CREATE TABLE sample_difference (
    row_no {int} NOT NULL REFERENCES sample_row (no),
    field {text} NOT NULL,
    verdict {text} CHECK ({one_of verdict published entry unreadable}),
    PRIMARY KEY (row_no, field)
) {strict};
