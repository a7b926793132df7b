-- Step 2 of the schema: documents as a ledger, and drafts between a document and its filing.
--
-- A draft is what one version of a document says, as people correct it; a filing exists from its
-- first publication on. Both carry the filing's id (docs/adr/0012-drafts.md). `difference` is what
-- the reviewer accepted that publishing would do. Step 1 foresaw
-- drafts as states of filings; nothing was ever written there.

DROP TABLE draft_row;
DROP TABLE filing_history;

-- What the index says of a document, and when the index last said it.

ALTER TABLE document ADD COLUMN name {text};
ALTER TABLE document ADD COLUMN filer_state {text};
ALTER TABLE document ADD COLUMN filer_district {int};
ALTER TABLE document ADD COLUMN indexed_at {int};
ALTER TABLE document ADD COLUMN index_gone_at {int};

CREATE INDEX document_state ON document (state);
CREATE INDEX document_version_sha256 ON document_version (sha256);

-- What was printed in a version, as its reader gave it (JSON, paper/reading.h), and the digest of
-- that text: two captures of one paper that read the same are the same.

ALTER TABLE document_version ADD COLUMN reading {text};
ALTER TABLE document_version ADD COLUMN content_sha256 {blob};

DROP TABLE document_row;

CREATE TABLE draft (
    no {id},
    filing_id {text} NOT NULL,
    revision {int} NOT NULL,
    chamber {text} NOT NULL CHECK ({one_of chamber house senate}),
    source_doc_id {text} NOT NULL,
    url {text},
    document_version_no {int} REFERENCES document_version (no),
    manual {int} NOT NULL CHECK (manual BETWEEN 0 AND 1),
    member_no {int} REFERENCES member (no),
    filer {text},
    filer_state {text},
    filer_district {int},
    filed_at {int},
    report_day {int},
    amendment {int},
    amends {text},
    state {text} NOT NULL
        CHECK ({one_of state draft in_review accepted rejected published amended superseded}),
    reason {text},
    checks {text} NOT NULL,
    difference {text},
    created_at {int} NOT NULL,
    claimed_by {text},
    claimed_until {int},
    accepted_by {text},
    accepted_at {int},
    second_by {text},
    second_at {int},
    publication_no {int} REFERENCES publication (no),
    UNIQUE (filing_id, revision),
    CHECK (state <> 'in_review' OR (claimed_by IS NOT NULL AND claimed_until IS NOT NULL)),
    CHECK (state NOT IN ('accepted', 'published', 'amended')
        OR (accepted_by IS NOT NULL AND accepted_at IS NOT NULL AND member_no IS NOT NULL
            AND filed_at IS NOT NULL))
) {strict};

CREATE INDEX draft_state ON draft (state, filed_at);
CREATE INDEX draft_member ON draft (member_no, report_day);

-- Rows of a draft. `printed` is the row as its reader gave it and is never altered; `held` says why
-- the row cannot be published as it is; `trade_id` is the public trade that it repeats or changes.

CREATE TABLE draft_row (
    draft_no {int} NOT NULL REFERENCES draft (no),
    position {int} NOT NULL CHECK (position BETWEEN 1 AND 9999),
    page {int},
    status {text} NOT NULL CHECK ({one_of status new amended deleted}),
    ticker {text},
    asset_name {text},
    asset_type {text},
    side {text},
    amount_bucket {text},
    owner_type {text},
    trade_day {int},
    notified_day {int},
    printed {text},
    doubts {text} NOT NULL,
    held {text},
    trade_id {text},
    removed_at {int},
    PRIMARY KEY (draft_no, position)
) {strict};

-- What people did to a draft: who, when, old, new and why. Appended to, never altered.

CREATE TABLE draft_history (
    no {id},
    draft_no {int} NOT NULL REFERENCES draft (no),
    at {int} NOT NULL,
    by_email {text} NOT NULL,
    action {text} NOT NULL,
    position {int},
    field {text},
    old_value {text},
    new_value {text},
    reason {text}
) {strict};

CREATE INDEX draft_history_draft ON draft_history (draft_no);

{append_only draft_history};

-- Filers as printed whom a person matched to a member, so that nobody is asked twice.

CREATE TABLE filer_alias (
    chamber {text} NOT NULL CHECK ({one_of chamber house senate}),
    name_folded {text} NOT NULL,
    state {text} NOT NULL,
    district {int} NOT NULL,
    member_no {int} NOT NULL REFERENCES member (no),
    by_email {text} NOT NULL,
    at {int} NOT NULL,
    PRIMARY KEY (chamber, name_folded, state, district)
) {strict};
