/* The rules of cursor pagination (spec 8), and readers concurrent with the writer. */
#include "unit.h"

#include <pthread.h>
#include <stdlib.h>

#include "feed/trade_filter.h"
#include "feed_maker.h"
#include "market/industry.h"
#include "noun/trade_read.h"

/* Number of the row at that place of a page. */
static uint64_t number_of(const struct feed_page *page, size_t i)
{
    struct str id = str_slice(page->rows[i].head, sizeof "{\"id\":\"house-1-" - 1, 25);
    int64_t number;
    assert_true(str_to_i64(id, &number));
    return (uint64_t)number;
}

static enum edition_push push(struct feed *feed, const struct maker_trade *t)
{
    const struct edition_trade is = maker_edition(t);
    return edition_push_trade(feed_edition(feed), &is);
}

static void publish(struct feed *feed, uint64_t from, uint64_t to, int64_t at_ms)
{
    for (uint64_t n = from; n < to; n++)
        maker_push(feed_edition(feed), n, at_ms);
    edition_show(feed_edition(feed));
}

static bool withdraw(struct feed *feed, uint64_t n, int64_t at_ms)
{
    struct maker_trade t;
    maker_make(&t, n, at_ms);
    return edition_withdraw_trade(feed_edition(feed), at_ms, t.trade.id);
}

/* Walks from the cursor and expects exactly the numbers first, first - 1, ..., last. */
static void assert_walk(
    struct feed *feed, const struct cursor *after, size_t limit, uint64_t first, uint64_t last)
{
    struct feed_filter filter = FEED_FILTER_NONE;
    struct cursor cursor;
    static struct feed_page page;
    uint64_t expected = first;
    do {
        rcu_read_begin();
        feed_trades(feed, &filter, after, limit, &page);
        for (size_t i = 0; i < page.count; i++)
            assert_int_equal(number_of(&page, i), expected--);
        rcu_read_end();
        cursor = page.next;
        after = &cursor;
        assert_true(page.count == limit || !page.more);
    } while (page.more);
    assert_int_equal(expected, last - 1);
}

static void five_hundred_rows_of_one_instant_are_returned_once_each(void **state)
{
    struct feed *feed = feed_create();
    publish(feed, 1, 301, 1000);
    publish(feed, 301, 801, 2000);
    publish(feed, 801, 901, 3000);
    assert_walk(feed, NULL, 7, 900, 1);
    assert_walk(feed, NULL, 100, 900, 1);
    feed_destroy(feed);
}

static void rows_published_during_a_walk_neither_appear_nor_shift_it(void **state)
{
    struct feed *feed = feed_create();
    struct feed_filter filter = FEED_FILTER_NONE;
    static struct feed_page page;
    publish(feed, 1, 101, 1000);
    rcu_read_begin();
    feed_trades(feed, &filter, NULL, 25, &page);
    rcu_read_end();
    struct cursor cursor = page.next;
    publish(feed, 101, 151, 2000);
    assert_walk(feed, &cursor, 25, 75, 1);
    assert_walk(feed, NULL, 25, 150, 1);
    feed_destroy(feed);
}

static void cursor_of_withdrawn_row_continues(void **state)
{
    struct feed *feed = feed_create();
    struct feed_filter filter = FEED_FILTER_NONE;
    static struct feed_page page;
    publish(feed, 1, 101, 1000);
    rcu_read_begin();
    feed_trades(feed, &filter, NULL, 10, &page);
    rcu_read_end();
    struct cursor cursor = page.next;
    assert_true(withdraw(feed, 91, 1000));
    assert_false(withdraw(feed, 91, 1000));
    assert_walk(feed, &cursor, 10, 90, 1);
    feed_destroy(feed);
}

static void full_last_page_has_no_next_page(void **state)
{
    struct feed *feed = feed_create();
    struct feed_filter filter = FEED_FILTER_NONE;
    static struct feed_page page;
    publish(feed, 1, 26, 1000);
    rcu_read_begin();
    feed_trades(feed, &filter, NULL, 25, &page);
    assert_int_equal(page.count, 25);
    assert_false(page.more);
    feed_trades(feed, &filter, NULL, 24, &page);
    assert_int_equal(page.count, 24);
    assert_true(page.more);
    rcu_read_end();
    /* the following rows are withdrawn: no row remains after the page */
    assert_true(withdraw(feed, 1, 1000));
    rcu_read_begin();
    feed_trades(feed, &filter, NULL, 24, &page);
    assert_false(page.more);
    rcu_read_end();
    feed_destroy(feed);
}

static void withdrawn_rows_do_not_shorten_pages(void **state)
{
    enum { ROWS = 6000, FIRST_GONE = 500, LAST_GONE = 5500 };
    struct feed *feed = feed_create();
    publish(feed, 1, ROWS + 1, 1000);
    for (uint64_t n = FIRST_GONE; n <= LAST_GONE; n++)
        assert_true(withdraw(feed, n, 1000));
    assert_int_equal(feed_stats(feed).trades, ROWS - (LAST_GONE - FIRST_GONE + 1));
    struct edition *e = feed_edition(feed);
    for (int chamber = CHAMBER_HOUSE; chamber < CHAMBER_COUNT; chamber++) {
        struct posting_view list =
            postings_find(&e->trade_lists, posting_key_of(0, 0, (enum chamber)chamber, false));
        struct series_view v = series_writer_view(&e->trades);
        uint32_t dead = 0;
        for (uint32_t i = 0; i < list.n; i++)
            dead += !series_is_live(&v, posting_at(&list, i));
        assert_int_equal(list.dead, dead);
        assert_true(dead < POSTING_DEAD_MAX);
    }
    static struct feed_page page;
    struct feed_filter filter = FEED_FILTER_NONE;
    struct maker_trade t;
    maker_make(&t, LAST_GONE + 1, 1000);
    struct cursor cursor = cursor_at(CURSOR_TRADES, 1000, t.trade.id);
    rcu_read_begin();
    feed_trades(feed, &filter, &cursor, 1, &page);
    assert_int_equal(number_of(&page, 0), FIRST_GONE - 1);
    rcu_read_end();
    feed_destroy(feed);
}

static void unknown_filter_values_give_an_empty_page(void **state)
{
    struct feed *feed = feed_create();
    static struct feed_page page;
    publish(feed, 1, 11, 1000);
    struct feed_filter filter = FEED_FILTER_NONE;
    filter.ticker = STR("NOSUCH");
    rcu_read_begin();
    feed_trades(feed, &filter, NULL, 25, &page);
    assert_int_equal(page.count, 0);
    assert_false(page.more);
    filter = FEED_FILTER_NONE;
    filter.politician = STR("no-such");
    feed_trades(feed, &filter, NULL, 25, &page);
    assert_int_equal(page.count, 0);
    rcu_read_end();
    feed_destroy(feed);
}

static void since_is_inclusive(void **state)
{
    struct feed *feed = feed_create();
    static struct feed_page page;
    publish(feed, 1, 11, 1000);
    publish(feed, 11, 21, 2000);
    static const struct {
        int64_t since_ms;
        size_t count;
    } cases[] = {{999, 20}, {1000, 20}, {1001, 10}, {2000, 10}, {2001, 0}, {INT64_MAX, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct feed_filter filter = FEED_FILTER_NONE;
        filter.since_ms = cases[i].since_ms;
        rcu_read_begin();
        feed_trades(feed, &filter, NULL, 100, &page);
        rcu_read_end();
        assert_int_equal(page.count, cases[i].count);
    }
    feed_destroy(feed);
}

static void publication_is_invisible_until_it_is_shown(void **state)
{
    struct feed *feed = feed_create();
    static struct feed_page page;
    struct feed_filter all = FEED_FILTER_NONE, house = FEED_FILTER_NONE;
    house.chamber = CHAMBER_HOUSE;
    for (uint64_t n = 1; n < 500; n++)
        maker_push(feed_edition(feed), n, 1000);
    rcu_read_begin();
    feed_trades(feed, &all, NULL, 25, &page);
    assert_int_equal(page.count, 0);
    feed_trades(feed, &house, NULL, 25, &page);
    assert_int_equal(page.count, 0);
    rcu_read_end();
    edition_show(feed_edition(feed));
    assert_walk(feed, NULL, 25, 499, 1);
    feed_destroy(feed);
}

static void existing_rows_and_late_rows_are_distinguished(void **state)
{
    struct feed *feed = feed_create();
    struct maker_trade t;
    publish(feed, 5, 10, 1000);
    maker_make(&t, 7, 1000);
    assert_int_equal(push(feed, &t), EDITION_PRESENT);
    maker_make(&t, 4, 1000);
    assert_int_equal(push(feed, &t), EDITION_DISORDER);
    maker_make(&t, 20, 999);
    assert_int_equal(push(feed, &t), EDITION_DISORDER);
    feed_destroy(feed);
}

static void tag_of_row_depends_on_content(void **state)
{
    struct feed *one = feed_create(), *other = feed_create();
    static struct feed_page a, b;
    struct feed_filter filter = FEED_FILTER_NONE;
    publish(one, 1, 5, 900);
    publish(one, 5, 6, 1000);
    publish(other, 5, 6, 1000);
    rcu_read_begin();
    feed_trades(one, &filter, NULL, 1, &a);
    feed_trades(other, &filter, NULL, 1, &b);
    assert_int_equal(a.rows[0].tag, b.rows[0].tag);
    rcu_read_end();
    struct maker_trade t;
    maker_make(&t, 5, 1000);
    struct edition_conflict conflict = {1000, t.trade.id, STR("Something new.")};
    assert_int_equal(edition_set_conflicts(feed_edition(other), &conflict, 1), 1);
    rcu_read_begin();
    feed_trades(other, &filter, NULL, 1, &b);
    assert_int_not_equal(a.rows[0].tag, b.rows[0].tag);
    rcu_read_end();
    feed_destroy(one);
    feed_destroy(other);
}

static void filings_are_ordered_by_publication_and_counted_per_filer(void **state)
{
    struct feed *feed = feed_create();
    struct edition *e = feed_edition(feed);
    static struct feed_page page;
    struct feed_filings_filter filter = FEED_FILINGS_FILTER_NONE;
    const struct people_profile profile = {
        .id = STR("E000001"),
        .slug = STR("ada-example"),
        .name = STR("Ada Example"),
        .chamber = CHAMBER_SENATE,
        .state = STR("NY"),
        .district = -1,
        .service = (struct member_service[]){{CHAMBER_SENATE, 10000, 20000}},
        .service_count = 1};
    edition_put_member(e, &profile);
    struct filing filing = {
        .chamber = CHAMBER_HOUSE,
        .source_doc_id = STR("1"),
        .url = STR("https://example.org/1"),
        .politician_id = STR("E000001"),
        .filed_at = 500};
    static const char *const ids[] = {"house-1", "house-2", "senate-1"};
    for (int i = 0; i < 3; i++) {
        filing.id = str_from(ids[i]);
        filing.chamber = i == 2 ? CHAMBER_SENATE : CHAMBER_HOUSE;
        filing.published_at = i == 0 ? 1000 : 2000;
        assert_int_equal(edition_push_filing(e, &filing), EDITION_PUSHED);
    }
    edition_show(e);
    rcu_read_begin();
    feed_filings(feed, &filter, NULL, 2, &page);
    assert_int_equal(page.count, 2);
    assert_true(page.more);
    assert_true(str_starts(page.rows[0].head, STR("{\"id\":\"senate-1\"")));
    assert_true(str_starts(page.rows[1].head, STR("{\"id\":\"house-2\"")));
    assert_str(page.rows[0].tail, "");
    assert_int_equal(page.next.resource, CURSOR_FILINGS);
    struct cursor cursor = page.next;
    feed_filings(feed, &filter, &cursor, 2, &page);
    assert_int_equal(page.count, 1);
    assert_false(page.more);
    filter.chamber = CHAMBER_HOUSE;
    feed_filings(feed, &filter, NULL, 25, &page);
    assert_int_equal(page.count, 2);
    rcu_read_end();

    assert_true(edition_withdraw_filing(e, 2000, STR("house-2")));
    assert_false(edition_withdraw_filing(e, 2000, STR("house-2")));
    struct feed_politician p;
    rcu_read_begin();
    feed_filings(feed, &filter, NULL, 25, &page);
    assert_int_equal(page.count, 1);
    assert_true(feed_politician(feed, STR("E000001"), 19999, INSTANT_NONE, &p));
    assert_str(p.slug, "ada-example");
    assert_str(p.committees_json, "[]");
    assert_int_equal(p.filings, 2);
    assert_int_equal(p.district, -1);
    assert_true(p.in_office);
    assert_true(feed_politician(feed, STR("ada-example"), 20000, INSTANT_NONE, &p));
    assert_false(p.in_office);
    assert_int_equal(p.service_count, 1);
    assert_int_equal(p.service[0].from, 10000);
    assert_int_equal(p.counts.trades, 0);
    assert_int_equal(p.counts.last_activity, INSTANT_NONE);
    assert_false(feed_politician(feed, STR("nobody"), 20001, INSTANT_NONE, &p));
    rcu_read_end();
    feed_destroy(feed);
}

static void push_filing(
    struct edition *e, const char *id, enum chamber chamber, const char *politician, int64_t at)
{
    const struct filing filing = {
        .id = str_from(id),
        .chamber = chamber,
        .source_doc_id = STR("1"),
        .url = STR("https://example.org/1"),
        .politician_id = str_from(politician),
        .filed_at = 500,
        .published_at = at};
    assert_int_equal(edition_push_filing(e, &filing), EDITION_PUSHED);
}

/* The ids of the filings of a page, each with a space behind it. */
static struct str filing_ids(
    const struct feed *feed, const struct feed_filings_filter *filter, const struct cursor *after,
    size_t limit, struct feed_page *page)
{
    static char space[256];
    struct buf b = buf_over(space, sizeof space);
    struct str head = STR("{\"id\":\"");
    feed_filings(feed, filter, after, limit, page);
    for (size_t i = 0; i < page->count; i++) {
        struct str rest = str_slice(page->rows[i].head, head.n, page->rows[i].head.n), id;
        assert_true(str_split(&rest, '"', &id));
        buf_str(&b, id);
        buf_char(&b, ' ');
    }
    return buf_view(&b);
}

static void filings_are_filtered_by_politician_and_chamber(void **state)
{
    struct feed *feed = feed_create();
    struct edition *e = feed_edition(feed);
    static struct feed_page page;
    struct people_profile member = {
        .id = STR("E000001"),
        .slug = STR("ada-example"),
        .name = STR("Ada Example"),
        .chamber = CHAMBER_SENATE,
        .district = -1};
    edition_put_member(e, &member);
    member.id = STR("E000002");
    member.slug = STR("ben-example");
    edition_put_member(e, &member);
    push_filing(e, "house-1", CHAMBER_HOUSE, "E000001", 1000);
    push_filing(e, "house-2", CHAMBER_HOUSE, "E000002", 2000);
    push_filing(e, "house-3", CHAMBER_HOUSE, "E000001", 3000);
    push_filing(e, "senate-4", CHAMBER_SENATE, "E000001", 4000);
    push_filing(e, "senate-5", CHAMBER_SENATE, "E000003", 5000);
    edition_show(e);

    struct feed_filings_filter filter = FEED_FILINGS_FILTER_NONE;
    rcu_read_begin();
    filter.politician = STR("ada-example");
    assert_str(filing_ids(feed, &filter, NULL, 2, &page), "senate-4 house-3 ");
    assert_true(page.more);
    struct cursor after = page.next;
    assert_str(filing_ids(feed, &filter, &after, 2, &page), "house-1 ");
    assert_false(page.more);
    filter.until_ms = 3000;
    assert_str(filing_ids(feed, &filter, NULL, 9, &page), "house-1 ");
    filter.until_ms = INSTANT_NONE;
    filter.chamber = CHAMBER_HOUSE;
    assert_str(filing_ids(feed, &filter, NULL, 9, &page), "house-3 house-1 ");
    filter.politician = STR("E000002");
    assert_str(filing_ids(feed, &filter, NULL, 9, &page), "house-2 ");
    filter.chamber = CHAMBER_SENATE;
    assert_str(filing_ids(feed, &filter, NULL, 9, &page), "");
    filter.politician = STR("nobody");
    assert_str(filing_ids(feed, &filter, NULL, 9, &page), "");
    assert_false(page.more);
    rcu_read_end();

    const struct filing given = {
        .id = STR("house-3"),
        .chamber = CHAMBER_HOUSE,
        .source_doc_id = STR("1"),
        .url = STR("https://example.org/1"),
        .politician_id = STR("E000002"),
        .filed_at = 500,
        .published_at = 3000};
    assert_true(edition_put_filing(e, &given));
    assert_true(edition_withdraw_filing(e, 1000, STR("house-1")));
    rcu_read_begin();
    filter.chamber = CHAMBER_HOUSE;
    filter.politician = STR("ada-example");
    assert_str(filing_ids(feed, &filter, NULL, 9, &page), "");
    filter.politician = STR("ben-example");
    assert_str(filing_ids(feed, &filter, NULL, 9, &page), "house-3 house-2 ");
    rcu_read_end();
    feed_destroy(feed);
}

static void known_symbol_without_trades_has_a_company_and_zero_counts(void **state)
{
    struct feed *feed = feed_create();
    struct feed_ticker t;
    struct edition *e = feed_edition(feed);
    edition_put_ticker(
        e, STR("EXMP"), (struct symbol_company){STR("Example Inc."), STR_NULL, STR("a list")});
    rcu_read_begin();
    assert_true(feed_ticker(feed, STR("EXMP"), INSTANT_NONE, &t));
    assert_int_equal(t.company_count, 1);
    assert_str(t.company->name, "Example Inc.");
    assert_int_equal(t.company->industry, 0);
    assert_int_equal(t.counts.trades, 0);
    assert_int_equal(t.counts.first_activity, INSTANT_NONE);
    assert_false(feed_ticker(feed, STR("NOSUCH"), INSTANT_NONE, &t));
    rcu_read_end();
    edition_put_ticker(
        e, STR("EXMP"),
        (struct symbol_company){STR("Example plc"), STR("Oil and gas"), STR("a list")});
    rcu_read_begin();
    assert_true(feed_ticker(feed, STR("EXMP"), INSTANT_NONE, &t));
    assert_str(t.company->name, "Example plc");
    assert_int_equal(t.company->industry, industry_from_name(STR("Oil and gas")));
    rcu_read_end();
    feed_destroy(feed);
}

static void symbol_of_the_lists_is_known_without_trades_and_imports(void **state)
{
    struct feed *feed = feed_create();
    struct feed_ticker t;
    rcu_read_begin();
    assert_true(feed_ticker(feed, STR("FB"), INSTANT_NONE, &t));
    assert_int_equal(t.company_count, 2);
    assert_true(str_starts(t.company->name, STR("ProShares"))); /* the present one */
    assert_int_equal(t.counts.last_activity, INSTANT_NONE);
    assert_true(feed_ticker(feed, STR("KCG"), INSTANT_NONE, &t));
    assert_null(t.company); /* it ended in 2017, and no company has the symbol now */
    assert_str(t.companies[0].name, "KCG Holdings, Inc.");
    rcu_read_end();
    feed_destroy(feed);
}

static const uint32_t *items_of(struct feed *feed, posting_key key)
{
    return postings_find(&feed_edition(feed)->trade_lists, key).items;
}

/* Each rewritten list costs as much as it is long: those of a chamber have half of all trades. */
static void changed_filing_rewrites_only_lists_that_gain_or_lose_rows(void **state)
{
    enum { TRADES = 500 };
    struct feed *feed = feed_create();
    struct maker_trade made[TRADES];
    struct edition_trade changed[TRADES];
    struct feed_politician p;
    struct feed_ticker t;
    for (uint64_t i = 0; i < TRADES; i++) {
        maker_make(&made[i], i, 1);
        made[i].trade.politician.chamber = CHAMBER_SENATE;
        made[i].trade.politician.slug = STR("ada-vale");
        made[i].trade.values.ticker = STR("QQAA");
        made[i].trade.conflict_reason = STR_NULL;
        assert_int_equal(push(feed, &made[i]), EDITION_PUSHED);
        changed[i] = maker_edition(&made[i]);
        changed[i].is.politician.slug = STR("kim-marlow");
    }
    edition_show(feed_edition(feed));
    uint32_t ticker = symbols_find(&feed_edition(feed)->symbols, STR("QQAA"))->index;
    const posting_key kept[] = {
        posting_key_of(0, 0, CHAMBER_SENATE, false), posting_key_of(0, ticker, CHAMBER_NONE, false),
        posting_key_of(0, ticker, CHAMBER_SENATE, false)};
    const uint32_t *before[3];
    for (int i = 0; i < 3; i++)
        before[i] = items_of(feed, kept[i]);
    assert_true(edition_put_trades(feed_edition(feed), changed, TRADES));
    for (int i = 0; i < 3; i++)
        assert_ptr_equal(items_of(feed, kept[i]), before[i]);
    rcu_read_begin();
    assert_true(feed_politician(feed, STR("kim-marlow"), 20000, INSTANT_NONE, &p));
    assert_int_equal(p.counts.trades, TRADES);
    assert_true(feed_politician(feed, STR("ada-vale"), 20000, INSTANT_NONE, &p));
    assert_int_equal(p.counts.trades, 0);
    assert_true(feed_ticker(feed, STR("QQAA"), INSTANT_NONE, &t));
    assert_int_equal(t.politicians, 1);
    rcu_read_end();
    feed_destroy(feed);
}

/* Readers concurrent with a writer that publishes, withdraws, changes signals and swaps whole
 * editions. Rows whose number is divisible by WITHDRAWN_EVERY may be withdrawn; every walk returns
 * each other row exactly once. */
enum { LIVE_ROWS = 6000, WITHDRAWN_EVERY = 13, READERS = 2 };

struct live {
    struct feed *feed;
    _Atomic uint64_t shown;
    atomic_bool done;
};

static void check(bool good, const char *what)
{
    if (!good) {
        fprintf(stderr, "reader: %s\n", what);
        abort();
    }
}

static uint64_t live_number(const struct feed_row *row)
{
    int64_t number = 0;
    check(
        str_to_i64(str_slice(row->head, sizeof "{\"id\":\"house-1-" - 1, 25), &number),
        "the row's JSON is damaged");
    return (uint64_t)number;
}

/* One walk over all rows: it contains every row below the first except withdrawn ones. */
static void live_walk(struct live *live, size_t limit)
{
    struct feed_filter filter = FEED_FILTER_NONE;
    struct feed_page page;
    struct cursor cursor;
    uint64_t shown = atomic_load(&live->shown), last = 0;
    const struct cursor *after = NULL;
    do {
        rcu_read_begin();
        feed_trades(live->feed, &filter, after, limit, &page);
        for (size_t i = 0; i < page.count; i++) {
            uint64_t number = live_number(&page.rows[i]);
            if (last == 0)
                check(
                    number + (shown % WITHDRAWN_EVERY == 0) >= shown,
                    "a shown row is missing at the top");
            else
                check(number < last, "a row came twice");
            for (uint64_t gone = number + 1; gone < last; gone++)
                check(gone % WITHDRAWN_EVERY == 0, "a row was left out");
            check(page.rows[i].tail.n > 0, "a tail is empty");
            last = number;
        }
        rcu_read_end();
        cursor = page.next;
        after = &cursor;
    } while (page.more);
    check(shown == 0 || last == 1, "the walk ended early");
}

/* The rows of the one filing, and those of a chamber by their slices. */
static void live_counts(struct live *live)
{
    uint64_t shown = atomic_load(&live->shown);
    struct feed_filter of_filing = FEED_FILTER_NONE, of_chamber = FEED_FILTER_NONE;
    struct feed_counts all, some;
    of_filing.filing = STR("house-1");
    of_chamber.chamber = CHAMBER_HOUSE;
    rcu_read_begin();
    feed_counts(live->feed, &of_filing, &all);
    feed_counts(live->feed, &of_chamber, &some);
    rcu_read_end();
    check(
        (uint64_t)all.trades + shown / WITHDRAWN_EVERY + 1 >= shown,
        "a filing lacks rows that were shown");
    check(all.buys + all.sells + all.exchanges == all.trades, "the sides are not all trades");
    check(some.buys + some.sells + some.exchanges == some.trades, "the sides are not the chamber");
}

static void *live_reader(void *arg)
{
    struct live *live = arg;
    size_t limit = 7;
    rcu_thread_start();
    while (!atomic_load(&live->done)) {
        live_walk(live, limit);
        live_counts(live);
        limit = limit == 7 ? 100 : 7;
    }
    rcu_thread_stop();
    return NULL;
}

static void live_rebuild(struct live *live, uint64_t published)
{
    struct edition *fresh = edition_create();
    for (uint64_t n = 1; n <= published; n++)
        if (n % WITHDRAWN_EVERY)
            maker_push(fresh, n, (int64_t)(n / 10));
    edition_show(fresh);
    feed_swap(live->feed, fresh);
}

static void concurrent_walk_returns_each_row_once(void **state)
{
    struct live live = {.feed = feed_create()};
    pthread_t threads[READERS];
    for (int i = 0; i < READERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, live_reader, &live), 0);
    for (uint64_t n = 1; n <= LIVE_ROWS; n++) {
        maker_push(feed_edition(live.feed), n, (int64_t)(n / 10));
        if (n % 10)
            continue;
        edition_show(feed_edition(live.feed));
        atomic_store(&live.shown, n);
        uint64_t gone = n / 2 - n / 2 % WITHDRAWN_EVERY;
        if (gone)
            withdraw(live.feed, gone, (int64_t)(gone / 10));
        struct maker_trade t;
        maker_make(&t, n / 3 + 1, (int64_t)((n / 3 + 1) / 10));
        struct edition_conflict conflict = {
            t.trade.disclosed_at, t.trade.id, n % 20 ? STR("Swept.") : STR_NULL};
        edition_set_conflicts(feed_edition(live.feed), &conflict, 1);
        t.trade.values.asset_name = STR("Corrected");
        const struct edition_trade corrected = maker_edition(&t);
        if ((n / 3 + 1) % WITHDRAWN_EVERY)
            edition_put_trades(feed_edition(live.feed), &corrected, 1);
        if (n % 2000 == 0)
            live_rebuild(&live, n);
    }
    atomic_store(&live.done, true);
    for (int i = 0; i < READERS; i++)
        pthread_join(threads[i], NULL);
    feed_destroy(live.feed);
}

enum { LARGE_ROWS = 10700 };

static struct feed *large_feed(void)
{
    struct feed *feed = feed_create();
    for (uint64_t n = 1; n <= LARGE_ROWS; n += 100)
        publish(feed, n, n + 100, (int64_t)n);
    return feed;
}

static void add_test(
    struct feed_filter *filter, struct feed_test tests[static PARAM_TABLE_MAX], const char *name,
    int64_t number)
{
    const struct param_value value = {STR_NULL, number};
    trade_filter_add(trade_filter_named(str_from(name)), &value, filter, tests);
}

static void page_of_few_matches_is_complete_at_once(void **state)
{
    struct feed *feed = large_feed();
    struct feed_filter filter = FEED_FILTER_NONE;
    struct feed_test tests[PARAM_TABLE_MAX];
    static struct feed_page page;
    size_t expected = 0;
    int32_t from = MAKER_FIRST_DAY + 1000, to = MAKER_FIRST_DAY + 1010;
    add_test(&filter, tests, "traded_from", from);
    add_test(&filter, tests, "traded_to", to);
    for (uint64_t n = 1; n <= LARGE_ROWS; n++) {
        struct maker_trade t;
        maker_make(&t, n, 0);
        expected += t.trade.values.trade_date != DAY_NONE && t.trade.values.trade_date >= from &&
                    t.trade.values.trade_date <= to;
    }
    rcu_read_begin();
    feed_trades(feed, &filter, NULL, FEED_PAGE_MAX, &page);
    rcu_read_end();
    assert_true(expected > 0 && expected < FEED_PAGE_MAX);
    assert_int_equal(page.count, expected);
    assert_false(page.more);
    feed_destroy(feed);
}

static void full_page_of_tests_continues_after_its_last_row(void **state)
{
    struct feed *feed = large_feed();
    struct feed_filter filter = FEED_FILTER_NONE;
    struct feed_test tests[PARAM_TABLE_MAX];
    static struct feed_page whole, half;
    add_test(&filter, tests, "side", SIDE_EXCHANGE);
    rcu_read_begin();
    feed_trades(feed, &filter, NULL, 10, &whole);
    feed_trades(feed, &filter, NULL, 5, &half);
    assert_int_equal(whole.count, 10);
    assert_int_equal(half.count, 5);
    assert_true(half.more);
    assert_int_equal(number_of(&half, 4), number_of(&whole, 4));
    struct cursor cursor = half.next;
    feed_trades(feed, &filter, &cursor, 5, &half);
    assert_int_equal(number_of(&half, 0), number_of(&whole, 5));
    rcu_read_end();
    feed_destroy(feed);
}

static void put_person(struct feed *feed, const char *slug, const char *name, enum chamber chamber)
{
    const struct people_profile profile = {
        .id = str_from(slug),
        .slug = str_from(slug),
        .name = str_from(name),
        .chamber = chamber,
        .district = -1,
    };
    edition_put_member(feed_edition(feed), &profile);
}

/* The slugs of a walk, each followed by a space. */
static void people_walk(
    struct feed *feed, struct str q, enum chamber chamber, size_t limit, struct buf *ret)
{
    struct feed_people_filter filter = FEED_PEOPLE_FILTER_NONE;
    static struct feed_people_page page;
    struct cursor cursor, *after = NULL;
    filter.q = q;
    filter.chamber = chamber;
    do {
        rcu_read_begin();
        feed_people(feed, &filter, after, limit, 0, &page);
        for (size_t i = 0; i < page.count; i++) {
            buf_str(ret, page.rows[i].slug);
            buf_char(ret, ' ');
        }
        rcu_read_end();
        assert_true(page.count == limit || !page.more);
        cursor = page.next;
        after = &cursor;
    } while (page.more);
}

static void assert_people(
    struct feed *feed, const char *q, enum chamber chamber, const char *expected)
{
    for (size_t limit = 1; limit <= 4; limit++) {
        char space[1024];
        struct buf slugs = buf_over(space, sizeof space);
        people_walk(feed, str_from(q), chamber, limit, &slugs);
        assert_str(buf_view(&slugs), expected);
    }
}

static void people_are_listed_once_each_by_slug(void **state)
{
    struct feed *feed = feed_create();
    assert_people(feed, NULL, CHAMBER_NONE, "");
    put_person(feed, "cy-holm", "Cy Holm", CHAMBER_HOUSE);
    put_person(feed, "ada-lindqvist", "Ada Lindqvist", CHAMBER_SENATE);
    put_person(feed, "ben-ferncastle", "Ben Ferncastle", CHAMBER_HOUSE);
    edition_show(feed_edition(feed));
    assert_people(feed, NULL, CHAMBER_NONE, "ada-lindqvist ben-ferncastle cy-holm ");
    put_person(feed, "ben-a", "Ben A.", CHAMBER_HOUSE);
    edition_show(feed_edition(feed));
    assert_people(feed, NULL, CHAMBER_NONE, "ada-lindqvist ben-a ben-ferncastle cy-holm ");
    feed_destroy(feed);
}

static void people_are_found_by_name_words_and_chamber(void **state)
{
    struct feed *feed = feed_create();
    put_person(feed, "raul-holm", "Ra\xc3\xbal B. Holm", CHAMBER_HOUSE);
    put_person(feed, "ada-lindqvist", "Ada Lindqvist", CHAMBER_SENATE);
    put_person(feed, "ben-holmgren", "Ben Holmgren", CHAMBER_SENATE);
    edition_show(feed_edition(feed));
    assert_people(feed, "holm", CHAMBER_NONE, "raul-holm ben-holmgren "); /* a whole word first */
    assert_people(feed, "holm", CHAMBER_HOUSE, "raul-holm ");
    assert_people(feed, "holm raul", CHAMBER_NONE, "raul-holm ");
    assert_people(feed, "holm ada", CHAMBER_NONE, "");
    assert_people(feed, NULL, CHAMBER_SENATE, "ada-lindqvist ben-holmgren ");
    put_person(feed, "raul-holm", "Zo\xc3\xab Winter", CHAMBER_HOUSE); /* renamed since */
    edition_show(feed_edition(feed));
    assert_people(feed, "zoe", CHAMBER_NONE, "raul-holm ");
    const struct people_profile also = {
        .id = STR("raul-holm"),
        .slug = STR("raul-holm"),
        .name = STR("Zo\xc3\xab Winter"),
        .chamber = CHAMBER_HOUSE,
        .other_names = STR("Ra\xc3\xbal Q. Holm\nZo\xc3\xab Quill")};
    edition_put_member(feed_edition(feed), &also);
    edition_show(feed_edition(feed));
    assert_people(feed, "zoe winter", CHAMBER_NONE, "raul-holm ");
    assert_people(feed, "zoe quill", CHAMBER_NONE, "raul-holm ");
    assert_people(feed, "raul holm", CHAMBER_NONE, "raul-holm ");
    feed_destroy(feed);
}

static void best_fitting_names_come_first(void **state)
{
    struct feed *feed = feed_create();
    put_person(feed, "ada-lee", "Ada Lee", CHAMBER_HOUSE);
    put_person(feed, "bo-leeson", "Bo Leeson", CHAMBER_HOUSE);
    put_person(feed, "cy-ashleen", "Cy Ashleen", CHAMBER_HOUSE);
    put_person(feed, "lee-vale", "Lee Vale", CHAMBER_SENATE);
    put_person(feed, "zed-lee", "Lee", CHAMBER_SENATE);
    edition_show(feed_edition(feed));
    assert_people(feed, "lee", CHAMBER_NONE, "zed-lee lee-vale ada-lee bo-leeson cy-ashleen ");
    assert_people(feed, "lee", CHAMBER_HOUSE, "ada-lee bo-leeson cy-ashleen ");
    assert_people(feed, "le le", CHAMBER_SENATE, "lee-vale zed-lee ");
    feed_destroy(feed);
}

static void names_alike_are_listed_only_if_no_name_has_the_words(void **state)
{
    struct feed *feed = feed_create();
    put_person(feed, "ada-lindqvist", "Ada Lindqvist", CHAMBER_HOUSE);
    put_person(feed, "bo-lindquist", "Bo Lindquist", CHAMBER_HOUSE);
    put_person(feed, "cy-holm", "Cy Holm", CHAMBER_SENATE);
    edition_show(feed_edition(feed));
    assert_people(feed, "lindqvst", CHAMBER_NONE, "ada-lindqvist bo-lindquist ");
    assert_people(feed, "ada lindkvist", CHAMBER_NONE, "ada-lindqvist ");
    assert_people(feed, "lindqvist", CHAMBER_NONE, "ada-lindqvist ");
    assert_people(feed, "lindqvist", CHAMBER_SENATE, "");
    feed_destroy(feed);
}

static void members_are_asked_for_by_office_and_by_visible_trades(void **state)
{
    struct feed *feed = feed_create();
    struct feed_people_filter filter = FEED_PEOPLE_FILTER_NONE;
    static struct feed_people_page page;
    struct maker_trade t;
    publish(feed, 0, 1, 1000);
    maker_make(&t, 0, 1000);
    put_person(feed, "zoe-idle", "Zoe Idle", CHAMBER_HOUSE);
    edition_show(feed_edition(feed));
    rcu_read_begin();
    filter.has_trades = FEED_YES;
    feed_people(feed, &filter, NULL, 10, 0, &page);
    assert_int_equal(page.count, 1);
    assert_str(page.rows[0].slug, t.slug);
    assert_int_equal(page.rows[0].counts.trades, 1);
    assert_int_equal(page.rows[0].counts.late, maker_late(&t) == LATE_LATE);
    assert_int_equal(page.rows[0].counts.late_unknown, maker_late(&t) == LATE_UNKNOWN);
    filter.until_ms = 1000; /* a reader who sees nothing yet */
    feed_people(feed, &filter, NULL, 10, 0, &page);
    assert_int_equal(page.count, 0);
    filter.has_trades = FEED_NO;
    feed_people(feed, &filter, NULL, 10, 0, &page);
    assert_int_equal(page.count, 2);
    assert_int_equal(page.rows[0].counts.trades, 0);
    filter.in_office = FEED_YES;
    feed_people(feed, &filter, NULL, 10, 0, &page);
    assert_int_equal(page.count, 0);
    rcu_read_end();
    feed_destroy(feed);
}

/* The symbols of a walk, each followed by a space. */
static void assert_tickers(
    struct feed *feed, const char *q, enum feed_asked has_trades, const char *expected)
{
    struct feed_tickers_filter filter = FEED_TICKERS_FILTER_NONE;
    static struct feed_tickers_page page;
    filter.q = str_from(q);
    filter.has_trades = has_trades;
    for (size_t limit = 1; limit <= 5; limit++) {
        char space[1024];
        struct buf symbols = buf_over(space, sizeof space);
        struct cursor cursor, *after = NULL;
        do {
            rcu_read_begin();
            feed_tickers(feed, &filter, after, limit, &page);
            for (size_t i = 0; i < page.count; i++) {
                buf_str(&symbols, page.rows[i].symbol);
                buf_char(&symbols, ' ');
            }
            rcu_read_end();
            cursor = page.next;
            after = &cursor;
        } while (page.more);
        assert_str(buf_view(&symbols), expected);
    }
}

static void put_symbol(struct feed *feed, const char *symbol, const char *company)
{
    edition_put_ticker(
        feed_edition(feed), str_from(symbol),
        (struct symbol_company){str_from(company), STR_NULL, STR("a list")});
}

static void tickers_are_listed_by_symbol_and_found_by_company(void **state)
{
    struct feed *feed = feed_create();
    assert_tickers(feed, NULL, FEED_ANY, "");
    put_symbol(feed, "QQWT", "Northwind Turbines Inc.");
    put_symbol(feed, "QQ^A", "Alder Outfitters");
    put_symbol(feed, "QQTN", "Quartz & Tin Corp.");
    put_symbol(feed, "QQWTX", "Tidewrack Northwind Fund");
    edition_show(feed_edition(feed));
    assert_tickers(feed, NULL, FEED_ANY, "QQTN QQWT QQWTX QQ^A ");
    assert_tickers(feed, "qqwt", FEED_ANY, "QQWT QQWTX ");
    assert_tickers(feed, "northwind", FEED_ANY, "QQWT QQWTX ");
    assert_tickers(feed, "norhtwind", FEED_ANY, "QQWT QQWTX ");
    assert_tickers(feed, "tin", FEED_ANY, "QQTN ");
    assert_tickers(feed, NULL, FEED_YES, "");
    put_symbol(feed, "QQTN", "Copper Works");
    edition_show(feed_edition(feed));
    assert_tickers(feed, "copper", FEED_NO, "QQTN ");
    feed_destroy(feed);
}

static void filing_is_found_by_id_until_withdrawn(void **state)
{
    struct feed *feed = feed_create();
    struct edition *e = feed_edition(feed);
    struct feed_filing found;
    const struct filing filing = {
        .id = STR("house-7"),
        .chamber = CHAMBER_HOUSE,
        .source_doc_id = STR("7"),
        .url = STR("https://example.org/7.pdf"),
        .politician_id = STR("E000001"),
        .filed_at = 500,
        .published_at = 1000};
    assert_int_equal(edition_push_filing(e, &filing), EDITION_PUSHED);
    rcu_read_begin();
    assert_false(feed_filing(feed, STR("house-7"), INSTANT_NONE, &found)); /* not shown yet */
    rcu_read_end();
    edition_show(e);
    rcu_read_begin();
    assert_true(feed_filing(feed, STR("house-7"), INSTANT_NONE, &found));
    assert_int_equal(found.published_at, 1000);
    assert_true(str_starts(found.row.head, STR("{\"id\":\"house-7\"")));
    assert_true(feed_filing(feed, STR("house-7"), 1001, &found));
    assert_false(feed_filing(feed, STR("house-7"), 1000, &found)); /* readers who see later */
    assert_false(feed_filing(feed, STR("house-8"), INSTANT_NONE, &found));
    rcu_read_end();
    assert_true(edition_withdraw_filing(e, 1000, STR("house-7")));
    rcu_read_begin();
    assert_false(feed_filing(feed, STR("house-7"), INSTANT_NONE, &found));
    rcu_read_end();
    assert_true(edition_put_filing(e, &filing));
    rcu_read_begin();
    assert_true(feed_filing(feed, STR("house-7"), INSTANT_NONE, &found)); /* reinstated */
    rcu_read_end();
    feed_destroy(feed);
}

static void slugs_longer_than_cursor_are_listed_once_each(void **state)
{
    enum { PEOPLE = 5 };
    struct feed *feed = feed_create();
    char slug[100], expected[PEOPLE * sizeof slug + 1], seen[sizeof expected];
    struct buf b = buf_over(expected, sizeof expected);
    memset(slug, 'x', sizeof slug);
    slug[sizeof slug - 1] = '\0';
    for (int i = 0; i < PEOPLE; i++) {
        slug[sizeof slug - 2] = (char)('a' + i);
        put_person(feed, slug, "Somebody", CHAMBER_HOUSE);
        buf_text(&b, slug);
        buf_char(&b, ' ');
    }
    edition_show(feed_edition(feed));
    for (size_t limit = 1; limit <= PEOPLE; limit++) {
        struct buf walked = buf_over(seen, sizeof seen);
        people_walk(feed, STR_NULL, CHAMBER_NONE, limit, &walked);
        assert_true(str_eq(buf_view(&walked), buf_view(&b)));
    }
    feed_destroy(feed);
}

static void count_signal(void *ctx, const struct feed_signal *signal, int64_t trades)
{
    int64_t *counts = ctx;
    counts[0] += trades;
    counts[1] += signal->topic->industry == 3 ? trades : 0;
}

static void signals_are_visited_and_filtered_by_topic(void **state)
{
    static struct feed_page page;
    struct feed *feed = feed_create();
    struct feed_counts counts;
    struct feed_filter filter = FEED_FILTER_NONE;
    int64_t seen[2] = {0, 0}, walked = 0;
    maker_add_topics(&feed_edition(feed)->topics);
    publish(feed, 1, 801, 1000);
    filter.conflicts_only = true;
    rcu_read_begin();
    feed_each_signal(feed, &filter, count_signal, seen);
    feed_counts(feed, &filter, &counts);
    assert_int_equal(seen[0], counts.trades);
    assert_true(seen[1] > 0 && seen[1] < seen[0]);
    filter.industry = 3;
    filter.committee = STR("QQQQ");
    feed_counts(feed, &filter, &counts);
    assert_int_equal(counts.trades, seen[1]);
    struct cursor cursor, *after = NULL;
    do {
        feed_trades(feed, &filter, after, 7, &page);
        for (size_t i = 0; i < page.count; i++)
            assert_true(str_find(page.rows[i].tail, STR("\"Reason 3.\"")) > 0);
        walked += (int64_t)page.count;
        cursor = page.next;
        after = &cursor;
    } while (page.more);
    assert_int_equal(walked, seen[1]);
    rcu_read_end();
    feed_destroy(feed);
}

struct walked {
    const struct feed_page *pages;
    size_t at;
};

/* The trades come in the order of the list, with the facts of their JSON. */
static void compare_trade(void *ctx, const struct feed_facts *facts, const struct feed_row *row)
{
    struct walked *w = ctx;
    const struct feed_row *wanted = &w->pages[w->at / FEED_PAGE_MAX].rows[w->at % FEED_PAGE_MAX];
    struct arena arena;
    struct trade trade;
    arena_init(&arena);
    assert_true(row->head.p == wanted->head.p && row->tail.p == wanted->tail.p);
    shape_trade_read(row->head, row->tail, &arena, &trade);
    assert_true(str_eq(facts->id, trade.id));
    assert_int_equal(facts->side, trade.values.side);
    assert_int_equal(facts->bracket, trade.values.bracket);
    assert_int_equal(facts->traded, trade.values.trade_date);
    assert_int_equal((facts->basis != CONFLICT_NO_LIST), !str_is_null(trade.conflict_reason));
    assert_int_equal(facts->ticker > 0, !str_is_null(trade.values.ticker));
    arena_finish(&arena);
    w->at++;
}

static void each_trade_of_a_filter_is_visited_with_its_facts(void **state)
{
    enum { PAGES = 20 };
    static struct feed_page pages[PAGES];
    struct feed *feed = feed_create();
    struct feed_filter filters[3] = {FEED_FILTER_NONE, FEED_FILTER_NONE, FEED_FILTER_NONE};
    struct feed_test tests[PARAM_TABLE_MAX];
    const struct param_value from = {STR("-"), MAKER_FIRST_DAY + 1000};
    publish(feed, 0, 2000, 1000);
    publish(feed, 2000, 3000, 2000);
    assert_true(withdraw(feed, 2500, 2000));
    filters[0].ticker = STR("META"); /* and FB before it */
    filters[1].politician = STR("person-3");
    filters[1].until_ms = 1500;
    filters[2].ticker = STR("META");
    filters[2].tests = tests;
    trade_filter_add(trade_filter_named(STR("traded_from")), &from, &filters[2], tests);
    for (size_t i = 0; i < 3; i++) {
        struct walked walked = {.pages = pages};
        struct cursor *after = NULL;
        size_t count = 0, n = 0;
        rcu_read_begin();
        do {
            feed_trades(feed, &filters[i], after, FEED_PAGE_MAX, &pages[n]);
            count += pages[n].count;
            after = &pages[n].next;
        } while (pages[n++].more && n < PAGES);
        feed_each_trade(feed, &filters[i], compare_trade, &walked);
        rcu_read_end();
        assert_true(count > 10);
        assert_int_equal(walked.at, count);
    }
    feed_destroy(feed);
}

static void brackets_of_a_filter_are_all_its_trades(void **state)
{
    struct feed *feed = feed_create();
    struct feed_filter filters[3] = {FEED_FILTER_NONE, FEED_FILTER_NONE, FEED_FILTER_NONE};
    struct feed_test tests[PARAM_TABLE_MAX];
    const struct param_value buys = {STR("buy"), SIDE_BUY};
    publish(feed, 0, 2000, 1000);
    publish(feed, 2000, 3000, 2000);
    filters[1].politician = STR("person-3");
    filters[1].until_ms = 1500;
    filters[2].politician = STR("person-3");
    filters[2].tests = tests;
    trade_filter_add(trade_filter_named(STR("side")), &buys, &filters[2], tests);
    rcu_read_begin();
    for (size_t i = 0; i < 3; i++) {
        int64_t brackets[BRACKET_COUNT], sum = 0;
        struct feed_counts counts;
        feed_counts(feed, &filters[i], &counts);
        feed_bracket_counts(feed, &filters[i], brackets);
        for (int k = 0; k < BRACKET_COUNT; k++)
            sum += brackets[k];
        assert_true(counts.trades > 10);
        assert_int_equal(sum, counts.trades);
        assert_int_equal(brackets[0], 0);
        assert_true(brackets[BRACKET_1K_15K] > 0 && brackets[BRACKET_1K_15K] < counts.trades);
    }
    rcu_read_end();
    feed_destroy(feed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(five_hundred_rows_of_one_instant_are_returned_once_each),
        cmocka_unit_test(rows_published_during_a_walk_neither_appear_nor_shift_it),
        cmocka_unit_test(cursor_of_withdrawn_row_continues),
        cmocka_unit_test(full_last_page_has_no_next_page),
        cmocka_unit_test(withdrawn_rows_do_not_shorten_pages),
        cmocka_unit_test(unknown_filter_values_give_an_empty_page),
        cmocka_unit_test(since_is_inclusive),
        cmocka_unit_test(page_of_few_matches_is_complete_at_once),
        cmocka_unit_test(full_page_of_tests_continues_after_its_last_row),
        cmocka_unit_test(people_are_listed_once_each_by_slug),
        cmocka_unit_test(people_are_found_by_name_words_and_chamber),
        cmocka_unit_test(members_are_asked_for_by_office_and_by_visible_trades),
        cmocka_unit_test(tickers_are_listed_by_symbol_and_found_by_company),
        cmocka_unit_test(filing_is_found_by_id_until_withdrawn),
        cmocka_unit_test(best_fitting_names_come_first),
        cmocka_unit_test(names_alike_are_listed_only_if_no_name_has_the_words),
        cmocka_unit_test(slugs_longer_than_cursor_are_listed_once_each),
        cmocka_unit_test(publication_is_invisible_until_it_is_shown),
        cmocka_unit_test(existing_rows_and_late_rows_are_distinguished),
        cmocka_unit_test(tag_of_row_depends_on_content),
        cmocka_unit_test(filings_are_ordered_by_publication_and_counted_per_filer),
        cmocka_unit_test(filings_are_filtered_by_politician_and_chamber),
        cmocka_unit_test(known_symbol_without_trades_has_a_company_and_zero_counts),
        cmocka_unit_test(changed_filing_rewrites_only_lists_that_gain_or_lose_rows),
        cmocka_unit_test(symbol_of_the_lists_is_known_without_trades_and_imports),
        cmocka_unit_test(signals_are_visited_and_filtered_by_topic),
        cmocka_unit_test(each_trade_of_a_filter_is_visited_with_its_facts),
        cmocka_unit_test(brackets_of_a_filter_are_all_its_trades),
        cmocka_unit_test(concurrent_walk_returns_each_row_once),
    };
    rcu_thread_start();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rcu_thread_stop();
    return failed;
}
