// Every column of the schema, and whether `stockact check` notices that something other than the
// program changed it. A new column needs its place here: in `noticed`, in `sealed` (the same, tested
// on both databases by tests/unit/test_store_sealed_rows.c), or with the reason why not.

const DESK = 'the work of reviewers: what they accept has a digest once it is published';
const IMPORTED = 'comes from a list, and again with the next import';
const STATE = 'changes by itself: counts, leases, times, deliveries, the log of actions';
const OWN = 'of this database itself';
const OPEN = 'without a digest so far';

/** By table: `noticed` and `sealed` columns, and the others with their reason. */
export const columns = {
  acceptance: { not: [DESK, 'no draft_no at by_email way review pages opened row_count ms clean'] },
  account: {
    sealed:
      'no plan role id email email_folded created_at disabled_at password_hash totp_sealed deleted_at password_at totp_at totp_step totp_pending confirmed_at digest',
  },
  account_address: {
    sealed: 'email account_no digest',
  },
  action_log: {
    not: [
      STATE,
      'no at actor_id session_id action account_id subject_kind subject_id detail actor',
    ],
  },
  alert: {
    sealed:
      'no id account_no state pace member_no ticker chamber committee industry flagged grade amount_bucket created_at changed_at digest',
    not: [STATE, 'after_seq sent_at emails'],
  },
  alert_match: { not: [STATE, 'alert_no first_seq bits sent_at'] },
  alert_person: {
    sealed: 'account_no end_key confirm_sha256 confirm_folded confirm_until digest',
    not: [STATE, 'refused refused_at refused_reason'],
  },
  api_key: {
    sealed: 'no id sha256 prefix name created_at revoked_at account_no digest',
    not: [STATE, 'last_used_at last_used_for'],
  },
  attempt: {
    not: [
      STATE,
      'delivery_no number started_at ended_at status error retry_after detail remote resolve_ms connect_ms tls_ms wait_ms answer url request endpoint_no',
    ],
  },
  bulk_replay: {
    not: [STATE, 'no endpoint_no state since until after_no matched replayed created_at ended_at'],
  },
  chain: { noticed: 'no noun row_no before digest hash' },
  change: { not: [STATE, 'seq noun key'] },
  change_log: {
    noticed: 'seq at kind filing_no trade_no correction_no history_no',
  },
  committee: {
    sealed: 'no chamber id digest',
  },
  committee_listed: {
    sealed: 'version_no committee_no name parent_no digest',
  },
  committee_seat: {
    sealed: 'version_no role chamber side committee_no member_no rank digest',
  },
  committee_span: {
    sealed: 'member_id committee_id title from_day to_day digest',
  },
  committee_span_list: {
    sealed: 'day digest',
  },
  committee_span_name: {
    sealed: 'committee_id from_day name digest',
  },
  committee_version: {
    sealed: 'no as_of_day sha256 imported_at digest',
  },
  copy_change: { not: [OWN, 'no name key'] },
  copy_later: { not: [OWN, 'position statement'] },
  copy_mark: { not: [OWN, 'role id other state at'] },
  correction: {
    noticed:
      'no kind trade_id filing_id at field old_value new_value reason by_email range_start range_end entries',
  },
  counter: { not: [OWN, 'name value'] },
  delivery: {
    not: [
      STATE,
      'no id event_no endpoint_no state attempts due_at lease_node lease_until created_at ended_at tries counted_in cause replayed_at',
    ],
  },
  document: {
    not: [
      IMPORTED,
      'no chamber state kind source_id url reason first_seen_at year filed_day filer name filer_state filer_district indexed_at index_gone_at',
    ],
  },
  document_bytes: { noticed: 'version_no bytes' },
  document_filer: { not: [IMPORTED, 'document_no member_no'] },
  document_page: { not: [DESK, 'version_no page turn skew form reason'] },
  document_version: {
    sealed: 'sha256 bytes no document_no seen_at reading content_sha256 digest',
  },
  draft: {
    not: [
      DESK,
      'no filing_id revision chamber source_doc_id url document_version_no manual member_no filer filer_state filer_district filed_at report_day amendment amends state reason checks difference created_at claimed_by claimed_until accepted_by accepted_at second_by second_at publication_no row_count doubt_count failed_count due_day clean entry nothing_reported',
    ],
  },
  draft_history: {
    not: [DESK, 'no draft_no at by_email action position field old_value new_value reason'],
  },
  draft_look: { not: [DESK, 'draft_no by_email pages opened ms last_at'] },
  draft_row: {
    not: [
      DESK,
      'draft_no position page status ticker asset_name asset_type side amount_bucket owner_type trade_day notified_day printed doubts held trade_id removed_at details place_left place_top place_width place_height sources cap_gains company',
    ],
  },
  endpoint: {
    sealed:
      'no id account_no url secret_sealed old_secret_sealed old_secret_until state created_at changed_at events description gone digest',
    not: [STATE, 'failures streak pauses failed_at next_try_at'],
  },
  event: {
    sealed: 'no id type publication_no created_at body filing_no digest',
  },
  filer_alias: { not: [DESK, 'chamber name_folded state district member_no by_email at'] },
  filing: {
    noticed:
      'no id chamber source_doc_id url member_no member_party member_state filed_at state reason created_at review reviewed_by reviewed_at amends_no document_version_no publication_no published_at withdrawn_at member_name digest batch_no entry',
    not: [OPEN, 'filer claimed_by claimed_at second_reviewed_at acceptance_no'],
  },
  finding: { noticed: 'no sha256 reason evidence', not: [OPEN, 'rule_version found_at'] },
  finding_history: { noticed: 'trade_no at old_no new_no', not: [OWN, 'no'] },
  job: { not: [STATE, 'name lease_node lease_until started_at ended_at next_at result run_no'] },
  job_run: { not: [STATE, 'no name server started_at ended_at failed result'] },
  key_day: { not: [STATE, 'key_no day ok not_modified client_errors rate_limited server_errors'] },
  key_error: { not: [STATE, 'no key_no at status error path count'] },
  mail: {
    not: [
      STATE,
      'no to_email subject body created_at due_at tries lease_node lease_until ended_at error kind account_no to_folded body_sealed bulk stable_id',
    ],
  },
  member: {
    sealed: 'no id slug name first_name last_name birthday listed_day digest',
  },
  member_name: {
    sealed: 'member_no position first_name last_name digest',
  },
  member_term: {
    sealed: 'member_no chamber position state district party start_day end_day senate_class digest',
  },
  meta: { not: [OWN, 'name value'] },
  migration: { not: [OWN, 'number checksum usable_from'] },
  month_count: { not: [STATE, 'month kind caller used'] },
  node: { not: [STATE, 'id label seq beat_at version started_at program_schema'] },
  once: { not: [STATE, 'number used_at'] },
  publication: { noticed: 'no kind at by_email range_start range_end filings trades' },
  recovery_code: { sealed: 'no account_no sha256 created_at used_at digest' },
  redated: { not: [OPEN, 'no old_at new_at at reason'] },
  review_batch: {
    not: [DESK, 'no state started_at started_by size sample ended_at ended_by reason'],
  },
  review_batch_draft: {
    not: [DESK, 'batch_no draft_no mark drawn outcome at by_email reason looked_by history_no'],
  },
  review_time: { not: [DESK, 'no at row_count took_ms'] },
  sample_content: {
    not: [
      DESK,
      'row_no entered ticker asset_name asset_type side amount_bucket trade_day owner_type details notified_day',
    ],
  },
  sample_count: { not: [DESK, 'no document_no ends at by_email counted month reason'] },
  sample_difference: { not: [DESK, 'row_no field verdict'] },
  sample_document: { not: [DESK, 'no draw_no filing_id chamber kind drawn_at known'] },
  sample_draw: { not: [DESK, 'no day drawn_at seed'] },
  sample_row: {
    not: [
      DESK,
      'no draw_no trade_id chamber kind drawn_at state entered_by entered_at judged_by ended_at month reason',
    ],
  },
  sample_stratum: { not: [DESK, 'draw_no chamber kind trades unstored drawn documents'] },
  second_entry: {
    not: [
      DESK,
      'draft_no row_no field typed typed_by typed_at first_text second_text outcome settled decided_by decided_at',
    ],
  },
  session: {
    sealed: 'no id sha256 account_no created_at seen_at expires_at proved_at place browser digest',
  },
  ticker: {
    sealed: 'no symbol company industry source digest',
  },
  token: {
    sealed:
      'no sha256 purpose account_no email email_folded password_hash plan role by_id tries created_at expires_at used_at digest',
  },
  trade: {
    noticed:
      'no id filing_no publication_no disclosed_at position ticker asset_name asset_type side amount_bucket trade_day notified_day owner_type withdrawn_at withdrawn_reason page document_version_no printed withdrawn_with_filing details source_digest digest company company_digest',
    not: [OPEN, 'cap_gains'],
  },
  trade_finding: { noticed: 'trade_no finding_no' },
  typed: { not: [DESK, 'account_no place body typed_at'] },
};

const names = (text) => (text ? text.split(' ') : []);

/** [table, column] of all that are noticed, and of all that are sealed. */
const pairs = (kind) =>
  Object.entries(columns).flatMap(([table, one]) =>
    names(one[kind]).map((column) => [table, column]),
  );
export const noticed = pairs('noticed');
export const sealed = pairs('sealed');

/** "table.column" of all. */
export const known = Object.entries(columns).flatMap(([table, one]) =>
  [...names(one.noticed), ...names(one.sealed), ...names(one.not?.[1])].map(
    (column) => `${table}.${column}`,
  ),
);
