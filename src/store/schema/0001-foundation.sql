-- Step 1 of the schema: everything the service keeps.
--
-- Types and a few clauses are tokens, replaced per database (migrate.c). A statement ends with a
-- line that ends in a semicolon.
--
-- `no` joins inside the store; `id` is what the world sees. Instants are milliseconds since 1970 in
-- UTC, days are days since 1970-01-01, months are year * 12 + (month - 1). Closed lists are text, as
-- the API prints them.

-- Marks on the database as a whole, and the counters whose row locks give order.

CREATE TABLE meta (
    name {text} PRIMARY KEY,
    value {text} NOT NULL
) {strict};

CREATE TABLE counter (
    name {text} PRIMARY KEY,
    value {int} NOT NULL
) {strict};

INSERT INTO counter (name, value) VALUES ('change', 0), ('publication', 0), ('published_at', 0);

CREATE TABLE change (
    seq {int} PRIMARY KEY,
    noun {text} NOT NULL,
    key {text} NOT NULL
) {strict};

CREATE TABLE node (
    id {text} PRIMARY KEY,
    label {text} NOT NULL,
    seq {int} NOT NULL,
    beat_at {int} NOT NULL
) {strict};

-- Members of Congress, their terms and other names, and the seats they hold on committees, one
-- version per import.

CREATE TABLE member (
    no {id},
    id {text} NOT NULL UNIQUE,
    slug {text} NOT NULL UNIQUE,
    name {text} NOT NULL,
    first_name {text},
    last_name {text},
    birthday {int}
) {strict};

CREATE TABLE member_term (
    member_no {int} NOT NULL REFERENCES member (no),
    position {int} NOT NULL,
    chamber {text} NOT NULL CHECK ({one_of chamber house senate}),
    state {text} NOT NULL,
    district {int},
    party {text},
    start_day {int},
    end_day {int},
    PRIMARY KEY (member_no, position)
) {strict};

CREATE TABLE member_name (
    member_no {int} NOT NULL REFERENCES member (no),
    position {int} NOT NULL,
    first_name {text} NOT NULL,
    last_name {text},
    PRIMARY KEY (member_no, position)
) {strict};

CREATE TABLE committee (
    no {id},
    id {text} NOT NULL UNIQUE,
    name {text} NOT NULL,
    chamber {text} CHECK ({one_of chamber house senate}),
    parent_no {int} REFERENCES committee (no)
) {strict};

CREATE TABLE committee_version (
    no {id},
    as_of_day {int} NOT NULL UNIQUE,
    sha256 {blob} NOT NULL,
    imported_at {int} NOT NULL
) {strict};

CREATE TABLE committee_seat (
    version_no {int} NOT NULL REFERENCES committee_version (no),
    committee_no {int} NOT NULL REFERENCES committee (no),
    member_no {int} NOT NULL REFERENCES member (no),
    role {text} NOT NULL CHECK ({one_of role chair ranking_member vice_chair member}),
    PRIMARY KEY (version_no, committee_no, member_no)
) {strict};

CREATE INDEX committee_seat_member ON committee_seat (member_no, version_no);

-- Symbols, and the dated symbols they had before.

CREATE TABLE ticker (
    no {id},
    symbol {text} NOT NULL UNIQUE,
    company {text},
    industry {text},
    source {text}
) {strict};

CREATE TABLE ticker_alias (
    symbol {text} NOT NULL,
    ticker_no {int} NOT NULL REFERENCES ticker (no),
    from_day {int},
    to_day {int},
    PRIMARY KEY (symbol, ticker_no)
) {strict};

-- Documents, each content they had, and the rows read from it as they were printed (JSON).

CREATE TABLE document (
    no {id},
    kind {text} NOT NULL,
    source_id {text} NOT NULL,
    url {text},
    chamber {text} CHECK ({one_of chamber house senate}),
    state {text} NOT NULL
        CHECK ({one_of state indexed awaiting_document draft needs_manual refused bulk}),
    reason {text},
    first_seen_at {int} NOT NULL,
    year {int},
    filed_day {int},
    filer {text},
    UNIQUE (kind, source_id)
) {strict};

CREATE TABLE document_version (
    no {id},
    document_no {int} NOT NULL REFERENCES document (no),
    sha256 {blob} NOT NULL CHECK (length(sha256) = 32),
    bytes {int} NOT NULL,
    seen_at {int} NOT NULL,
    UNIQUE (document_no, sha256)
) {strict};

CREATE TABLE document_row (
    version_no {int} NOT NULL REFERENCES document_version (no),
    position {int} NOT NULL,
    page {int},
    cells {text} NOT NULL,
    doubts {text},
    PRIMARY KEY (version_no, position)
) {strict};

-- Publications, and filings from draft to published with what people did to them.

CREATE TABLE publication (
    no {int} PRIMARY KEY,
    kind {text} NOT NULL CHECK ({one_of kind live backfill}),
    at {int} NOT NULL,
    by_email {text} NOT NULL,
    range_start {int},
    range_end {int},
    filings {int} NOT NULL,
    trades {int} NOT NULL
) {strict};

CREATE INDEX publication_kind ON publication (kind, at);

CREATE TABLE filing (
    no {id},
    id {text} NOT NULL UNIQUE,
    chamber {text} NOT NULL CHECK ({one_of chamber house senate}),
    source_doc_id {text} NOT NULL,
    url {text} NOT NULL,
    member_no {int} REFERENCES member (no),
    filer {text},
    member_party {text},
    member_state {text},
    filed_at {int} NOT NULL,
    state {text} NOT NULL
        CHECK ({one_of state draft in_review accepted rejected published amended withdrawn}),
    reason {text},
    created_at {int} NOT NULL,
    claimed_by {text},
    claimed_at {int},
    review {text} CHECK ({one_of review row bulk}),
    reviewed_by {text},
    reviewed_at {int},
    amends_no {int} REFERENCES filing (no),
    document_version_no {int} REFERENCES document_version (no),
    publication_no {int} REFERENCES publication (no),
    published_at {int},
    withdrawn_at {int},
    CHECK (state NOT IN ('published', 'amended')
        OR (member_no IS NOT NULL AND publication_no IS NOT NULL AND published_at IS NOT NULL
            AND reviewed_by IS NOT NULL))
) {strict};

CREATE INDEX filing_publication ON filing (publication_no);
CREATE INDEX filing_state ON filing (state, filed_at);
CREATE INDEX filing_amends ON filing (amends_no);

CREATE TABLE filing_history (
    no {id},
    filing_no {int} NOT NULL REFERENCES filing (no),
    at {int} NOT NULL,
    by_email {text} NOT NULL,
    action {text} NOT NULL,
    position {int},
    field {text},
    old_value {text},
    new_value {text},
    reason {text}
) {strict};

CREATE INDEX filing_history_filing ON filing_history (filing_no);

-- Rows under review, before they are trades.

CREATE TABLE draft_row (
    filing_no {int} NOT NULL REFERENCES filing (no),
    position {int} NOT NULL,
    page {int},
    ticker {text},
    asset_name {text},
    asset_type {text},
    side {text},
    amount_bucket {text},
    owner_type {text},
    trade_day {int},
    notified_day {int},
    printed {text},
    doubts {text},
    PRIMARY KEY (filing_no, position)
) {strict};

-- Trades. `printed` comes last: a walk over the other columns does not read it.

CREATE TABLE trade (
    no {id},
    id {text} NOT NULL UNIQUE,
    filing_no {int} NOT NULL REFERENCES filing (no),
    publication_no {int} NOT NULL REFERENCES publication (no),
    disclosed_at {int} NOT NULL,
    position {int} NOT NULL CHECK (position BETWEEN 1 AND 9999),
    ticker {text},
    asset_name {text} NOT NULL,
    asset_type {text} CHECK ({one_of asset_type stock option bond municipal_bond
        government_security fund private_equity crypto real_estate commodity
        annuity_or_insurance retirement_account other}),
    side {text} NOT NULL CHECK ({one_of side buy sell_full sell_partial exchange}),
    amount_bucket {text} NOT NULL CHECK ({one_of amount_bucket 1k_15k 15k_50k 50k_100k
        100k_250k 250k_500k 500k_1m 1m_5m 5m_25m 25m_50m over_50m over_1m_spouse}),
    trade_day {int},
    notified_day {int},
    owner_type {text} CHECK ({one_of owner_type self spouse joint child}),
    conflict_reason {text},
    withdrawn_at {int},
    withdrawn_reason {text},
    page {int},
    document_version_no {int} REFERENCES document_version (no),
    conflict {text},
    printed {text},
    CHECK ((withdrawn_at IS NULL) = (withdrawn_reason IS NULL))
) {strict};

CREATE INDEX trade_feed ON trade (disclosed_at, id);

-- What changed after publication. Nothing in it is ever altered.

CREATE TABLE correction (
    no {id},
    kind {text} NOT NULL CHECK ({one_of kind field withdrawn backfill}),
    trade_id {text},
    at {int} NOT NULL,
    field {text},
    old_value {text},
    new_value {text},
    reason {text},
    by_email {text} NOT NULL,
    range_start {int},
    range_end {int},
    entries {int}
) {strict};

CREATE INDEX correction_trade ON correction (trade_id);

{append_only correction};

-- Accounts and what they own.

CREATE TABLE account (
    no {id},
    id {text} NOT NULL UNIQUE,
    email {text} NOT NULL,
    email_folded {text} NOT NULL UNIQUE,
    plan {text} NOT NULL CHECK ({one_of plan scout wolf pack den}),
    role {text} NOT NULL CHECK ({one_of role member reviewer admin}),
    created_at {int} NOT NULL,
    disabled_at {int},
    password_hash {text},
    totp_sealed {blob}
) {strict};

CREATE TABLE session (
    no {id},
    sha256 {blob} NOT NULL UNIQUE,
    account_no {int} NOT NULL REFERENCES account (no),
    created_at {int} NOT NULL,
    seen_at {int} NOT NULL,
    expires_at {int} NOT NULL
) {strict};

CREATE INDEX session_account ON session (account_no);

CREATE TABLE api_key (
    no {id},
    id {text} NOT NULL UNIQUE,
    account_no {int} NOT NULL REFERENCES account (no),
    sha256 {blob} NOT NULL UNIQUE CHECK (length(sha256) = 32),
    prefix {text} NOT NULL,
    name {text} NOT NULL,
    created_at {int} NOT NULL,
    last_used_at {int},
    revoked_at {int}
) {strict};

CREATE INDEX api_key_account ON api_key (account_no);

CREATE TABLE alert (
    no {id},
    id {text} NOT NULL UNIQUE,
    account_no {int} NOT NULL REFERENCES account (no),
    state {text} NOT NULL CHECK ({one_of state enabled paused deleted}),
    pace {text} NOT NULL CHECK ({one_of pace now daily}),
    member_no {int} REFERENCES member (no),
    ticker {text},
    chamber {text} CHECK ({one_of chamber house senate}),
    conflict_only {int} NOT NULL CHECK (conflict_only BETWEEN 0 AND 1),
    amount_bucket {text},
    created_at {int} NOT NULL,
    sent_to {int}
) {strict};

CREATE INDEX alert_account ON alert (account_no);

-- The outbox: events, one delivery per endpoint, every attempt.

CREATE TABLE endpoint (
    no {id},
    id {text} NOT NULL UNIQUE,
    account_no {int} NOT NULL REFERENCES account (no),
    url {text} NOT NULL,
    secret_sealed {blob} NOT NULL,
    old_secret_sealed {blob},
    old_secret_until {int},
    state {text} NOT NULL CHECK ({one_of state enabled disabled paused deleted}),
    failures {int} NOT NULL,
    created_at {int} NOT NULL,
    changed_at {int} NOT NULL
) {strict};

CREATE INDEX endpoint_account ON endpoint (account_no);

CREATE TABLE event (
    no {id},
    id {text} NOT NULL UNIQUE,
    type {text} NOT NULL,
    filing_no {int} REFERENCES filing (no),
    publication_no {int} REFERENCES publication (no),
    created_at {int} NOT NULL,
    body {text} NOT NULL
) {strict};

CREATE TABLE delivery (
    no {id},
    id {text} NOT NULL UNIQUE,
    event_no {int} NOT NULL REFERENCES event (no),
    endpoint_no {int} NOT NULL REFERENCES endpoint (no),
    state {text} NOT NULL CHECK ({one_of state pending delivered failed expired}),
    attempts {int} NOT NULL,
    due_at {int} NOT NULL,
    lease_node {text},
    lease_until {int},
    created_at {int} NOT NULL,
    ended_at {int},
    UNIQUE (event_no, endpoint_no)
) {strict};

CREATE INDEX delivery_due ON delivery (state, due_at);
CREATE INDEX delivery_endpoint ON delivery (endpoint_no, no);

CREATE TABLE attempt (
    delivery_no {int} NOT NULL REFERENCES delivery (no),
    number {int} NOT NULL,
    started_at {int} NOT NULL,
    ended_at {int} NOT NULL,
    status {int},
    error {text},
    retry_after {text},
    PRIMARY KEY (delivery_no, number)
) {strict};

-- What callers drew, and what runs by the clock.

CREATE TABLE month_count (
    month {int} NOT NULL,
    kind {text} NOT NULL CHECK ({one_of kind key address}),
    caller {blob} NOT NULL,
    used {int} NOT NULL CHECK (used >= 0),
    PRIMARY KEY (month, kind, caller)
) {strict};

CREATE TABLE job (
    name {text} PRIMARY KEY,
    lease_node {text},
    lease_until {int},
    started_at {int},
    ended_at {int},
    next_at {int},
    result {text}
) {strict};
