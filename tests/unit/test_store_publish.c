/* Members, filings, trades, publications and the corrections log. */
#include "store_sample.h"

#include <pthread.h>

#include "progress_seen.h"
#include "store/account/account.h"
#include "store/account/endpoint.h"
#include "store/check/check.h"
#include "store/public/correction.h"
#include "store/public/document.h"
#include "store/public/event.h"
#include "store/row/change.h"
#include "store/row/meta.h"

enum { WRITERS = 2, PUBLICATIONS_EACH = 25 };

/* Members */

static void slug_is_stable_and_namesake_gets_id_suffix(void **state)
{
    struct store_fixture *f = *state;
    store_sample_member(f, "m1", "robin-vale");
    store_sample_member(f, "m2", "robin-vale");
    struct member found;
    assert_ok(f, member_find(f->db, STR("robin-vale"), &f->arena, &found, &f->fail));
    assert_str(found.id, "m1");
    assert_ok(f, member_find(f->db, STR("m2"), &f->arena, &found, &f->fail));
    assert_str(found.slug, "robin-vale-m2");
    found.name = STR("Robin B. Vale");
    found.slug = STR("another");
    enum member_outcome outcome;
    assert_ok(f, member_put(f->db, &found, &outcome, &f->fail));
    assert_int_equal(outcome, MEMBER_CHANGED);
    assert_ok(f, member_find(f->db, STR("robin-vale-m2"), &f->arena, &found, &f->fail));
    assert_str(found.name, "Robin B. Vale");
    store_sample_member(f, "V000003", "robin-vale"); /* slugs have no upper case */
    assert_ok(f, member_find(f->db, STR("robin-vale-v000003"), &f->arena, &found, &f->fail));
    assert_int_equal(member_find(f->db, STR("nobody"), &f->arena, &found, &f->fail), ERR_NOT_FOUND);
}

static void members_are_loaded_with_terms_and_names(void **state)
{
    struct store_fixture *f = *state;
    store_sample_member(f, "m1", "a");
    struct member_term terms[] = {
        {CHAMBER_HOUSE, STR_INIT("NY"), 0, {NULL, 0}, DAY_NONE, DAY_NONE},
        {CHAMBER_SENATE, STR_INIT("NY"), MEMBER_DISTRICT_NONE, STR_INIT("Whig"), 100, 200},
        {CHAMBER_SENATE, STR_INIT("NY"), MEMBER_DISTRICT_NONE, STR_INIT("Whig"), 200, DAY_NONE},
    };
    struct member_name names[] = {{STR_INIT("Bo"), {NULL, 0}}, {STR_INIT("B"), STR_INIT("C")}};
    struct member m = {
        .id = STR("m2"),
        .slug = STR("b"),
        .name = STR("B C"),
        .birthday = -20000,
        .terms = terms,
        .term_count = 3,
        .names = names,
        .name_count = 2,
    };
    enum member_outcome outcome;
    assert_ok(f, member_put(f->db, &m, &outcome, &f->fail));
    assert_int_equal(outcome, MEMBER_ADDED);
    assert_ok(f, member_put(f->db, &m, &outcome, &f->fail));
    assert_int_equal(outcome, MEMBER_UNCHANGED);
    m.term_count = 2;
    assert_ok(f, member_put(f->db, &m, &outcome, &f->fail));
    assert_int_equal(outcome, MEMBER_CHANGED);
    m.term_count = 3;
    names[1].last = STR("D");
    assert_ok(f, member_put(f->db, &m, &outcome, &f->fail));
    assert_int_equal(outcome, MEMBER_CHANGED);

    struct member_list list;
    assert_ok(f, member_load(f->db, &f->arena, &list, &f->fail));
    assert_int_equal(list.count, 2);
    assert_int_equal(list.items[0].term_count, 1);
    const struct member *b = &list.items[1];
    assert_int_equal(b->term_count, 3);
    assert_int_equal(b->name_count, 2);
    assert_int_equal(b->birthday, -20000);
    assert_true(str_is_null(b->names[0].last));
    assert_str(b->names[1].last, "D");
    assert_int_equal(b->terms[0].start, DAY_NONE);
    assert_int_equal(b->terms[0].district, 0);
    assert_int_equal(b->terms[1].district, MEMBER_DISTRICT_NONE);
    assert_ptr_equal(member_term_latest(b), &b->terms[2]);

    struct member alone;
    assert_ok(f, member_read(f->db, STR("b"), &f->arena, &alone, &f->fail));
    assert_int_equal(alone.term_count, 3);
    assert_int_equal(alone.terms[1].end, 200);
    assert_str(alone.terms[1].party, "Whig");
    assert_int_equal(alone.name_count, 2);
    assert_str(alone.names[1].last, "D");
    assert_int_equal(member_read(f->db, STR("c"), &f->arena, &alone, &f->fail), ERR_NOT_FOUND);
}

/* Publication */

static void filing_needs_member_and_amended_filing(void **state)
{
    struct store_fixture *f = *state;
    store_sample_member(f, "m1", "robin-vale");
    struct filing_new filing = store_sample_filing("house-1", 1000);
    int64_t no;
    filing.politician_id = STR("m9");
    assert_int_equal(filing_insert(f->db, &filing, 1, &no, &f->fail), ERR_NOT_FOUND);
    filing.politician_id = STR("m1");
    filing.amends = STR("house-0");
    assert_int_equal(filing_insert(f->db, &filing, 1, &no, &f->fail), ERR_NOT_FOUND);
    filing.amends = STR_NULL;
    assert_ok(f, filing_insert(f->db, &filing, 1, &no, &f->fail));
    assert_int_equal(filing_insert(f->db, &filing, 1, &no, &f->fail), ERR_EXISTS);
}

static void draft_is_not_published(void **state)
{
    struct store_fixture *f = *state;
    store_sample_member(f, "m1", "robin-vale");
    struct filing_new filing = store_sample_filing("house-1", 1000);
    filing.review = FILING_REVIEW_NONE;
    struct publication p;
    int64_t no, at;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, filing_insert(f->db, &filing, 1, &no, &f->fail));
    assert_ok(f, publication_begin(f->db, PUBLICATION_LIVE, STR("e@x"), 2000, &p, &f->fail));
    assert_int_equal(publication_add_filing(f->db, &p, no, 1000, &at, &f->fail), ERR_REFUSED);
    db_rollback(f->db);
}

struct seen {
    struct store_fixture *fixture;
    int64_t count, withdrawn;
    int64_t filing_no;
    int64_t last_at;
    char last_id[TRADE_ID_SIZE_MAX];
    size_t last_n;
};

static enum err see_filing(void *ctx, const struct filing_row *row)
{
    struct seen *seen = ctx;
    assert_str(row->politician.slug, "robin-vale");
    assert_str(row->filing.politician_id, "m1");
    assert_int_equal(row->politician.chamber, CHAMBER_HOUSE);
    assert_int_equal(row->review, FILING_REVIEW_ROW);
    seen->filing_no = row->no;
    seen->count++;
    return OK;
}

/* Asserts feed order. */
static enum err see_trade(void *ctx, const struct trade_row *row)
{
    struct seen *seen = ctx;
    struct str last = {seen->last_id, seen->last_n};
    assert_true(
        row->trade.disclosed_at > seen->last_at ||
        (row->trade.disclosed_at == seen->last_at && str_cmp(row->trade.id, last) > 0));
    assert_str(row->trade.values.asset_name, "Abacus Corporation");
    seen->last_at = row->trade.disclosed_at;
    seen->last_n = row->trade.id.n;
    memcpy(seen->last_id, row->trade.id.p, row->trade.id.n);
    seen->filing_no = row->filing_no;
    assert_false(row->damaged);
    seen->withdrawn += row->withdrawn_at != INSTANT_NONE;
    seen->count++;
    return OK;
}

static enum err stop_at_once(void *ctx, const struct trade_row *row)
{
    struct seen *seen = ctx;
    seen->count++;
    return ERR_LIMIT;
}

static void publication_reads_back_complete(void **state)
{
    struct store_fixture *f = *state;
    store_sample_member(f, "m1", "robin-vale");
    store_sample_publish(f, "house-9", 3, PUBLICATION_LIVE, 1000, 5000);
    struct publication second = store_sample_publish(f, "house-10", 2, PUBLICATION_LIVE, 900, 6000);
    struct seen all = {.last_at = INSTANT_NONE}, one = {.last_at = INSTANT_NONE};
    struct seen filings = {.count = 0}, filing = {.count = 0}, stopped = {.count = 0};
    assert_ok(f, trade_each(f->db, see_trade, &all, &f->fail));
    assert_int_equal(all.count, 5);
    assert_ok(f, trade_each_of_publication(f->db, second.no, see_trade, &one, &f->fail));
    assert_int_equal(one.count, 2);
    assert_ok(f, filing_each_published(f->db, see_filing, &filings, &f->fail));
    assert_int_equal(filings.count, 2);
    assert_ok(f, filing_each_of_publication(f->db, second.no, see_filing, &filing, &f->fail));
    assert_int_equal(filing.count, 1);
    assert_int_equal(filing.filing_no, one.filing_no);
    assert_int_equal(trade_each(f->db, stop_at_once, &stopped, &f->fail), ERR_LIMIT);
    assert_int_equal(stopped.count, 1);
    struct seen own = {.last_at = INSTANT_NONE};
    assert_ok(f, trade_each_of_filing(f->db, one.filing_no, see_trade, &own, &f->fail));
    assert_int_equal(own.count, 2);
}

static void trade_keeps_its_source(void **state)
{
    struct store_fixture *f = *state;
    store_sample_member(f, "m1", "robin-vale");
    struct document document = {
        .kind = STR("house-ptr-pdf"),
        .source_id = STR("20001"),
        .state = DOCUMENT_DRAFT,
        .sha256 = {1, 2, 3},
        .bytes = 10,
    };
    int64_t version = 0, again = 0, other = 0;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, document_put(f->db, &document, 1, &version, &f->fail));
    assert_ok(f, document_put(f->db, &document, 2, &again, &f->fail));
    assert_int_equal(version, again);
    document.sha256[0] = 9;
    assert_ok(f, document_put(f->db, &document, 3, &other, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    assert_int_not_equal(version, other);

    struct publication p = store_sample_publish(f, "house-1", 1, PUBLICATION_LIVE, 1000, 5000);
    struct filing_row filing;
    assert_ok(f, filing_find(f->db, STR("house-1"), &f->arena, &filing, &f->fail));
    struct trade_new more = store_sample_trade("house-1", filing.no, 7);
    more.publication_no = p.no;
    more.disclosed_at = p.at;
    more.document_version = version;
    more.values.ticker = STR_NULL;
    more.notified_date = 15003;
    assert_ok(f, trade_insert(f->db, &more, &f->fail));
    assert_int_equal(trade_insert(f->db, &more, &f->fail), ERR_EXISTS);

    struct trade_row row;
    struct trade_source source;
    assert_ok(f, trade_find(f->db, STR("house-1-0007"), &f->arena, &row, &source, &f->fail));
    assert_true(str_is_null(row.trade.values.ticker));
    assert_str(row.trade.politician.name, "Robin Vale");
    assert_str(row.trade.politician.party, "Independent");
    assert_str(row.trade.filing_url, "https://example.org/filing.pdf");
    assert_int_equal(row.trade.values.owner, OWNER_SPOUSE);
    assert_int_equal(row.trade.values.bracket, BRACKET_1K_15K);
    assert_int_equal(source.row, 7);
    assert_int_equal(source.page, 1);
    assert_int_equal(source.notified_date, 15003);
    assert_str(source.filing_id, "house-1");
    assert_str(source.document_kind, "house-ptr-pdf");
    assert_int_equal(source.document_sha256[1], 2);
    assert_str(source.printed, "{\"asset\":\"Abacus Corporation (ABC)\"}");
    assert_int_equal(
        trade_find(f->db, STR("house-1-0008"), &f->arena, &row, NULL, &f->fail), ERR_NOT_FOUND);
}

static void instants_grow_when_clock_stops_or_steps_back(void **state)
{
    struct store_fixture *f = *state;
    store_sample_member(f, "m1", "robin-vale");
    assert_int_equal(store_sample_publish(f, "house-1", 1, PUBLICATION_LIVE, 1, 5000).at, 5000);
    assert_int_equal(store_sample_publish(f, "house-2", 1, PUBLICATION_LIVE, 1, 5000).at, 5001);
    assert_int_equal(store_sample_publish(f, "house-3", 1, PUBLICATION_LIVE, 1, 10).at, 5002);
    assert_int_equal(store_sample_publish(f, "house-4", 1, PUBLICATION_LIVE, 1, 5010).at, 5010);
}

struct publisher {
    struct db *db;
    int number;
    enum err err;
};

static void *publish_many(void *arg)
{
    struct publisher *p = arg;
    for (int i = 0; i < PUBLICATIONS_EACH && !p->err; i++) {
        char id[32];
        snprintf(id, sizeof id, "house-%d-%d", p->number, i);
        struct publication publication;
        struct fail fail;
        p->err = db_begin(p->db, &fail);
        if (!p->err) /* one clock runs backwards */
            p->err = store_sample_publish_in(
                p->db, id, 2, PUBLICATION_LIVE, 1, p->number ? 100000 - i : 50000 + i, &publication,
                &fail);
        if (!p->err)
            p->err = db_commit(p->db, &fail);
    }
    return NULL;
}

static void instants_grow_with_several_writers(void **state)
{
    struct store_fixture *f = *state;
    store_sample_member(f, "m1", "robin-vale");
    struct publisher publishers[WRITERS];
    pthread_t threads[WRITERS];
    for (int i = 0; i < WRITERS; i++) {
        publishers[i] = (struct publisher){.db = store_fixture_open(f), .number = i};
        assert_int_equal(pthread_create(&threads[i], NULL, publish_many, &publishers[i]), 0);
    }
    for (int i = 0; i < WRITERS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(publishers[i].err, OK);
        db_close(publishers[i].db);
    }
    assert_int_equal(
        store_fixture_number(f, "SELECT count(DISTINCT at) FROM publication"),
        WRITERS * PUBLICATIONS_EACH);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM publication a JOIN publication b ON b.no = a.no + 1"
               " WHERE b.at <= a.at"),
        0);
    /* Notices are in publication order too. */
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM change a JOIN change b ON b.seq = a.seq + 1"
               " WHERE CAST(b.key AS BIGINT) <> CAST(a.key AS BIGINT) + 1"),
        0);
}

static void backfill_uses_filing_instants_before_first_live_one(void **state)
{
    struct store_fixture *f = *state;
    store_sample_member(f, "m1", "robin-vale");
    store_sample_publish(f, "senate-old", 2, PUBLICATION_BACKFILL, 1000, 9000);
    struct trade_row row;
    assert_ok(f, trade_find(f->db, STR("senate-old-0001"), &f->arena, &row, NULL, &f->fail));
    assert_int_equal(row.trade.disclosed_at, 1000);
    /* The clock stepped back before the import: live instants still start above it. */
    assert_int_equal(store_sample_publish(f, "house-1", 1, PUBLICATION_LIVE, 1, 500).at, 1001);

    struct publication p;
    struct filing_new late = store_sample_filing("senate-late", 1001);
    int64_t no, at;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, filing_insert(f->db, &late, 1, &no, &f->fail));
    assert_ok(f, publication_begin(f->db, PUBLICATION_BACKFILL, STR("e@x"), 9000, &p, &f->fail));
    assert_true(publication_takes(&p, 1000));
    assert_false(publication_takes(&p, 1001));
    assert_int_equal(publication_add_filing(f->db, &p, no, 1001, &at, &f->fail), ERR_REFUSED);
    db_rollback(f->db);
}

static void backfill_takes_nothing_filed_in_the_future(void **state)
{
    struct store_fixture *f = *state;
    struct publication p;
    struct filing_new late = store_sample_filing("senate-late", 9001);
    int64_t no, at;
    store_sample_member(f, "m1", "robin-vale");
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, filing_insert(f->db, &late, 1, &no, &f->fail));
    assert_ok(f, publication_begin(f->db, PUBLICATION_BACKFILL, STR("e@x"), 9000, &p, &f->fail));
    assert_true(publication_takes(&p, 9000));
    assert_false(publication_takes(&p, 9001));
    assert_int_equal(publication_add_filing(f->db, &p, no, 9001, &at, &f->fail), ERR_REFUSED);
    assert_non_null(strstr(f->fail.text, "future"));
    db_rollback(f->db);
}

static void see_correction(void *ctx, const struct correction *c)
{
    struct seen *seen = ctx;
    seen->count++;
    seen->last_at = c->range_end;
    seen->filing_no = c->count;
    assert_int_equal(c->kind, CORRECTION_BACKFILL);
}

static void backfill_is_one_entry_in_the_log(void **state)
{
    struct store_fixture *f = *state;
    store_sample_member(f, "m1", "robin-vale");
    store_sample_publish(f, "senate-old", 2, PUBLICATION_BACKFILL, 1000, 9000);
    struct seen seen = {.count = 0};
    assert_ok(
        f, correction_each(f->db, &CORRECTION_RANGE_ALL, 10, see_correction, &seen, &f->fail));
    assert_int_equal(seen.count, 1);
    assert_int_equal(seen.last_at, 1000);
    assert_int_equal(seen.filing_no, 2);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM change WHERE noun = 'feed'"), 1);
}

/* The numbers of the visited entries, each as a digit. */
struct log_walk {
    int64_t numbers;
    struct correction_range next;
};

static void note_entry(void *ctx, const struct correction *c)
{
    struct log_walk *walk = ctx;
    walk->numbers = 10 * walk->numbers + c->no;
    walk->next.before_at = c->at;
    walk->next.before_no = c->no;
}

static void log_pages_return_each_entry_once(void **state)
{
    struct store_fixture *f = *state;
    static const int64_t at[] = {20, 10, 20, 20, 30};
    store_sample_member(f, "m1", "robin-vale");
    store_sample_publish(f, "house-1", 1, PUBLICATION_LIVE, 1, 5);
    assert_ok(f, db_begin(f->db, &f->fail));
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        const struct correction c = {
            .kind = CORRECTION_WITHDRAWN,
            .trade_id = STR("house-1-0001"),
            .at = at[i],
            .by = STR("editor@example.org"),
        };
        /* the second is from before instants stopped stepping back */
        assert_ok(
            f, i == 1 ? db_exec(
                            f->db,
                            "INSERT INTO correction (kind, at, by_email)"
                            " VALUES ('backfill', 10, 'editor@example.org')",
                            &f->fail)
                      : correction_add(f->db, &c, &f->fail));
    }
    for (int64_t limit = 1; limit <= 6; limit++) {
        struct log_walk walk = {.next = CORRECTION_RANGE_ALL};
        for (int64_t seen = 0; seen < 5; seen += limit)
            assert_ok(f, correction_each(f->db, &walk.next, limit, note_entry, &walk, &f->fail));
        assert_int_equal(walk.numbers, 54312);
    }
    struct log_walk since = {.next = CORRECTION_RANGE_ALL};
    since.next.since_ms = 20;
    assert_ok(f, correction_each(f->db, &since.next, 10, note_entry, &since, &f->fail));
    assert_int_equal(since.numbers, 5431);
    struct log_walk backfills = {.next = CORRECTION_RANGE_ALL};
    backfills.next.kind = CORRECTION_BACKFILL;
    assert_ok(f, correction_each(f->db, &backfills.next, 10, note_entry, &backfills, &f->fail));
    assert_int_equal(backfills.numbers, 2);
}

static void corrections_log_is_append_only(void **state)
{
    struct store_fixture *f = *state;
    store_sample_member(f, "m1", "robin-vale");
    store_sample_publish(f, "house-1", 1, PUBLICATION_LIVE, 1, 5);
    const struct correction c = {
        .kind = CORRECTION_FIELD,
        .trade_id = STR("house-1-0001"),
        .at = 5,
        .field = STR("ticker"),
        .old = STR_NULL,
        .new = STR("ABC"),
        .reason = STR("a typing error"),
        .by = STR("editor@example.org"),
    };
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, correction_add(f->db, &c, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    assert_int_equal(db_exec(f->db, "UPDATE correction SET reason = 'x'", &f->fail), ERR_REFUSED);
    assert_int_equal(db_exec(f->db, "DELETE FROM correction", &f->fail), ERR_REFUSED);
    if (store_fixture_is_postgresql())
        assert_int_equal(db_exec(f->db, "TRUNCATE correction", &f->fail), ERR_REFUSED);
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM correction WHERE reason = 'a typing error'"),
        1);
}

static void withdrawn_trades_leave_the_lists_but_not_the_store(void **state)
{
    struct store_fixture *f = *state;
    store_sample_member(f, "m1", "robin-vale");
    store_sample_publish(f, "house-1", 3, PUBLICATION_LIVE, 1, 5000);
    struct str id = STR("house-1-0002");
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, trade_withdraw(f->db, id, false, 6000, STR("filed twice"), &f->fail));
    assert_int_equal(trade_withdraw(f->db, id, false, 7000, STR("again"), &f->fail), ERR_EXISTS);
    assert_int_equal(
        trade_withdraw(f->db, STR("house-1-0009"), false, 1, STR("x"), &f->fail), ERR_NOT_FOUND);
    struct trade_row row;
    struct trade_source source;
    assert_ok(f, trade_find(f->db, id, &f->arena, &row, &source, &f->fail));
    assert_int_equal(row.withdrawn_at, 6000);
    assert_str(source.withdrawn_reason, "filed twice");
    struct seen seen = {.last_at = INSTANT_NONE};
    assert_ok(f, trade_each(f->db, see_trade, &seen, &f->fail));
    assert_int_equal(seen.count, 3);
    assert_int_equal(seen.withdrawn, 1);
    assert_ok(f, filing_withdraw(f->db, STR("house-1"), 6000, STR("filed twice"), &f->fail));
    assert_int_equal(
        filing_withdraw(f->db, STR("house-1"), 6000, STR("filed twice"), &f->fail), ERR_NOT_FOUND);
    struct seen filings = {.count = 0};
    assert_ok(f, filing_each_published(f->db, see_filing, &filings, &f->fail));
    assert_int_equal(filings.count, 0);
}

static void amendment_marks_amended_filing(void **state)
{
    struct store_fixture *f = *state;
    store_sample_member(f, "m1", "robin-vale");
    store_sample_publish(f, "house-1", 1, PUBLICATION_LIVE, 1, 5000);
    struct filing_new filing = store_sample_filing("house-2", 2000);
    filing.amends = STR("house-1");
    struct publication p;
    int64_t no, at, seq;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, filing_insert(f->db, &filing, 1, &no, &f->fail));
    assert_ok(f, publication_begin(f->db, PUBLICATION_LIVE, STR("e@x"), 6000, &p, &f->fail));
    assert_ok(f, publication_add_filing(f->db, &p, no, 2000, &at, &f->fail));
    assert_ok(f, publication_finish(f->db, &p, 0, &seq, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    struct filing_row row;
    assert_ok(f, filing_find(f->db, STR("house-1"), &f->arena, &row, &f->fail));
    assert_int_equal(row.state, FILING_AMENDED);
    assert_ok(f, filing_find(f->db, STR("house-2"), &f->arena, &row, &f->fail));
    assert_int_equal(row.state, FILING_PUBLISHED);
    assert_str(row.amends, "house-1");
}

static void event_creates_delivery_for_every_endpoint(void **state)
{
    struct store_fixture *f = *state;
    store_sample_member(f, "m1", "robin-vale");
    struct account a;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(
        f, account_create(ACT(f, .now_ms = 1), STR("a@example.org"), PLAN_DEN, ROLE_MEMBER, &a));
    const char *const ids[] = {"ep_1111111111111111", "ep_2222222222222222", "ep_3333333333333333"};
    for (size_t i = 0; i < 3; i++)
        assert_ok(
            f, endpoint_add(
                   ACT(f, .now_ms = 1), STR("a@example.org"), str_from(ids[i]),
                   STR("https://example.org/"), STR("s")));
    assert_ok(f, endpoint_do(ACT(f, .now_ms = 2), str_from(ids[0]), ENDPOINT_DISABLE));
    assert_ok(f, endpoint_do(ACT(f, .now_ms = 2), str_from(ids[1]), ENDPOINT_DELETE));
    assert_ok(f, db_commit(f->db, &f->fail));
    struct publication p = store_sample_publish(f, "house-1", 1, PUBLICATION_LIVE, 1, 5000);
    struct filing_row filing;
    assert_ok(f, filing_find(f->db, STR("house-1"), &f->arena, &filing, &f->fail));
    int64_t deliveries = 0;
    assert_ok(
        f, event_add(
               ACT(f, .now_ms = 5000), STR("trade.published"), filing.no, p.no, STR("{}"),
               &deliveries));
    assert_int_equal(deliveries, 2);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM delivery WHERE length(id) = 36 AND state = 'pending'"),
        2);
}

static void count_finding(void *ctx, struct str what)
{
    int *n = ctx;
    (*n)++;
}

/* Both ways of inserting store the same columns, and the same digests. */
static void trades_inserted_at_once_are_as_those_inserted_one_by_one(void **state)
{
    struct store_fixture *f = *state;
    store_sample_member(f, "m1", "robin-vale");
    store_sample_publish(f, "house-1", 1, PUBLICATION_LIVE, 1000, 5000);
    struct trade_new trades[2] = {store_sample_trade("house-1", 1, 2)};
    trades[0].publication_no = 1;
    trades[0].disclosed_at = 5000;
    trades[0].notified_date = 15003;
    trades[0].values.details = STR("call");
    trades[0].values.owner = OWNER_NONE;
    trades[0].values.trade_date = DAY_NONE;
    trades[0].printed = STR_NULL;
    trades[0].page = 0;
    trades[1] = trades[0];
    trades[1].row = 3;
    trades[1].values.ticker = STR_NULL;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, trade_insert_all(f->db, trades, 0, &f->fail));
    assert_ok(f, trade_insert_all(f->db, trades, 2, &f->fail));
    assert_int_equal(trade_insert(f->db, &trades[1], &f->fail), ERR_EXISTS);
    assert_ok(f, db_exec(f->db, "CREATE TEMP TABLE at_once AS SELECT * FROM trade", &f->fail));
    assert_ok(f, db_exec(f->db, "DELETE FROM trade WHERE position > 1", &f->fail));
    assert_ok(f, trade_insert(f->db, &trades[0], &f->fail));
    assert_ok(f, trade_insert(f->db, &trades[1], &f->fail));
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM trade t JOIN at_once a ON a.id = t.id AND a.digest = t.digest"
               " AND a.source_digest = t.source_digest AND a.details = t.details"
               " AND coalesce(a.ticker, '-') = coalesce(t.ticker, '-') AND a.page IS NULL"
               " AND a.notified_day = t.notified_day AND a.owner_type IS NULL"
               " AND a.trade_day IS NULL AND t.trade_day IS NULL AND a.printed IS NULL"),
        2);
    assert_int_equal(trade_insert_all(f->db, trades, 2, &f->fail), ERR_EXISTS);
    assert_non_null(strstr(f->fail.text, "house-1"));
    db_rollback(f->db);
}

static void check_tells_rules_rows_and_entries(void **state)
{
    struct store_fixture *f = *state;
    struct progress_seen seen = {.phase = 0};
    const struct progress_hook hook = progress_seen_hook(&seen);
    int64_t findings = -1;
    int reported = 0;
    store_sample_member(f, "m1", "robin-vale");
    assert_ok(f, meta_data_claim(f->db, META_DATA_DEMO, &f->fail));
    store_sample_publish(f, "house-1", 3, PUBLICATION_LIVE, 1, 5000);
    assert_ok(f, check_run(f->db, count_finding, &reported, &hook, &findings, &f->fail));
    assert_int_equal(findings, 0);
    assert_true(seen.phases[CHECK_RULES].total > 20);
    assert_phase_ended(&seen, CHECK_RULES, seen.phases[CHECK_RULES].total);
    assert_phase_ended(&seen, CHECK_ROWS, 3 + 1);
    assert_phase_ended(&seen, CHECK_CHAIN, 1);
}

static void check_finds_damage(void **state)
{
    struct store_fixture *f = *state;
    store_sample_member(f, "m1", "robin-vale");
    assert_ok(f, meta_data_claim(f->db, META_DATA_DEMO, &f->fail));
    store_sample_publish(f, "senate-old", 30, PUBLICATION_BACKFILL, 1000, 4000);
    store_sample_publish(f, "house-1", 2, PUBLICATION_LIVE, 1, 5000);
    int reported = 0;
    int64_t findings = -1;
    assert_ok(f, check_run(f->db, count_finding, &reported, NULL, &findings, &f->fail));
    assert_int_equal(findings, 0);
    assert_int_equal(reported, 0);

    assert_ok(f, db_exec(f->db, "UPDATE trade SET disclosed_at = 7", &f->fail));
    assert_ok(f, db_exec(f->db, "UPDATE counter SET value = 0 WHERE name = 'change'", &f->fail));
    assert_ok(f, check_run(f->db, count_finding, &reported, NULL, &findings, &f->fail));
    /* each trade by a rule and by its digest, the counter, and the two publications */
    assert_int_equal(findings, 32 + 32 + 1 + 2);
    /* further errors of one rule are reported as a number */
    assert_int_equal(reported, (20 + 2) + (20 + 1) + 1 + 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(slug_is_stable_and_namesake_gets_id_suffix),
        store_test(members_are_loaded_with_terms_and_names),
        store_test(filing_needs_member_and_amended_filing),
        store_test(draft_is_not_published),
        store_test(publication_reads_back_complete),
        store_test(trade_keeps_its_source),
        store_test(instants_grow_when_clock_stops_or_steps_back),
        store_test(instants_grow_with_several_writers),
        store_test(backfill_uses_filing_instants_before_first_live_one),
        store_test(backfill_takes_nothing_filed_in_the_future),
        store_test(backfill_is_one_entry_in_the_log),
        store_test(log_pages_return_each_entry_once),
        store_test(corrections_log_is_append_only),
        store_test(withdrawn_trades_leave_the_lists_but_not_the_store),
        store_test(amendment_marks_amended_filing),
        store_test(event_creates_delivery_for_every_endpoint),
        store_test(trades_inserted_at_once_are_as_those_inserted_one_by_one),
        store_test(check_finds_damage),
        store_test(check_tells_rules_rows_and_entries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
