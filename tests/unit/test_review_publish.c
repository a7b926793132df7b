#include "conflict_sample.h"

#include <jansson.h>

#include "review/publish.h"
#include "review/withdraw.h"
#include "store/account/account.h"
#include "store/account/endpoint.h"
#include "store/check/check.h"
#include "store/public/correction.h"
#include "store/public/coverage.h"
#include "store/public/filing.h"
#include "store/public/member.h"
#include "store/public/trade.h"
#include "store/row/change.h"
#include "store/row/meta.h"

#define NOW INT64_C(1790000000000)
#define BY STR("reviewer@example.org")

static const struct draft_document document = {
    .sha256 = {1, 2, 3}, .kind = STR_INIT("test"), .name = STR_INIT("paper"), .bytes = 10};

static struct draft_row row(int number, const char *ticker)
{
    return (struct draft_row){
        .row = number,
        .values.ticker = str_from(ticker),
        .values.asset_name = STR("Widget \"Works\""),
        .values.asset_type = ASSET_STOCK,
        .values.side = SIDE_BUY,
        .values.bracket = BRACKET_15K_50K,
        .values.trade_date = 20000,
        .notified_date = DAY_NONE,
        .values.owner = OWNER_SPOUSE,
        .printed = STR("{\"a\":\"b\"}")};
}

static struct draft_filing filing(
    const char *id, int64_t filed_at, const struct draft_row *rows, size_t count)
{
    return (struct draft_filing){
        .id = str_from(id),
        .chamber = CHAMBER_SENATE,
        .source_doc_id = str_from(id),
        .url = STR("https://reports.example.org/1"),
        .politician_id = STR("B000001"),
        .party = STR("Whig"),
        .state = STR("ME"),
        .filed_at = filed_at,
        .amends = STR_NULL,
        .document = &document,
        .rows = rows,
        .row_count = count};
}

static int setup(void **state)
{
    store_fixture_setup(state);
    struct store_fixture *f = *state;
    const struct member member = {
        .id = STR("B000001"),
        .slug = STR("ben-ferncastle"),
        .name = STR("Ben Ferncastle"),
        .first = STR("Ben"),
        .last = STR("Ferncastle"),
        .birthday = DAY_NONE};
    enum member_outcome outcome;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, member_put(f->db, &member, &outcome, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    return 0;
}

static void publication_writes_filing_trades_event_and_notice(void **state)
{
    struct store_fixture *f = *state;
    const struct draft_row rows[] = {row(2, "WIDG"), row(1, NULL)};
    struct draft_filing draft = filing("senate-1", NOW - 1000, rows, 2);
    struct publish_result r;
    assert_ok(f, publish_live(f->db, &draft, BY, NOW, &r, &f->fail));
    assert_true(r.disclosed_at == NOW);
    assert_int_equal(r.trades, 2);
    assert_true(r.change_seq > 0);
    struct trade_row trade;
    struct trade_source source;
    assert_ok(f, trade_find(f->db, STR("senate-1-0002"), &f->arena, &trade, &source, &f->fail));
    assert_str(trade.trade.values.ticker, "WIDG");
    assert_str(trade.trade.politician.slug, "ben-ferncastle");
    assert_str(trade.trade.politician.party, "Whig");
    assert_str(source.printed, "{\"a\":\"b\"}");
    assert_int_equal(source.document_sha256[0], 1);
    struct filing_row stored;
    assert_ok(f, filing_find(f->db, STR("senate-1"), &f->arena, &stored, &f->fail));
    assert_int_equal(stored.state, FILING_PUBLISHED);
    assert_int_equal(stored.review, FILING_REVIEW_ROW);
    assert_str(stored.reviewed_by, "reviewer@example.org");
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM event"), 1);
}

static struct str text_of(struct store_fixture *f, const char *sql)
{
    struct query q;
    struct str text = STR_NULL;
    query_start(&q, f->db, sql);
    if (query_row(&q))
        text = arena_str(&f->arena, query_get_str(&q, 0));
    assert_ok(f, query_end(&q, &f->fail));
    return text;
}

/* The member oversees the industry of QQBO, not that of QQZX. */
static void prepare_signals(struct store_fixture *f)
{
    sample_company(f, "QQBO", "Bramble Oil Company", "Oil and gas");
    sample_company(f, "QQZX", "Quince Orchards Inc.", "Agriculture");
    SAMPLE_VERSION(f, "2024-01-10", {"B000001", SAMPLE_ENERGY, CHAMBER_SENATE, SEAT_CHAIR});
}

static void published_trades_and_events_have_signals(void **state)
{
    struct store_fixture *f = *state;
    const struct draft_row rows[] = {row(3, NULL), row(2, "QQZX"), row(1, "QQBO")};
    struct draft_filing draft = filing("senate-1", NOW - 1000, rows, 3);
    struct publish_result r;
    struct trade_row first, second;
    const char *reason;
    int signals[3];
    json_t *none[2];
    prepare_signals(f);
    assert_ok(f, publish_live(f->db, &draft, BY, NOW, &r, &f->fail));
    struct str body = text_of(f, "SELECT body FROM event");
    json_t *event = json_loadb(body.p, body.n, JSON_REJECT_DUPLICATES, NULL);
    assert_int_equal(
        json_unpack(
            event, "{s:[{s:b, s:s}, {s:b, s:o}, {s:b, s:o}]}", "trades", "conflictSignal",
            &signals[0], "conflictReason", &reason, "conflictSignal", &signals[1], "conflictReason",
            &none[0], "conflictSignal", &signals[2], "conflictReason", &none[1]),
        0);
    assert_string_equal(
        reason,
        "Ben Ferncastle chaired the Senate Committee on Energy and Natural Resources, which "
        "oversaw oil and gas, the industry of Bramble Oil Company (QQBO); seats as of "
        "2024-01-10.");
    assert_true(signals[0] && !signals[1] && !signals[2]);
    assert_true(json_is_null(none[0]) && json_is_null(none[1]));
    assert_ok(f, trade_find(f->db, STR("senate-1-0001"), &f->arena, &first, NULL, &f->fail));
    assert_ok(f, trade_find(f->db, STR("senate-1-0002"), &f->arena, &second, NULL, &f->fail));
    assert_str(first.trade.conflict_reason, reason);
    assert_true(str_is_null(second.trade.conflict_reason));
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM finding_history"), 1);
    json_decref(event);
}

static void event_body_is_the_payload_of_the_spec(void **state)
{
    struct store_fixture *f = *state;
    const struct draft_row rows[] = {row(2, "WIDG"), row(1, NULL)};
    struct draft_filing draft = filing("senate-1", NOW - 1000, rows, 2);
    struct publish_result r;
    assert_ok(f, publish_live(f->db, &draft, BY, NOW, &r, &f->fail));
    struct str body = text_of(f, "SELECT body FROM event");
    json_t *event = json_loadb(body.p, body.n, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(event);
    const char *type, *id, *chamber, *url, *filed, *slug, *first, *second, *disclosed;
    assert_int_equal(
        json_unpack(
            event,
            "{s:s, s:{s:s, s:s, s:s, s:s !}, s:{s:s, s:s, s:s, s:s, s:s !},"
            " s:[{s:s, s:s}, {s:s}] !}",
            "event", &type, "filing", "id", &id, "chamber", &chamber, "url", &url, "filedAt",
            &filed, "politician", "slug", &slug, "name", &first, "chamber", &first, "party", &first,
            "state", &first, "trades", "id", &first, "disclosedAt", &disclosed, "id", &second),
        0);
    assert_string_equal(type, "trade.published");
    assert_string_equal(id, "senate-1");
    assert_string_equal(chamber, "senate");
    assert_string_equal(filed, "2026-09-21T14:13:19.000Z");
    assert_string_equal(slug, "ben-ferncastle");
    assert_string_equal(first, "senate-1-0001");
    assert_string_equal(second, "senate-1-0002");
    assert_string_equal(disclosed, "2026-09-21T14:13:20.000Z");
    json_decref(event);
}

static void every_enabled_endpoint_gets_a_delivery(void **state)
{
    struct store_fixture *f = *state;
    const struct draft_row rows[] = {row(1, "WIDG")};
    struct draft_filing draft = filing("senate-1", NOW - 1000, rows, 1);
    struct publish_result r;
    char id[ENDPOINT_ID_SIZE];
    assert_ok(f, db_begin(f->db, &f->fail));
    struct account account;
    assert_ok(
        f, account_create(
               ACT(f, .now_ms = NOW), STR("owner@example.org"), PLAN_PACK, ROLE_MEMBER, &account));
    for (int i = 0; i < 2; i++) {
        endpoint_id_make(id);
        assert_ok(
            f, endpoint_add(
                   ACT(f, .now_ms = NOW), STR("owner@example.org"), str_of(id, sizeof id),
                   STR("https://hooks.example.org/"), STR("sealed")));
    }
    assert_ok(f, db_commit(f->db, &f->fail));
    assert_ok(f, publish_live(f->db, &draft, BY, NOW, &r, &f->fail));
    assert_int_equal(r.deliveries, 2);
}

static void instants_increase_when_the_clock_steps_back(void **state)
{
    struct store_fixture *f = *state;
    const struct draft_row rows[] = {row(1, "WIDG")};
    struct draft_filing first = filing("senate-1", 0, rows, 1),
                        second = filing("senate-2", 0, rows, 1);
    struct publish_result r;
    assert_ok(f, publish_live(f->db, &first, BY, NOW, &r, &f->fail));
    assert_ok(f, publish_live(f->db, &second, BY, NOW - 5000, &r, &f->fail));
    assert_true(r.disclosed_at == NOW + 1);
}

static void further_rows_are_a_separate_publication(void **state)
{
    struct store_fixture *f = *state;
    const struct draft_row rows[] = {row(1, "WIDG"), row(2, "WIDG")};
    struct draft_filing draft = filing("senate-1", 0, rows, 1);
    struct publish_result r;
    assert_ok(f, publish_live(f->db, &draft, BY, NOW, &r, &f->fail));
    assert_int_equal(publish_live(f->db, &draft, BY, NOW + 5, &r, &f->fail), ERR_EXISTS);
    draft.row_count = 2;
    assert_ok(f, publish_live(f->db, &draft, BY, NOW + 9, &r, &f->fail));
    assert_int_equal(r.trades, 1);
    assert_true(r.disclosed_at == NOW + 9);
    struct trade_row trade;
    assert_ok(f, trade_find(f->db, STR("senate-1-0001"), &f->arena, &trade, NULL, &f->fail));
    assert_true(trade.trade.disclosed_at == NOW);
    struct str body = text_of(f, "SELECT body FROM event ORDER BY no DESC");
    assert_true(str_find(body, STR("senate-1-0002")) > 0);
    assert_true(str_find(body, STR("senate-1-0001")) < 0);
}

static void failed_publication_writes_nothing(void **state)
{
    struct store_fixture *f = *state;
    const struct draft_row rows[] = {row(1, "WIDG"), row(1, "WIDG")};
    struct draft_filing twice = filing("senate-1", 0, rows, 2),
                        unknown = filing("senate-2", 0, rows, 1);
    struct publish_result r = {.trades = 77};
    unknown.politician_id = STR("Z999999");
    assert_int_equal(publish_live(f->db, &twice, BY, NOW, &r, &f->fail), ERR_EXISTS);
    assert_int_equal(publish_live(f->db, &unknown, BY, NOW, &r, &f->fail), ERR_NOT_FOUND);
    assert_int_equal(r.trades, 77);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM filing"), 0);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM trade"), 0);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM event"), 0);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM document"), 0);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM change"), 0);
}

static void filing_without_rows_is_published_without_an_event(void **state)
{
    struct store_fixture *f = *state;
    struct draft_filing draft = filing("senate-1", 0, NULL, 0);
    struct publish_result r;
    assert_ok(f, publish_live(f->db, &draft, BY, NOW, &r, &f->fail));
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM event"), 0);
    assert_int_equal(publish_live(f->db, &draft, BY, NOW, &r, &f->fail), ERR_EXISTS);
}

static void tell(void *ctx, const struct document_count *c)
{
    buf_fmt(
        ctx, "%d %.*s %lld; ", c->year, STR_ARG(report_state_name(c->state)), (long long)c->count);
}

/* What the ledger adds up to, without a cache; with the cache it is the same, also from memory. */
static struct str coverage(struct store_fixture *f, struct coverage_cache *cache)
{
    struct coverage_cache *const caches[] = {NULL, cache, cache};
    struct buf texts[3];
    for (size_t i = 0; i < 3; i++) {
        buf_init(&texts[i], SIZE_MAX);
        assert_ok(f, document_coverage(f->db, caches[i], tell, &texts[i], &f->fail));
        assert_true(str_eq(buf_view(&texts[i]), buf_view(&texts[0])));
    }
    struct str text = arena_str(&f->arena, buf_view(&texts[0]));
    for (size_t i = 0; i < 3; i++)
        buf_finish(&texts[i]);
    return text;
}

static void kept_counts_of_bulk_history_follow_each_change(void **state)
{
    struct store_fixture *f = *state;
    struct coverage_cache *cache = coverage_cache_create();
    const struct draft_row rows[] = {row(1, "WIDG")};
    const struct draft_filing old[] = {
        filing("senate-1", NOW - 90000, rows, 1), filing("senate-2", NOW - 80000, rows, 1)};
    const struct document_entry entry = {
        .kind = STR("senate"),
        .source_id = STR("senate-2"),
        .chamber = CHAMBER_SENATE,
        .state = DOCUMENT_NEEDS_MANUAL,
        .year = 2024,
        .filed_day = DAY_NONE,
        .filer_district = DOCUMENT_DISTRICT_NONE,
        .indexed_at = INSTANT_NONE,
        .index_gone_at = INSTANT_NONE};
    struct publish_result r;
    struct withdraw_result w;
    int64_t no;
    assert_str(coverage(f, cache), "");
    assert_ok(f, publish_backfill(f->db, old, 2, BY, NOW, NULL, NULL, NULL, &r, &f->fail));
    assert_str(coverage(f, cache), "2026 published 2; ");
    assert_ok(f, withdraw(f->db, STR("senate-1"), BY, STR("twice"), NOW, &w, &f->fail));
    assert_str(coverage(f, cache), "2026 published 1; 2026 withdrawn 1; ");
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, document_record(f->db, &entry, NOW, &no, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    assert_str(coverage(f, cache), "2024 needs_manual 1; 2026 withdrawn 1; ");
    coverage_cache_destroy(cache);
}

/* An entry that is no report is deleted, and SQLite gives its number to a report. */
static void kept_counts_follow_a_report_with_the_number_of_a_deleted_entry(void **state)
{
    struct store_fixture *f = *state;
    struct coverage_cache *cache = coverage_cache_create();
    const struct draft_filing old = filing("senate-1", NOW - 90000, NULL, 0);
    struct document_entry entry = {
        .kind = STR("file"),
        .source_id = STR("notes.txt"),
        .chamber = CHAMBER_SENATE,
        .state = DOCUMENT_REFUSED,
        .filed_day = DAY_NONE,
        .filer_district = DOCUMENT_DISTRICT_NONE,
        .indexed_at = INSTANT_NONE,
        .index_gone_at = INSTANT_NONE};
    struct publish_result r;
    int64_t no;
    assert_ok(f, publish_backfill(f->db, &old, 1, BY, NOW, NULL, NULL, NULL, &r, &f->fail));
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, document_record(f->db, &entry, NOW, &no, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    (void)coverage(f, cache);
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, document_forget(f->db, entry.kind, entry.source_id, &f->fail));
    entry.kind = STR("senate");
    entry.source_id = STR("senate-1");
    entry.state = DOCUMENT_NEEDS_MANUAL;
    assert_ok(f, document_record(f->db, &entry, NOW, &no, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    (void)coverage(f, cache); /* the same without and with the cache */
    coverage_cache_destroy(cache);
}

/* The counts are right with each change, and the filings are not read again without one. */
static void kept_counts_of_reviews_follow_each_change(void **state)
{
    struct store_fixture *f = *state;
    struct coverage_cache *cache = coverage_cache_create();
    const struct draft_filing old[] = {
        filing("senate-1", NOW - 90000, NULL, 0), filing("senate-2", NOW - 80000, NULL, 0)};
    struct publish_result r;
    struct withdraw_result w;
    struct review_counts counts;
    assert_ok(f, review_count(f->db, cache, &counts, &f->fail));
    assert_int_equal(counts.of[FILING_REVIEW_BULK] + counts.of[FILING_REVIEW_UNSEEN], 0);
    assert_ok(f, publish_backfill(f->db, old, 2, BY, NOW, NULL, NULL, NULL, &r, &f->fail));
    assert_ok(f, review_count(f->db, cache, &counts, &f->fail));
    assert_int_equal(counts.of[FILING_REVIEW_BULK], 2);
    assert_ok(f, withdraw(f->db, STR("senate-1"), BY, STR("twice"), NOW, &w, &f->fail));
    assert_ok(f, review_count(f->db, cache, &counts, &f->fail));
    assert_int_equal(counts.of[FILING_REVIEW_BULK], 1);
    assert_ok(f, db_exec(f->db, "UPDATE filing SET review = 'row'", &f->fail)); /* and no notice */
    assert_ok(f, review_count(f->db, cache, &counts, &f->fail));
    assert_int_equal(counts.of[FILING_REVIEW_BULK], 1);
    assert_ok(f, review_count(f->db, NULL, &counts, &f->fail));
    assert_int_equal(counts.of[FILING_REVIEW_UNSEEN], 1);
    coverage_cache_destroy(cache);
}

static void unchanged_bulk_history_is_not_counted_again(void **state)
{
    struct store_fixture *f = *state;
    struct coverage_cache *cache = coverage_cache_create();
    const struct draft_filing old = filing("senate-1", NOW - 90000, NULL, 0);
    struct publish_result r;
    struct buf text;
    assert_ok(f, publish_backfill(f->db, &old, 1, BY, NOW, NULL, NULL, NULL, &r, &f->fail));
    (void)coverage(f, cache);
    assert_ok(f, db_exec(f->db, "UPDATE filing SET filed_at = 0", &f->fail)); /* and no notice */
    buf_init(&text, SIZE_MAX);
    assert_ok(f, document_coverage(f->db, cache, tell, &text, &f->fail));
    assert_str(buf_view(&text), "2026 published 1; ");
    buf_finish(&text);
    coverage_cache_destroy(cache);
}

static size_t refused_count;

static void count_refused(void *ctx, const struct draft_filing *draft, const char *reason)
{
    assert_str(draft->id, "senate-3");
    refused_count++;
}

static void backfill_uses_filing_instants_and_fires_no_event(void **state)
{
    struct store_fixture *f = *state;
    const struct draft_row rows[] = {row(1, "WIDG"), row(2, "WIDG")};
    const struct draft_filing old[] = {
        filing("senate-1", NOW - 90000, rows, 2), filing("senate-2", NOW - 80000, NULL, 0)};
    struct publish_result r;
    assert_ok(f, publish_backfill(f->db, old, 2, BY, NOW, NULL, NULL, NULL, &r, &f->fail));
    assert_int_equal(r.filings, 2);
    assert_int_equal(r.trades, 2);
    struct trade_row trade;
    assert_ok(f, trade_find(f->db, STR("senate-1-0001"), &f->arena, &trade, NULL, &f->fail));
    assert_true(trade.trade.disclosed_at == NOW - 90000);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM event"), 0);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM correction"), 1);
    assert_str(text_of(f, "SELECT review FROM filing"), "bulk");
    /* Again: there is nothing new, and nothing is written. */
    assert_ok(f, publish_backfill(f->db, old, 2, BY, NOW + 1, NULL, NULL, NULL, &r, &f->fail));
    assert_int_equal(r.unchanged, 2);
    assert_int_equal(r.publication, 0);
    assert_int_equal(r.change_seq, 0);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM correction"), 1);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM publication"), 1);
}

static void tell_finding(void *ctx, struct str problem)
{
    print_message("%.*s\n", STR_ARG(problem));
}

static void long_backfill_is_whole_with_amended_and_repeated_filings(void **state)
{
    enum { FILINGS = 2100 }; /* so many that PostgreSQL checks foreign keys at the end */
    struct store_fixture *f = *state;
    const struct draft_row rows[] = {row(1, "WIDG"), row(2, "WIDG"), row(3, "WIDG")};
    struct draft_filing *old = mem_array(FILINGS, sizeof *old);
    struct publish_result r;
    int64_t findings = -1;
    for (int i = 0; i < FILINGS; i++)
        old[i] =
            filing(arena_fmt(&f->arena, "senate-%d", i).p, NOW - 9000000 + i, rows, i % 10 ? 3 : 0);
    old[700].amends = STR("senate-699"); /* both wait to be written */
    old[701].id = STR("senate-698");     /* written just before */
    old[703].id = STR("senate-702");     /* waits */
    old[1501].id = STR("senate-11");     /* looked up earlier */
    assert_ok(f, publish_backfill(f->db, old, FILINGS, BY, NOW, NULL, NULL, NULL, &r, &f->fail));
    assert_int_equal(r.filings, FILINGS - 3);
    assert_int_equal(r.unchanged, 3);
    assert_int_equal(r.trades, 3 * (FILINGS - FILINGS / 10 - 3));
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM trade"), r.trades);
    assert_str(text_of(f, "SELECT id FROM filing WHERE state = 'amended'"), "senate-699");
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM filing WHERE state = 'published'"),
        FILINGS - 4);
    assert_ok(f, check_run(f->db, tell_finding, NULL, NULL, &findings, &f->fail));
    assert_int_equal(findings, 0);
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM chain WHERE noun = 'filing'"), 0);
    /* numbers go on after those of the backfill */
    const struct draft_filing live = filing("senate-live", NOW, rows, 3);
    assert_ok(f, publish_live(f->db, &live, BY, NOW + 1, &r, &f->fail));
    mem_free(old);
}

static void backfill_refuses_filings_after_the_first_live_publication(void **state)
{
    struct store_fixture *f = *state;
    const struct draft_row rows[] = {row(1, "WIDG")};
    struct draft_filing live = filing("senate-1", NOW - 10, rows, 1);
    const struct draft_filing old[] = {
        filing("senate-2", NOW - 1, rows, 1), filing("senate-3", NOW, rows, 1)};
    struct publish_result r;
    refused_count = 0;
    assert_ok(f, publish_live(f->db, &live, BY, NOW, &r, &f->fail));
    assert_ok(
        f, publish_backfill(f->db, old, 2, BY, NOW + 9, count_refused, NULL, NULL, &r, &f->fail));
    assert_int_equal(r.filings, 1);
    assert_int_equal(refused_count, 1);
}

static void backfill_refuses_a_database_of_invented_data(void **state)
{
    struct store_fixture *f = *state;
    const struct draft_filing old[] = {filing("senate-2", NOW - 1, NULL, 0)};
    struct publish_result r;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, meta_data_claim(f->db, META_DATA_DEMO, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    assert_int_equal(
        publish_backfill(f->db, old, 1, BY, NOW, NULL, NULL, NULL, &r, &f->fail), ERR_REFUSED);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM filing"), 0);
}

static void log_keeps_the_reason_of_a_withdrawal(void **state)
{
    struct store_fixture *f = *state;
    const struct draft_row rows[] = {row(1, "WIDG"), row(2, "WIDG")};
    struct draft_filing draft = filing("senate-1", 0, rows, 2);
    struct publish_result r;
    struct withdraw_result w;
    assert_ok(f, publish_live(f->db, &draft, BY, NOW, &r, &f->fail));
    assert_int_equal(
        withdraw(f->db, STR("senate-1-0001"), BY, STR("  "), NOW, &w, &f->fail), ERR_INVALID);
    assert_ok(
        f, withdraw(f->db, STR("senate-1-0001"), BY, STR("wrong row"), NOW + 5, &w, &f->fail));
    assert_int_equal(w.trades, 1);
    assert_true(w.change_seq > r.change_seq);
    struct trade_row trade;
    struct trade_source source;
    assert_ok(f, trade_find(f->db, STR("senate-1-0001"), &f->arena, &trade, &source, &f->fail));
    assert_true(trade.withdrawn_at == NOW + 5);
    assert_str(source.withdrawn_reason, "wrong row");
    assert_str(text_of(f, "SELECT reason FROM correction"), "wrong row");
    assert_str(text_of(f, "SELECT noun FROM change ORDER BY seq DESC"), "trade");
    assert_int_equal(
        withdraw(f->db, STR("senate-1-0001"), BY, STR("again"), NOW, &w, &f->fail), ERR_EXISTS);
    assert_int_equal(
        withdraw(f->db, STR("senate-9"), BY, STR("again"), NOW, &w, &f->fail), ERR_NOT_FOUND);
}

static void withdrawing_a_filing_withdraws_its_trades(void **state)
{
    struct store_fixture *f = *state;
    const struct draft_row rows[] = {row(1, "WIDG"), row(2, "WIDG"), row(3, "WIDG")};
    struct draft_filing draft = filing("senate-1", 0, rows, 3);
    struct publish_result r;
    struct withdraw_result w;
    assert_ok(f, publish_live(f->db, &draft, BY, NOW, &r, &f->fail));
    assert_ok(f, withdraw(f->db, STR("senate-1-0003"), BY, STR("one"), NOW, &w, &f->fail));
    assert_ok(f, withdraw(f->db, STR("senate-1"), BY, STR("all"), NOW, &w, &f->fail));
    assert_int_equal(w.trades, 2);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM change WHERE noun = 'filing' AND key = 'senate-1'"),
        1);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM change WHERE noun = 'feed'"), 0);
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM trade WHERE withdrawn_at IS NULL"), 0);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM correction"), 4);
    assert_str(text_of(f, "SELECT filing_id FROM correction WHERE trade_id IS NULL"), "senate-1");
    assert_int_equal(withdraw(f->db, STR("senate-1"), BY, STR("x"), NOW, &w, &f->fail), ERR_EXISTS);
    assert_int_equal(publish_live(f->db, &draft, BY, NOW, &r, &f->fail), ERR_REFUSED);
}

#define publish_test(f) cmocka_unit_test_setup_teardown(f, setup, store_fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        publish_test(publication_writes_filing_trades_event_and_notice),
        publish_test(published_trades_and_events_have_signals),
        publish_test(event_body_is_the_payload_of_the_spec),
        publish_test(every_enabled_endpoint_gets_a_delivery),
        publish_test(instants_increase_when_the_clock_steps_back),
        publish_test(further_rows_are_a_separate_publication),
        publish_test(failed_publication_writes_nothing),
        publish_test(filing_without_rows_is_published_without_an_event),
        publish_test(backfill_uses_filing_instants_and_fires_no_event),
        publish_test(long_backfill_is_whole_with_amended_and_repeated_filings),
        publish_test(kept_counts_of_bulk_history_follow_each_change),
        publish_test(kept_counts_follow_a_report_with_the_number_of_a_deleted_entry),
        publish_test(kept_counts_of_reviews_follow_each_change),
        publish_test(unchanged_bulk_history_is_not_counted_again),
        publish_test(backfill_refuses_filings_after_the_first_live_publication),
        publish_test(backfill_refuses_a_database_of_invented_data),
        publish_test(log_keeps_the_reason_of_a_withdrawal),
        publish_test(withdrawing_a_filing_withdraws_its_trades),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
