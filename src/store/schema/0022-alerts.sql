-- Step 22 of the schema: alerts, which are subscriptions to e-mails (decision 38).

-- When the address of an account was last confirmed by a link in an e-mail: null for an address that
-- an operator typed. The newest action of the log that set the address tells about older accounts.

ALTER TABLE account ADD COLUMN confirmed_at {int};

UPDATE account SET confirmed_at = (SELECT CASE WHEN l.actor = 'operator' THEN NULL ELSE l.at END
    FROM action_log l WHERE l.no = (SELECT max(x.no) FROM action_log x
        WHERE x.account_id = account.id
        AND x.action IN ('account.create', 'account.sign_up', 'account.join', 'address.change')))
    WHERE deleted_at IS NULL;

-- The table of step 1 was never written. A null criterion matches everything. Entries of the sequence
-- of changes up to `after_seq` are older than the alert, or than its last pause. `capped`: above the
-- cap of the plan. `refused`: the mail server refused the address for good.

DROP TABLE alert;

CREATE TABLE alert (
    no {id},
    id {text} NOT NULL UNIQUE,
    account_no {int} NOT NULL REFERENCES account (no),
    state {text} NOT NULL CHECK ({one_of state enabled paused capped refused ended}),
    pace {text} NOT NULL CHECK ({one_of pace now daily weekly}),
    member_no {int} REFERENCES member (no),
    ticker {text},
    chamber {text} CHECK ({one_of chamber house senate}),
    committee {text},
    industry {text},
    flagged {int} NOT NULL CHECK (flagged BETWEEN 0 AND 1),
    amount_bucket {text},
    after_seq {int} NOT NULL,
    created_at {int} NOT NULL,
    changed_at {int} NOT NULL,
    sent_at {int},
    emails {int} NOT NULL DEFAULT 0
) {strict};

CREATE INDEX alert_account ON alert (account_no, no);

CREATE INDEX alert_enabled ON alert (no) WHERE state = 'enabled';

-- What the e-mails of an account need. `end_key` makes the links that end alerts. `refused` counts
-- e-mails in a row that the mail server refused for good.

CREATE TABLE alert_person (
    account_no {int} PRIMARY KEY REFERENCES account (no),
    end_key {blob} NOT NULL CHECK (length(end_key) = 32),
    confirm_sha256 {blob} UNIQUE CHECK (length(confirm_sha256) = 32),
    confirm_folded {text},
    confirm_until {int},
    refused {int} NOT NULL DEFAULT 0,
    refused_at {int},
    refused_reason {text}
) {strict};

-- What an alert matched in one pass over the sequence of changes: bit n of `bits` is the entry
-- first_seq + n. One row holds up to 512 entries, because a filing can match 100,000 alerts. The
-- columns have no REFERENCES for the same reason. Rows that were sent stay for a while: corrections
-- of what they hold go into the next e-mail.

CREATE TABLE alert_match (
    alert_no {int} NOT NULL,
    first_seq {int} NOT NULL,
    bits {blob} NOT NULL,
    sent_at {int},
    PRIMARY KEY (alert_no, first_seq)
) {strict};

CREATE INDEX alert_match_waiting ON alert_match (alert_no) WHERE sent_at IS NULL;

CREATE INDEX alert_match_seq ON alert_match (first_seq);

CREATE INDEX alert_match_sent ON alert_match (sent_at) WHERE sent_at IS NOT NULL;

-- The earlier entries of a trade.

CREATE INDEX change_log_trade ON change_log (trade_no);

-- The last entry of the sequence of changes that was matched: what is older than this step matches no
-- alert. And the days, as days since 1970-01-01, whose digests were sent.

INSERT INTO counter (name, value) SELECT 'alert', coalesce(max(seq), 0) FROM change_log;

INSERT INTO counter (name, value) VALUES ('alert_daily', 0), ('alert_weekly', 0);

-- E-mails in bulk wait behind all others. `stable_id` tells which e-mail it is: a second one with the
-- same id is not queued, and its Message-ID is made from it.

ALTER TABLE mail ADD COLUMN bulk {int} NOT NULL DEFAULT 0;
ALTER TABLE mail ADD COLUMN stable_id {text};

CREATE UNIQUE INDEX mail_stable ON mail (stable_id) WHERE stable_id IS NOT NULL;

CREATE INDEX mail_next ON mail (bulk, due_at, no) WHERE ended_at IS NULL;

DROP INDEX mail_due;
