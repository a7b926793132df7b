/* The feed against the store: loading a snapshot, and the equality of a feed updated by change
 * notices with a freshly loaded one. On both databases. */
#include "store_fixture.h"
#include "day_from.h"

#include "base/rcu.h"
#include "feed/feed.h"
#include "market/industry.h"
#include "store/public/filing.h"
#include "store/public/finding.h"
#include "store/public/member.h"
#include "store/public/publication.h"
#include "store/public/ticker.h"
#include "store/public/trade.h"
#include "store/row/change.h"

enum { TODAY = 20500 };

/* A feed that is updated by notices. */
struct follower {
    struct store_fixture *f;
    struct feed *feed;
    int64_t seq;
    int64_t now;
};

static struct follower follow(void **state)
{
    struct follower w = {.f = *state, .feed = feed_create(), .now = 1763625600000};
    assert_ok(w.f, feed_load(w.feed, w.f->db, &w.seq, &w.f->fail));
    return w;
}

static void apply_notice(void *ctx, int64_t seq, struct str noun, struct str key)
{
    struct follower *w = ctx;
    assert_ok(w->f, feed_apply(w->feed, w->f->db, noun, key, &w->f->fail));
}

static void take_in(struct follower *w)
{
    assert_ok(w->f, change_read(w->f->db, w->seq, apply_notice, w, &w->seq, &w->f->fail));
}

static void begin(struct follower *w)
{
    assert_ok(w->f, db_begin(w->f->db, &w->f->fail));
}

/* Commits, with a notice unless noun is NULL. */
static void commit(struct follower *w, const char *noun, const char *key)
{
    if (noun)
        assert_ok(w->f, change_add(w->f->db, str_from(noun), str_from(key), NULL, &w->f->fail));
    assert_ok(w->f, db_commit(w->f->db, &w->f->fail));
}

static void put_member(struct follower *w, const char *id, const char *name, int32_t until)
{
    struct member_term term = {
        .chamber = CHAMBER_HOUSE,
        .state = STR("CA"),
        .district = 12,
        .party = STR("Independent"),
        .start = day_from("2013-01-03"),
        .end = until};
    struct member_name other = {str_from(name), STR("Example")};
    const struct member member = {
        .id = str_from(id),
        .slug = str_from(id),
        .name = str_from(name),
        .first = str_from(name),
        .last = STR("Example"),
        .birthday = DAY_NONE,
        .terms = &term,
        .term_count = 1,
        .names = &other,
        .name_count = 1};
    enum member_outcome outcome;
    begin(w);
    assert_ok(w->f, member_put(w->f->db, &member, &outcome, &w->f->fail));
    commit(w, "member", "");
}

struct row_spec {
    const char *ticker;
    const char *traded; /* NULL: unknown */
};

/* One filing with its rows as one publication. */
static void publish(
    struct follower *w, enum publication_kind kind, const char *filing_id, const char *member,
    int64_t filed_at, const struct row_spec *rows, int count)
{
    struct publication publication;
    int64_t filing_no, disclosed_at;
    const struct filing_new filing = {
        .id = str_from(filing_id),
        .chamber = CHAMBER_HOUSE,
        .source_doc_id = STR("doc"),
        .url = STR("https://example.org/doc.pdf"),
        .politician_id = str_from(member),
        .party = STR("Old Party"),
        .state = STR("NY"),
        .filed_at = filed_at,
        .review = FILING_REVIEW_BULK,
        .reviewed_by = STR("r@example.org"),
        .reviewed_at = w->now};
    w->now += 1000;
    begin(w);
    assert_ok(w->f, filing_insert(w->f->db, &filing, w->now, &filing_no, &w->f->fail));
    assert_ok(
        w->f,
        publication_begin(w->f->db, kind, STR("r@example.org"), w->now, &publication, &w->f->fail));
    assert_ok(
        w->f, publication_add_filing(
                  w->f->db, &publication, filing_no, filed_at, &disclosed_at, &w->f->fail));
    for (int i = 0; i < count; i++) {
        const struct trade_new trade = {
            .filing_no = filing_no,
            .filing_id = str_from(filing_id),
            .row = i + 1,
            .values.ticker = str_from(rows[i].ticker),
            .values.asset_name = STR("Invented Inc."),
            .values.asset_type = ASSET_STOCK,
            .values.side = SIDE_BUY,
            .values.bracket = BRACKET_1K_15K,
            .values.trade_date = rows[i].traded ? day_from(rows[i].traded) : DAY_NONE,
            .notified_date = DAY_NONE,
            .publication_no = publication.no,
            .disclosed_at = disclosed_at};
        assert_ok(w->f, trade_insert(w->f->db, &trade, &w->f->fail));
    }
    assert_ok(w->f, publication_finish(w->f->db, &publication, count, NULL, &w->f->fail));
    commit(w, NULL, NULL);
}

static void assert_same_page(const struct feed_page *a, const struct feed_page *b)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->more, b->more);
    for (size_t i = 0; i < a->count; i++) {
        assert_true(str_eq(a->rows[i].head, b->rows[i].head));
        assert_true(str_eq(a->rows[i].tail, b->rows[i].tail));
        assert_int_equal(a->rows[i].tag, b->rows[i].tag);
    }
}

static void assert_same_politician(const struct feed *a, const struct feed *b, struct str slug)
{
    struct feed_politician p, q;
    bool known = feed_politician(a, slug, TODAY, INSTANT_NONE, &p);
    assert_int_equal(known, feed_politician(b, slug, TODAY, INSTANT_NONE, &q));
    if (!known)
        return;
    assert_true(str_eq(p.name, q.name) && str_eq(p.party, q.party) && str_eq(p.state, q.state));
    assert_int_equal(p.in_office, q.in_office);
    assert_int_equal(p.district, q.district);
    assert_int_equal(p.counts.trades, q.counts.trades);
    assert_int_equal(p.filings, q.filings);
    assert_int_equal(p.counts.last_activity, q.counts.last_activity);
}

/* Of the symbols with trades: others stay known until the next load. */
static void assert_same_tickers(const struct feed *a, const struct feed *b)
{
    static struct feed_tickers_page x, y;
    struct feed_tickers_filter filter = FEED_TICKERS_FILTER_NONE;
    filter.has_trades = FEED_YES;
    feed_tickers(a, &filter, NULL, FEED_PAGE_MAX, &x);
    feed_tickers(b, &filter, NULL, FEED_PAGE_MAX, &y);
    assert_int_equal(x.count, y.count);
    for (size_t i = 0; i < x.count; i++) {
        assert_true(str_eq(x.rows[i].symbol, y.rows[i].symbol));
        assert_int_equal(x.rows[i].counts.trades, y.rows[i].counts.trades);
        assert_int_equal(x.rows[i].politicians, y.rows[i].politicians);
    }
}

/* All filings, and those of each politician and chamber. */
static void assert_same_filings(const struct feed *a, const struct feed *b)
{
    static const char *const politicians[] = {NULL, "e000001", "e000002"};
    static struct feed_page x, y;
    for (size_t i = 0; i < sizeof politicians / sizeof *politicians; i++)
        for (int chamber = CHAMBER_NONE; chamber < CHAMBER_COUNT; chamber++) {
            struct feed_filings_filter filter = FEED_FILINGS_FILTER_NONE;
            filter.politician = str_from(politicians[i]);
            filter.chamber = (enum chamber)chamber;
            feed_filings(a, &filter, NULL, 100, &x);
            feed_filings(b, &filter, NULL, 100, &y);
            assert_same_page(&x, &y);
        }
}

/* Applies the notices; the feed must then equal a fresh one. */
static void assert_like_loaded(struct follower *w)
{
    static const char *const tickers[] = {"FB", "META", "OLD", "NEW", "EXMP"};
    static struct feed_page a, b;
    struct feed *fresh = feed_create();
    int64_t seq;
    take_in(w);
    assert_ok(w->f, feed_load(fresh, w->f->db, &seq, &w->f->fail));
    assert_int_equal(seq, w->seq);
    struct feed_filter filter = FEED_FILTER_NONE;
    rcu_read_begin();
    feed_trades(w->feed, &filter, NULL, 100, &a);
    feed_trades(fresh, &filter, NULL, 100, &b);
    assert_same_page(&a, &b);
    assert_same_filings(w->feed, fresh);
    assert_same_tickers(w->feed, fresh);
    for (size_t i = 0; i < sizeof tickers / sizeof tickers[0]; i++) {
        filter.ticker = str_from(tickers[i]);
        feed_trades(w->feed, &filter, NULL, 100, &a);
        feed_trades(fresh, &filter, NULL, 100, &b);
        assert_same_page(&a, &b);
    }
    assert_same_politician(w->feed, fresh, STR("e000001"));
    assert_same_politician(w->feed, fresh, STR("e000002"));
    assert_int_equal(feed_stats(w->feed).trades, feed_stats(fresh).trades);
    assert_int_equal(feed_stats(w->feed).filings, feed_stats(fresh).filings);
    rcu_read_end();
    feed_destroy(fresh);
}

static size_t count_of(struct follower *w, const char *ticker)
{
    static struct feed_page page;
    struct feed_filter filter = FEED_FILTER_NONE;
    filter.ticker = str_from(ticker);
    rcu_read_begin();
    feed_trades(w->feed, &filter, NULL, 100, &page);
    rcu_read_end();
    return page.count;
}

static void run(struct follower *w, const char *sql)
{
    assert_ok(w->f, db_exec(w->f->db, sql, &w->f->fail));
}

/* A signal, as a publication or a sweep stores it. */
static struct finding_lines give_finding(struct follower *w, const char *id, const char *reason)
{
    struct finding finding = {.reason = str_from(reason), .evidence = STR("{}")};
    struct finding_lines lines = {0};
    struct finding_case item;
    int64_t no;
    finding_identify(&finding);
    assert_ok(w->f, finding_case_of(w->f->db, str_from(id), &w->f->arena, &item, &w->f->fail));
    assert_ok(w->f, finding_put(w->f->db, &finding, STR("1"), w->now, &no, &w->f->fail));
    const struct finding_pair pair = {item.trade_no, no};
    assert_ok(w->f, finding_set(w->f->db, &pair, 1, w->now, &lines, &w->f->fail));
    return lines;
}

static const struct row_spec two_rows[] = {{"FB", "2020-02-03"}, {NULL, NULL}};

static void publications_are_appended_and_repeated_notices_change_nothing(void **state)
{
    struct follower w = follow(state);
    assert_like_loaded(&w);
    put_member(&w, "e000001", "Ada", TODAY + 100);
    publish(&w, PUBLICATION_LIVE, "house-1", "e000001", w.now - 5000, two_rows, 2);
    publish(&w, PUBLICATION_LIVE, "house-2", "e000001", w.now - 9000, two_rows, 0);
    assert_like_loaded(&w);
    assert_int_equal(feed_stats(w.feed).trades, 2);
    assert_int_equal(feed_stats(w.feed).filings, 2);
    assert_int_equal(feed_stats(w.feed).loads, 1);
    assert_int_equal(count_of(&w, "META"), 1);
    w.seq = 0;
    assert_like_loaded(&w);
    assert_int_equal(feed_stats(w.feed).loads, 1);
    feed_destroy(w.feed);
}

static void trade_shows_party_at_filing_and_profile_shows_current(void **state)
{
    struct follower w = follow(state);
    static struct feed_page page;
    struct feed_filter filter = FEED_FILTER_NONE;
    struct feed_politician p;
    put_member(&w, "e000001", "Ada", TODAY + 1);
    publish(&w, PUBLICATION_LIVE, "house-1", "e000001", w.now - 5000, two_rows, 1);
    take_in(&w);
    rcu_read_begin();
    feed_trades(w.feed, &filter, NULL, 1, &page);
    assert_true(
        str_find(
            page.rows[0].head,
            STR("\"politician\":{\"slug\":\"e000001\",\"name\":\"Ada\",\"chamber\":\"house\","
                "\"party\":\"Old Party\",\"state\":\"NY\"},\"ticker\":\"FB\"")) > 0);
    assert_true(
        str_find(page.rows[0].head, STR("\"filingUrl\":\"https://example.org/doc.pdf\"")) > 0);
    assert_true(feed_politician(w.feed, STR("e000001"), TODAY, INSTANT_NONE, &p));
    assert_str(p.party, "Independent");
    assert_str(p.state, "CA");
    assert_int_equal(p.district, 12);
    assert_true(p.in_office);
    rcu_read_end();
    feed_destroy(w.feed);
}

static void backfill_rebuilds_edition_in_order(void **state)
{
    struct follower w = follow(state);
    put_member(&w, "e000001", "Ada", TODAY);
    publish(&w, PUBLICATION_BACKFILL, "house-2", "e000001", 1600000000000, two_rows, 2);
    assert_like_loaded(&w);
    publish(&w, PUBLICATION_BACKFILL, "house-1", "e000001", 1500000000000, two_rows, 2);
    assert_like_loaded(&w);
    assert_int_equal(feed_stats(w.feed).trades, 4);
    assert_int_equal(feed_stats(w.feed).last_disclosed_at, 1600000000000);
    feed_destroy(w.feed);
}

/* The counts of one filing's trades; they must be those of a fresh feed, too. */
static struct feed_counts counts_of(struct follower *w, const char *filing)
{
    struct feed *fresh = feed_create();
    struct feed_filter filter = FEED_FILTER_NONE;
    struct feed_counts a, b;
    int64_t seq;
    assert_ok(w->f, feed_load(fresh, w->f->db, &seq, &w->f->fail));
    filter.filing = str_from(filing);
    rcu_read_begin();
    feed_counts(w->feed, &filter, &a);
    feed_counts(fresh, &filter, &b);
    rcu_read_end();
    assert_memory_equal(&a, &b, sizeof a);
    feed_destroy(fresh);
    return a;
}

static void late_trades_follow_corrections_of_dates(void **state)
{
    static const struct row_spec rows[] = {{"FB", "2026-01-10"}, {"FB", "2026-02-01"}};
    struct follower w = follow(state);
    int64_t filed_at;
    assert_true(instant_parse(STR("2026-02-25T12:00:00Z"), &filed_at)); /* 46 and 24 days later */
    put_member(&w, "e000001", "Ada", TODAY);
    publish(&w, PUBLICATION_LIVE, "house-1", "e000001", filed_at, rows, 2);
    assert_like_loaded(&w);
    assert_int_equal(counts_of(&w, "house-1").trades, 2);
    assert_int_equal(counts_of(&w, "house-1").late, 1);

    struct trade_row row;
    begin(&w);
    assert_ok(w.f, trade_find(w.f->db, STR("house-1-0001"), &w.f->arena, &row, NULL, &w.f->fail));
    row.trade.values.trade_date = day_from("2026-01-11"); /* 45 days: in time */
    assert_ok(w.f, trade_correct(w.f->db, STR("house-1-0001"), &row.trade.values, &w.f->fail));
    commit(&w, "trade", "house-1-0001");
    assert_like_loaded(&w);
    assert_int_equal(counts_of(&w, "house-1").late, 0);

    begin(&w); /* notified on the day of the trade: due after 30 days */
    assert_ok(
        w.f, trade_set_source(
                 w.f->db, STR("house-1-0001"), 1, day_from("2026-01-11"), CAP_GAINS_NONE, STR_NULL,
                 0, &w.f->fail));
    commit(&w, "filing", "house-1");
    assert_like_loaded(&w);
    assert_int_equal(counts_of(&w, "house-1").late, 1);

    begin(&w);
    assert_ok(
        w.f, trade_withdraw(w.f->db, STR("house-1-0001"), false, w.now, STR("wrong"), &w.f->fail));
    commit(&w, "trade", "house-1-0001");
    assert_like_loaded(&w);
    assert_int_equal(counts_of(&w, "house-1").late, 0);

    begin(&w);
    assert_ok(w.f, trade_reinstate(w.f->db, STR("house-1-0001"), &w.f->fail));
    commit(&w, "trade", "house-1-0001");
    assert_like_loaded(&w);
    assert_int_equal(counts_of(&w, "house-1").late, 1);
    feed_destroy(w.feed);
}

static void withdrawals_and_corrections_are_applied_in_place(void **state)
{
    struct follower w = follow(state);
    put_member(&w, "e000001", "Ada", TODAY);
    publish(&w, PUBLICATION_LIVE, "house-1", "e000001", w.now - 5000, two_rows, 2);
    publish(&w, PUBLICATION_LIVE, "house-2", "e000001", w.now - 5000, two_rows, 2);
    publish(&w, PUBLICATION_LIVE, "house-3", "e000001", w.now - 5000, two_rows, 0);
    begin(&w);
    assert_ok(
        w.f, trade_withdraw(w.f->db, STR("house-1-0001"), false, w.now, STR("wrong"), &w.f->fail));
    commit(&w, "trade", "house-1-0001");
    assert_like_loaded(&w);
    assert_int_equal(count_of(&w, "FB"), 1);

    begin(&w);
    struct trade_row row;
    assert_ok(w.f, trade_find(w.f->db, STR("house-1-0002"), &w.f->arena, &row, NULL, &w.f->fail));
    row.trade.values.ticker = STR("EXMP");
    row.trade.values.asset_name = STR("Corrected");
    assert_ok(w.f, trade_correct(w.f->db, STR("house-1-0002"), &row.trade.values, &w.f->fail));
    give_finding(&w, "house-1-0002", "Sits.");
    commit(&w, "trade", "house-1-0002");
    assert_like_loaded(&w);
    assert_int_equal(count_of(&w, "EXMP"), 1);

    begin(&w);
    for (int i = 1; i <= 2; i++) {
        struct str id = i == 1 ? STR("house-2-0001") : STR("house-2-0002");
        assert_ok(w.f, trade_withdraw(w.f->db, id, true, w.now, STR("wrong"), &w.f->fail));
    }
    assert_ok(w.f, filing_withdraw(w.f->db, STR("house-2"), w.now, STR("wrong"), &w.f->fail));
    commit(&w, "filing", "house-2");
    assert_like_loaded(&w);

    begin(&w);
    assert_ok(w.f, filing_withdraw(w.f->db, STR("house-3"), w.now, STR("wrong"), &w.f->fail));
    commit(&w, "filing", "house-3");
    assert_like_loaded(&w);
    assert_int_equal(feed_stats(w.feed).filings, 1);
    assert_int_equal(feed_stats(w.feed).trades, 1);
    assert_int_equal(feed_stats(w.feed).loads, 1);
    feed_destroy(w.feed);
}

/* Gives house-1 to e000002, as the review desk does. */
static void move_filing(struct follower *w)
{
    begin(w);
    struct filing_row row;
    assert_ok(w->f, filing_find(w->f->db, STR("house-1"), &w->f->arena, &row, &w->f->fail));
    assert_ok(
        w->f, filing_set_filed(w->f->db, row.no, STR("e000002"), row.filing.filed_at, &w->f->fail));
    commit(w, "filing", "house-1");
}

static void reinstatements_are_applied_in_place(void **state)
{
    struct follower w = follow(state);
    put_member(&w, "e000001", "Ada", TODAY);
    put_member(&w, "e000002", "Bea", TODAY);
    for (int i = 1; i <= 3; i++) {
        struct str id = arena_fmt(&w.f->arena, "house-%d", i);
        publish(&w, PUBLICATION_LIVE, id.p, "e000001", w.now - 5000, two_rows, 2);
    }
    take_in(&w);
    begin(&w);
    assert_ok(
        w.f, trade_withdraw(w.f->db, STR("house-1-0001"), false, w.now, STR("x"), &w.f->fail));
    commit(&w, "trade", "house-1-0001");
    take_in(&w);
    begin(&w);
    assert_ok(w.f, trade_reinstate(w.f->db, STR("house-1-0001"), &w.f->fail));
    give_finding(&w, "house-1-0001", "Sits.");
    commit(&w, "trade", "house-1-0001");
    assert_like_loaded(&w);
    assert_int_equal(feed_stats(w.feed).trades, 6);

    begin(&w);
    for (int i = 1; i <= 2; i++) {
        struct str id = i == 1 ? STR("house-1-0001") : STR("house-1-0002");
        assert_ok(w.f, trade_withdraw(w.f->db, id, true, w.now, STR("x"), &w.f->fail));
    }
    assert_ok(w.f, filing_withdraw(w.f->db, STR("house-1"), w.now, STR("x"), &w.f->fail));
    commit(&w, "filing", "house-1");
    assert_like_loaded(&w);
    assert_int_equal(feed_stats(w.feed).filings, 2);
    begin(&w);
    assert_ok(w.f, filing_reinstate(w.f->db, STR("house-1"), &w.f->fail));
    assert_ok(w.f, trade_reinstate(w.f->db, STR("house-1-0001"), &w.f->fail));
    assert_ok(w.f, trade_reinstate(w.f->db, STR("house-1-0002"), &w.f->fail));
    commit(&w, "filing", "house-1");
    assert_like_loaded(&w);
    assert_int_equal(feed_stats(w.feed).filings, 3);
    assert_int_equal(feed_stats(w.feed).loads, 1);
    feed_destroy(w.feed);
}

static void reinstated_trade_that_memory_lacks_rebuilds_the_feed(void **state)
{
    struct follower w = follow(state);
    put_member(&w, "e000001", "Ada", TODAY);
    publish(&w, PUBLICATION_LIVE, "house-1", "e000001", w.now - 5000, two_rows, 2);
    publish(&w, PUBLICATION_LIVE, "house-2", "e000001", w.now - 5000, two_rows, 2);
    begin(&w);
    assert_ok(
        w.f, trade_withdraw(w.f->db, STR("house-1-0001"), false, w.now, STR("x"), &w.f->fail));
    commit(&w, "trade", "house-1-0001");
    assert_ok(w.f, feed_load(w.feed, w.f->db, &w.seq, &w.f->fail)); /* a server starts */
    begin(&w);
    assert_ok(w.f, trade_reinstate(w.f->db, STR("house-1-0001"), &w.f->fail));
    commit(&w, "trade", "house-1-0001");
    assert_like_loaded(&w);
    assert_int_equal(feed_stats(w.feed).trades, 4);
    assert_int_equal(feed_stats(w.feed).loads, 3);
    feed_destroy(w.feed);
}

static void filing_of_another_member_moves_in_place(void **state)
{
    struct feed_politician p;
    struct follower w = follow(state);
    put_member(&w, "e000001", "Ada", TODAY);
    put_member(&w, "e000002", "Bea", TODAY);
    publish(&w, PUBLICATION_LIVE, "house-1", "e000001", w.now - 5000, two_rows, 2);
    publish(&w, PUBLICATION_LIVE, "house-2", "e000001", w.now - 5000, two_rows, 2);
    take_in(&w);
    move_filing(&w);
    assert_like_loaded(&w);
    rcu_read_begin();
    assert_true(feed_politician(w.feed, STR("e000001"), TODAY, INSTANT_NONE, &p));
    assert_int_equal(p.counts.trades, 2);
    assert_int_equal(p.filings, 1);
    assert_true(feed_politician(w.feed, STR("e000002"), TODAY, INSTANT_NONE, &p));
    assert_int_equal(p.counts.trades, 2);
    assert_int_equal(p.filings, 1);
    rcu_read_end();
    assert_int_equal(feed_stats(w.feed).loads, 1);
    feed_destroy(w.feed);
}

static void notice_of_public_or_unknown_filing_changes_nothing(void **state)
{
    struct follower w = follow(state);
    put_member(&w, "e000001", "Ada", TODAY);
    publish(&w, PUBLICATION_LIVE, "house-1", "e000001", w.now - 5000, two_rows, 2);
    begin(&w);
    assert_ok(w.f, change_add(w.f->db, STR("filing"), STR("house-9"), NULL, &w.f->fail));
    commit(&w, "filing", "house-1");
    assert_like_loaded(&w);
    assert_int_equal(feed_stats(w.feed).trades, 2);
    assert_int_equal(feed_stats(w.feed).loads, 1);
    feed_destroy(w.feed);
}

/* The politician's name in the newest trade. */
static struct str newest_name(struct follower *w)
{
    MEM_UNFILLED struct feed_page page;
    feed_trades(w->feed, &FEED_FILTER_NONE, NULL, 1, &page);
    assert_int_equal(page.count, 1);
    struct str json = page.rows[0].head, key = STR("\"name\":\"");
    ptrdiff_t at = str_find(json, key);
    assert_true(at >= 0);
    json = str_slice(json, (size_t)at + key.n, json.n);
    return str_slice(json, 0, (size_t)str_find_char(json, '"'));
}

static void renamed_member_keeps_the_name_in_trades(void **state)
{
    struct follower w = follow(state);
    put_member(&w, "e000001", "Ada", TODAY);
    put_member(&w, "e000002", "Eve", TODAY);
    publish(&w, PUBLICATION_LIVE, "house-1", "e000001", w.now - 5000, two_rows, 2);
    put_member(&w, "e000001", "Ada", TODAY - 10);
    put_member(&w, "e000002", "Evelyn", TODAY);
    assert_like_loaded(&w);
    put_member(&w, "e000001", "Adele", TODAY - 10);
    assert_like_loaded(&w);
    assert_int_equal(feed_stats(w.feed).loads, 1);
    assert_str(newest_name(&w), "Ada");
    feed_destroy(w.feed);
}

static void imported_company_needs_no_new_edition(void **state)
{
    struct follower w = follow(state);
    const struct ticker ticker = {
        .symbol = STR("NEW"), .company = STR("New Inc."), .industry = STR_NULL};
    struct feed_ticker t;
    put_member(&w, "e000001", "Ada", TODAY);
    publish(&w, PUBLICATION_LIVE, "house-1", "e000001", w.now - 5000, two_rows, 2);
    begin(&w);
    assert_ok(w.f, ticker_put(w.f->db, &ticker, &w.f->fail));
    commit(&w, "ticker", "");
    assert_like_loaded(&w);
    assert_int_equal(feed_stats(w.feed).loads, 1);
    rcu_read_begin();
    assert_true(feed_ticker(w.feed, STR("NEW"), INSTANT_NONE, &t));
    assert_str(t.company->name, "New Inc.");
    static struct feed_tickers_page page;
    struct feed_tickers_filter filter = FEED_TICKERS_FILTER_NONE;
    filter.q = STR("new inc");
    feed_tickers(w.feed, &filter, NULL, 1, &page);
    assert_int_equal(page.count, 1);
    assert_str(page.rows[0].company_name, "New Inc.");
    rcu_read_end();
    feed_destroy(w.feed);
}

static void curated_company_wins_over_an_imported_one(void **state)
{
    struct follower w = follow(state);
    const struct ticker imported[] = {
        {.symbol = STR("AAPL"), .company = STR("Orchards Ltd."), .industry = STR("Agriculture")},
        {.symbol = STR("QQZX"), .company = STR("Quince Ltd."), .industry = STR("Agriculture")}};
    struct feed_ticker t;
    begin(&w);
    for (size_t i = 0; i < 2; i++)
        assert_ok(w.f, ticker_put(w.f->db, &imported[i], &w.f->fail));
    commit(&w, "ticker", "");
    assert_like_loaded(&w);
    rcu_read_begin();
    assert_true(feed_ticker(w.feed, STR("AAPL"), INSTANT_NONE, &t));
    assert_str(t.company->name, "Apple Inc.");
    assert_str(industry_get(t.company->industry)->name, "Computers and electronics");
    assert_true(feed_ticker(w.feed, STR("QQZX"), INSTANT_NONE, &t));
    assert_str(t.company->name, "Quince Ltd.");
    rcu_read_end();
    feed_destroy(w.feed);
}

static void notices_of_other_nouns_or_missing_rows_change_nothing(void **state)
{
    struct follower w = follow(state);
    begin(&w);
    commit(&w, "key", "42");
    begin(&w);
    commit(&w, "trade", "no-such");
    begin(&w);
    commit(&w, "trades", "4711");
    assert_like_loaded(&w);
    assert_int_equal(feed_apply(w.feed, w.f->db, STR("trades"), STR("x"), &w.f->fail), ERR_CORRUPT);
    feed_destroy(w.feed);
}

/* `name`: how the company's name begins; NULL: none. */
static void assert_company(struct follower *w, const char *symbol, const char *name, int64_t trades)
{
    struct feed_ticker t;
    rcu_read_begin();
    assert_true(feed_ticker(w->feed, str_from(symbol), INSTANT_NONE, &t));
    if (!t.company != !name)
        fail_msg("%s: %s company", symbol, t.company ? "a" : "no");
    if (name && !str_starts(t.company->name, str_from(name)))
        fail_msg("%s: %.*s", symbol, STR_ARG(t.company->name));
    assert_int_equal(t.counts.trades, trades);
    rcu_read_end();
}

static void company_of_a_symbol_is_that_of_its_newest_trade(void **state)
{
    static const struct row_spec early[] = {{"FB", "2020-02-03"}, {"CYN", "2013-05-01"}};
    static const struct row_spec late[] = {{"FB", "2026-12-01"}, {"CYN", "2024-05-01"}};
    struct follower w = follow(state);
    put_member(&w, "e000001", "Ada", TODAY + 100);
    take_in(&w);
    assert_company(&w, "FB", "ProShares", 0);
    publish(&w, PUBLICATION_LIVE, "house-1", "e000001", w.now - 9000, early, 2);
    assert_like_loaded(&w);
    assert_company(&w, "FB", "Facebook", 1);
    assert_company(
        &w, "META", "Meta Platforms", 1); /* of its own, not of the predecessor's trade */
    assert_company(&w, "CYN", "City National", 1);
    publish(&w, PUBLICATION_LIVE, "house-2", "e000001", w.now - 5000, late, 2);
    assert_like_loaded(&w);
    assert_company(&w, "FB", "ProShares", 2);
    assert_company(&w, "META", "Meta Platforms", 1); /* the fund's trade is not Facebook's */
    assert_company(&w, "CYN", "Cyngn", 2);
    feed_destroy(w.feed);
}

static void symbol_has_no_company_after_the_end_of_its_last_one(void **state)
{
    static const struct row_spec before[] = {{"FIT", "2020-02-03"}};
    static const struct row_spec shown_late[] = {{"FIT", "2022-01-05"}};
    static const struct row_spec after[] = {{"FIT", "2026-02-03"}};
    struct follower w = follow(state);
    put_member(&w, "e000001", "Ada", TODAY + 100);
    take_in(&w);
    publish(&w, PUBLICATION_LIVE, "house-1", "e000001", w.now - 9000, before, 1);
    assert_like_loaded(&w);
    assert_company(&w, "FIT", "Fitbit", 1);
    publish(&w, PUBLICATION_LIVE, "house-2", "e000001", w.now - 7000, shown_late, 1);
    assert_like_loaded(&w);
    assert_company(&w, "FIT", "Fitbit", 2); /* the SEC's list of the day still had it */
    publish(&w, PUBLICATION_LIVE, "house-3", "e000001", w.now - 5000, after, 1);
    assert_like_loaded(&w);
    assert_company(&w, "FIT", NULL, 3);
    feed_destroy(w.feed);
}

/* --- damage */

struct damages {
    int n;
    char last[64];
};

static void note_damage(void *ctx, const struct feed_damage *damage)
{
    struct damages *d = ctx;
    d->n++;
    snprintf(d->last, sizeof d->last, "%.*s", STR_ARG(damage->id));
}

static void reload(struct follower *w, struct damages *d)
{
    *d = (struct damages){.n = 0};
    assert_ok(w->f, feed_load(w->feed, w->f->db, &w->seq, &w->f->fail));
}

static void damaged_rows_are_reported_and_left_out(void **state)
{
    static const struct {
        const char *damage, *repair;
        int64_t withheld, trades, filings;
        const char *last;
    } cases[] = {
        {"UPDATE trade SET ticker = 'FC' WHERE id = 'house-1-0001'",
         "UPDATE trade SET ticker = 'FB' WHERE id = 'house-1-0001'", 1, 3, 2, "house-1-0001"},
        {"UPDATE trade SET details = NULL WHERE id = 'house-2-0002'",
         "UPDATE trade SET details = '' WHERE id = 'house-2-0002'", 1, 3, 2, "house-2-0002"},
        {"UPDATE trade SET withdrawn_at = 0, withdrawn_reason = '' WHERE id = 'house-2-0001'",
         "UPDATE trade SET withdrawn_at = NULL, withdrawn_reason = NULL WHERE id = 'house-2-0001'",
         1, 3, 2, "house-2-0001"},
        {"UPDATE trade SET source_digest = digest WHERE id = 'house-2-0001'",
         "UPDATE trade SET source_digest = (SELECT o.source_digest FROM trade o"
         " WHERE o.id = 'house-1-0001') WHERE id = 'house-2-0001'",
         1, 3, 2, "house-2-0001"},
        {"UPDATE filing SET member_name = 'Ida Example' WHERE id = 'house-2'",
         "UPDATE filing SET member_name = 'Ada' WHERE id = 'house-2'", 3, 2, 1, "house-2-0002"},
        {"UPDATE member SET slug = 'e000002'", "UPDATE member SET slug = 'e000001'", 6, 0, 0,
         "house-2-0002"},
    };
    struct follower w = follow(state);
    struct damages d;
    put_member(&w, "e000001", "Ada", TODAY);
    publish(&w, PUBLICATION_LIVE, "house-1", "e000001", w.now - 5000, two_rows, 2);
    publish(&w, PUBLICATION_LIVE, "house-2", "e000001", w.now - 5000, two_rows, 2);
    feed_on_damage(w.feed, note_damage, &d);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run(&w, cases[i].damage);
        reload(&w, &d);
        assert_int_equal(d.n, cases[i].withheld);
        assert_string_equal(d.last, cases[i].last);
        assert_int_equal(feed_stats(w.feed).withheld, cases[i].withheld);
        assert_int_equal(feed_stats(w.feed).trades, cases[i].trades);
        assert_int_equal(feed_stats(w.feed).filings, cases[i].filings);
        run(&w, cases[i].repair);
        reload(&w, &d);
        assert_int_equal(d.n, 0);
        assert_int_equal(feed_stats(w.feed).trades, 4);
    }
    feed_destroy(w.feed);
}

/* A row that is read for a notice is compared too. */
static void damaged_row_of_a_notice_is_left_out(void **state)
{
    static const char *const notices[][2] = {
        {"trade", "house-1-0001"}, {"filing", "house-1"}, {"trades", "1"}};
    struct damages d = {.n = 0};
    struct follower w = follow(state);
    put_member(&w, "e000001", "Ada", TODAY);
    publish(&w, PUBLICATION_LIVE, "house-1", "e000001", w.now - 5000, two_rows, 2);
    for (size_t i = 0; i < sizeof notices / sizeof *notices; i++) {
        reload(&w, &d);
        assert_int_equal(feed_stats(w.feed).trades, 2);
        begin(&w);
        run(&w, "UPDATE trade SET ticker = 'FC' WHERE id = 'house-1-0001'");
        commit(&w, notices[i][0], notices[i][1]);
        take_in(&w);
        assert_int_equal(feed_stats(w.feed).trades, 1);
        assert_int_equal(feed_stats(w.feed).withheld, 1);
        assert_int_equal(count_of(&w, "FC"), 0);
        run(&w, "UPDATE trade SET ticker = 'FB' WHERE id = 'house-1-0001'");
    }
    feed_destroy(w.feed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(publications_are_appended_and_repeated_notices_change_nothing),
        store_test(trade_shows_party_at_filing_and_profile_shows_current),
        store_test(backfill_rebuilds_edition_in_order),
        store_test(withdrawals_and_corrections_are_applied_in_place),
        store_test(late_trades_follow_corrections_of_dates),
        store_test(reinstatements_are_applied_in_place),
        store_test(damaged_rows_are_reported_and_left_out),
        store_test(damaged_row_of_a_notice_is_left_out),
        store_test(reinstated_trade_that_memory_lacks_rebuilds_the_feed),
        store_test(filing_of_another_member_moves_in_place),
        store_test(notice_of_public_or_unknown_filing_changes_nothing),
        store_test(renamed_member_keeps_the_name_in_trades),
        store_test(imported_company_needs_no_new_edition),
        store_test(curated_company_wins_over_an_imported_one),
        store_test(company_of_a_symbol_is_that_of_its_newest_trade),
        store_test(symbol_has_no_company_after_the_end_of_its_last_one),
        store_test(notices_of_other_nouns_or_missing_rows_change_nothing),
    };
    rcu_thread_start();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rcu_thread_stop();
    return failed;
}
