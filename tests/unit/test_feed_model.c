/* The feed against an array that is searched from end to end: random publications, withdrawals,
 * corrections and sweeps, then random pages of random filters. */
#include "unit.h"

#include "feed_maker.h"
#include "shape/trade.h"

enum { ROWS_MAX = 4000, STEPS = 750, JSON_MAX = 4096 };

struct model {
    struct feed *feed;
    struct maker_trade *rows; /* in feed order */
    bool *withdrawn;
    size_t n;
    int64_t now;
    uint64_t draws;
    struct renames renames;
};

static uint64_t draw(struct model *m, uint64_t below)
{
    return maker_random(m->draws++, 99) % below;
}

static struct edition *edition(struct model *m)
{
    return feed_edition(m->feed);
}

static void publish(struct model *m)
{
    size_t rows = draw(m, 20) ? 1 + draw(m, 8) : 120;
    m->now += 1 + (int64_t)draw(m, 3);
    for (size_t i = 0; i < rows && m->n < ROWS_MAX; i++) {
        struct maker_trade *row = &m->rows[m->n];
        maker_make(row, m->n, m->now);
        assert_int_equal(
            edition_push_trade(edition(m), &row->trade, row->filed_day), EDITION_PUSHED);
        m->n++;
    }
    edition_show(edition(m));
}

static void withdraw(struct model *m)
{
    size_t i = draw(m, m->n);
    const struct trade *trade = &m->rows[i].trade;
    bool done = edition_withdraw_trade(edition(m), trade->disclosed_at, trade->id);
    assert_int_equal(done, !m->withdrawn[i]);
    m->withdrawn[i] = true;
}

static void correct(struct model *m)
{
    size_t i = draw(m, m->n);
    struct maker_trade *row = &m->rows[i];
    struct trade *trade = &row->trade;
    switch (draw(m, 7)) {
    case 0:
        maker_set_ticker(row, draw(m, MAKER_TICKERS));
        break;
    case 1:
        trade->values.side = (enum side)(1 + draw(m, SIDE_COUNT - 1));
        break;
    case 2:
        trade->values.trade_date = MAKER_FIRST_DAY + (int32_t)draw(m, 3500);
        break;
    case 3:
        trade->politician.chamber =
            trade->politician.chamber == CHAMBER_HOUSE ? CHAMBER_SENATE : CHAMBER_HOUSE;
        break;
    case 4:
        trade->values.owner = (enum owner)draw(m, OWNER_COUNT);
        break;
    case 5:
        trade->values.bracket = (enum bracket)(1 + draw(m, BRACKET_COUNT - 1));
        break;
    default:
        trade->values.asset_name = STR("Corrected");
        trade->conflict_reason = maker_reason(row, draw(m, MAKER_REASONS));
    }
    assert_int_equal(edition_correct_trade(edition(m), trade, row->filed_day), !m->withdrawn[i]);
}

static void sweep(struct model *m)
{
    struct edition_conflict conflicts[64];
    size_t n = 0, expected = 0;
    for (size_t i = draw(m, 8); i < m->n && n < 64; i += 1 + draw(m, 40)) {
        struct maker_trade *row = &m->rows[i];
        struct str old = row->trade.conflict_reason;
        char old_text[sizeof row->reason];
        if (old.n)
            memcpy(old_text, old.p, old.n);
        if (!str_is_null(old))
            old.p = old_text;
        row->trade.conflict_reason = maker_reason(row, draw(m, 2) ? draw(m, MAKER_REASONS) : 0);
        expected += !m->withdrawn[i] && !str_eq(old, row->trade.conflict_reason);
        conflicts[n++] = (struct edition_conflict){
            row->trade.disclosed_at, row->trade.id, row->trade.conflict_reason};
    }
    assert_int_equal(edition_set_conflicts(edition(m), conflicts, n), expected);
}

/* Everything visible into an edition aside, as feed_load would. */
static void rebuild(struct model *m)
{
    struct edition *fresh = edition_create();
    size_t kept = 0;
    for (size_t i = 0; i < m->n; i++) {
        if (m->withdrawn[i])
            continue;
        const struct maker_trade *row = &m->rows[i];
        assert_int_equal(edition_push_trade(fresh, &row->trade, row->filed_day), EDITION_PUSHED);
        kept++;
    }
    edition_show(fresh);
    feed_swap(m->feed, fresh);
    assert_int_equal(feed_stats(m->feed).trades, kept);
}

static bool found_under(struct model *m, const struct maker_trade *row, struct str ticker)
{
    struct str found[RENAMES_CHAIN_MAX];
    if (str_is_null(row->trade.values.ticker))
        return false;
    size_t n = renames_successors(&m->renames, row->trade.values.ticker, maker_day(row), found);
    for (size_t i = 0; i < n; i++)
        if (str_eq(found[i], ticker))
            return true;
    return false;
}

static bool is_narrow(const struct trade *trade, const struct feed_narrow *narrow)
{
    bool dated = trade->values.trade_date != DAY_NONE;
    return (narrow->traded_from == DAY_NONE ||
            (dated && trade->values.trade_date >= narrow->traded_from)) &&
           (narrow->traded_to == DAY_NONE ||
            (dated && trade->values.trade_date <= narrow->traded_to)) &&
           (narrow->side == SIDE_NONE || trade->values.side == narrow->side) &&
           (narrow->owner == OWNER_NONE || trade->values.owner == narrow->owner) &&
           (narrow->asset_type == ASSET_NONE || trade->values.asset_type == narrow->asset_type) &&
           (str_is_null(narrow->party) || str_eq(trade->politician.party, narrow->party)) &&
           (str_is_null(narrow->state) || str_eq(trade->politician.state, narrow->state)) &&
           bracket_info(trade->values.bracket)->min >= narrow->amount_min &&
           (!narrow->without_conflict || str_is_null(trade->conflict_reason));
}

static bool matches(struct model *m, size_t i, const struct feed_filter *filter)
{
    const struct trade *trade = &m->rows[i].trade;
    return !m->withdrawn[i] &&
           (filter->chamber == CHAMBER_NONE || trade->politician.chamber == filter->chamber) &&
           (str_is_null(filter->politician) ||
            str_eq(trade->politician.slug, filter->politician)) &&
           (str_is_null(filter->ticker) || found_under(m, &m->rows[i], filter->ticker)) &&
           (!filter->conflicts_only || !str_is_null(trade->conflict_reason)) &&
           (filter->since_ms == INSTANT_NONE || trade->disclosed_at >= filter->since_ms) &&
           (filter->until_ms == INSTANT_NONE || trade->disclosed_at < filter->until_ms) &&
           (!filter->narrow || is_narrow(trade, filter->narrow));
}

static bool is_before(const struct trade *trade, const struct cursor *cursor)
{
    return trade->disclosed_at != cursor->at_ms ? trade->disclosed_at < cursor->at_ms
                                                : str_cmp(trade->id, cursor_id(cursor)) < 0;
}

static void assert_row(const struct feed_row *row, const struct trade *trade)
{
    struct buf expected;
    buf_init(&expected, JSON_MAX);
    shape_trade_json(&expected, trade);
    assert_true(str_eq(row->head, str_slice(buf_view(&expected), 0, row->head.n)));
    assert_true(str_eq(row->tail, str_slice(buf_view(&expected), row->head.n, expected.n)));
    buf_finish(&expected);
}

static struct feed_filter random_filter(struct model *m, char slug[static 24])
{
    struct feed_filter filter = FEED_FILTER_NONE;
    if (draw(m, 2))
        filter.chamber = draw(m, 2) ? CHAMBER_HOUSE : CHAMBER_SENATE;
    if (draw(m, 3) == 0)
        filter.politician = maker_print(slug, 24, "person-%llu", draw(m, MAKER_PEOPLE + 1));
    if (draw(m, 3) == 0)
        filter.ticker = str_from(maker_tickers[draw(m, MAKER_TICKERS - 1)]);
    filter.conflicts_only = draw(m, 3) == 0;
    if (draw(m, 3) == 0)
        filter.since_ms = (int64_t)draw(m, (uint64_t)m->now + 2);
    if (draw(m, 3) == 0)
        filter.until_ms = (int64_t)draw(m, (uint64_t)m->now + 2);
    return filter;
}

/* One or a few of the filters without a list. */
static struct feed_narrow random_narrow(struct model *m)
{
    struct feed_narrow narrow = FEED_NARROW_NONE;
    if (draw(m, 3) == 0)
        narrow.traded_from = MAKER_FIRST_DAY + (int32_t)draw(m, 3500);
    if (draw(m, 3) == 0)
        narrow.traded_to = MAKER_FIRST_DAY + (int32_t)draw(m, 3500);
    if (draw(m, 4) == 0)
        narrow.side = (enum side)draw(m, SIDE_COUNT);
    if (draw(m, 4) == 0)
        narrow.owner = (enum owner)draw(m, OWNER_COUNT);
    if (draw(m, 6) == 0)
        narrow.asset_type = (enum asset_type)draw(m, ASSET_COUNT);
    if (draw(m, 4) == 0)
        narrow.party = draw(m, 8) ? str_from(maker_parties[draw(m, MAKER_PARTIES)]) : STR("Whig");
    if (draw(m, 4) == 0)
        narrow.state = draw(m, 8) ? str_from(maker_states[draw(m, MAKER_STATES)]) : STR("ZZ");
    if (draw(m, 4) == 0)
        narrow.amount_min = (int64_t)draw(m, 2000000);
    narrow.without_conflict = draw(m, 4) == 0;
    return narrow;
}

static void check_page(struct model *m)
{
    char slug[24];
    struct feed_filter filter = random_filter(m, slug);
    struct feed_narrow narrow = random_narrow(m);
    if (draw(m, 2))
        filter.narrow = &narrow;
    size_t limit = 1 + draw(m, FEED_PAGE_MAX), at = 0, i = m->n;
    struct cursor cursor, *after = NULL;
    static struct feed_page page;
    if (draw(m, 2)) {
        const struct trade *trade = &m->rows[draw(m, m->n)].trade;
        bool nowhere = draw(m, 4) == 0;
        cursor = cursor_at(
            CURSOR_TRADES, nowhere ? (int64_t)draw(m, (uint64_t)m->now + 2) : trade->disclosed_at,
            nowhere && draw(m, 2) ? STR("house-0000000500x") : trade->id);
        after = &cursor;
    }
    rcu_read_begin();
    feed_trades(m->feed, &filter, after, limit, &page);
    while (i > 0 && at < limit) {
        i--;
        if (!matches(m, i, &filter) || (after && !is_before(&m->rows[i].trade, after)))
            continue;
        assert_true(at < page.count);
        assert_row(&page.rows[at++], &m->rows[i].trade);
    }
    assert_int_equal(page.count, at);
    bool more = false;
    while (i > 0 && !more)
        more = matches(m, --i, &filter) && (!after || is_before(&m->rows[i].trade, after));
    assert_int_equal(page.more, more);
    rcu_read_end();
}

static void check_politician(struct model *m)
{
    char slug[24];
    struct feed_filter filter = FEED_FILTER_NONE;
    struct feed_politician expected = {.last_activity = INSTANT_NONE}, p;
    filter.politician = maker_print(slug, sizeof slug, "person-%llu", draw(m, MAKER_PEOPLE));
    for (size_t i = 0; i < m->n; i++) {
        const struct trade *trade = &m->rows[i].trade;
        if (!matches(m, i, &filter))
            continue;
        expected.trades++;
        expected.buys += trade->values.side == SIDE_BUY;
        expected.sells +=
            trade->values.side == SIDE_SELL_FULL || trade->values.side == SIDE_SELL_PARTIAL;
        expected.exchanges += trade->values.side == SIDE_EXCHANGE;
        expected.conflicts += !str_is_null(trade->conflict_reason);
        expected.last_activity = trade->disclosed_at;
    }
    rcu_read_begin();
    bool known = feed_politician(m->feed, filter.politician, 0, &p);
    assert_true(known || expected.trades == 0);
    if (known) {
        assert_str(p.slug, slug);
        assert_int_equal(p.trades, expected.trades);
        assert_int_equal(p.buys, expected.buys);
        assert_int_equal(p.sells, expected.sells);
        assert_int_equal(p.exchanges, expected.exchanges);
        assert_int_equal(p.conflicts, expected.conflicts);
        assert_int_equal(p.last_activity, expected.last_activity);
    }
    rcu_read_end();
}

static void check_ticker(struct model *m)
{
    struct feed_filter filter = FEED_FILTER_NONE;
    struct feed_ticker expected = {.first_activity = INSTANT_NONE, .last_activity = INSTANT_NONE},
                       t;
    bool seen[MAKER_PEOPLE] = {false};
    filter.ticker = str_from(maker_tickers[draw(m, MAKER_TICKERS - 1)]);
    for (size_t i = 0; i < m->n; i++) {
        const struct trade *trade = &m->rows[i].trade;
        if (!matches(m, i, &filter))
            continue;
        expected.trades++;
        expected.buys += trade->values.side == SIDE_BUY;
        expected.sells +=
            trade->values.side == SIDE_SELL_FULL || trade->values.side == SIDE_SELL_PARTIAL;
        expected.exchanges += trade->values.side == SIDE_EXCHANGE;
        expected.conflicts += !str_is_null(trade->conflict_reason);
        size_t person = maker_random(i, 1) % MAKER_PEOPLE;
        expected.politicians += !seen[person];
        seen[person] = true;
        if (expected.first_activity == INSTANT_NONE)
            expected.first_activity = trade->disclosed_at;
        expected.last_activity = trade->disclosed_at;
    }
    rcu_read_begin();
    bool known = feed_ticker(m->feed, filter.ticker, &t);
    assert_true(known || expected.trades == 0);
    if (known) {
        assert_int_equal(t.trades, expected.trades);
        assert_int_equal(t.buys, expected.buys);
        assert_int_equal(t.sells, expected.sells);
        assert_int_equal(t.exchanges, expected.exchanges);
        assert_int_equal(t.conflicts, expected.conflicts);
        assert_int_equal(t.politicians, expected.politicians);
        assert_int_equal(t.first_activity, expected.first_activity);
        assert_int_equal(t.last_activity, expected.last_activity);
    }
    rcu_read_end();
}

static void step(struct model *m)
{
    uint64_t kind = draw(m, 20);
    if (m->n == 0 || kind < 9)
        publish(m);
    else if (kind < 13)
        withdraw(m);
    else if (kind < 16)
        correct(m);
    else if (kind < 19)
        sweep(m);
    else
        rebuild(m);
}

static void every_page_and_count_is_that_of_a_naive_array(void **state)
{
    for (uint64_t seed = 0; seed < 3; seed++) {
        struct model m = {.feed = feed_create(), .now = 1000, .draws = seed << 32};
        struct fail fail;
        m.rows = mem_array(ROWS_MAX, sizeof *m.rows);
        m.withdrawn = mem_array(ROWS_MAX, sizeof *m.withdrawn);
        assert_int_equal(
            renames_parse(str_of(ticker_renames_csv, ticker_renames_csv_size), &m.renames, &fail),
            OK);
        for (int i = 0; i < STEPS; i++) {
            step(&m);
            for (int j = 0; j < 4; j++)
                check_page(&m);
            check_politician(&m);
            check_ticker(&m);
        }
        assert_true(m.n > ROWS_MAX / 2);
        renames_finish(&m.renames);
        feed_destroy(m.feed);
        mem_free(m.rows);
        mem_free(m.withdrawn);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_page_and_count_is_that_of_a_naive_array),
    };
    rcu_thread_start();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rcu_thread_stop();
    return failed;
}
