/* Compares the feed with an array that is searched linearly: random publications, withdrawals,
 * reinstatements, corrections and sweeps, then random pages with random filters. */
#include "unit.h"

#include <stdlib.h>

#include "feed/feed_after.h"
#include "feed/groups.h"
#include "feed/trade_filter.h"
#include "feed_maker.h"
#include "noun/lists.h"
#include "noun/trade.h"
#include "store/public/trade.h"

enum { ROWS_MAX = 4000, STEPS = 750, JSON_MAX = 4096, PUT_MAX = 64 };

struct model {
    struct feed *feed;
    struct maker_trade *rows; /* in feed order */
    bool *withdrawn;
    bool *absent; /* withdrawn before the edition was built */
    size_t n;
    int64_t now;
    uint64_t draws, publications;
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

static enum edition_push push(struct edition *e, const struct maker_trade *row)
{
    const struct edition_trade is = maker_edition(row);
    return edition_push_trade(e, &is);
}

/* Three filings share 64 rows, by turns of publications: some of them have several runs of rows. */
static void set_id(struct model *m, struct maker_trade *row)
{
    uint64_t filing = m->n / 64 * 3 + m->publications % 3;
    int n = snprintf(
        row->id, sizeof row->id, "house-%05llu-%04llu", (unsigned long long)filing,
        (unsigned long long)m->n % 64);
    row->trade.id = str_of(row->id, (size_t)n);
}

static void publish(struct model *m)
{
    size_t rows = draw(m, 20) ? 1 + draw(m, 8) : 120;
    m->publications++;
    m->now += 1 + (int64_t)draw(m, 3);
    for (size_t i = 0; i < rows && m->n < ROWS_MAX; i++) {
        struct maker_trade *row = &m->rows[m->n];
        maker_make(row, m->n, m->now);
        set_id(m, row);
        assert_int_equal(push(edition(m), row), EDITION_PUSHED);
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

/* Shows the rows with their present values, several at once, as for a whole filing. */
static void put(struct model *m, const size_t *rows, size_t n)
{
    struct edition_trade trades[PUT_MAX];
    bool absent = false;
    for (size_t i = 0; i < n; i++) {
        const struct maker_trade *row = &m->rows[rows[i]];
        trades[i] = maker_edition(row);
        absent |= m->absent[rows[i]];
    }
    assert_int_equal(edition_put_trades(edition(m), trades, n), !absent);
    for (size_t i = 0; i < n && !absent; i++)
        m->withdrawn[rows[i]] = false;
}

/* Also rows that were never withdrawn, or changed since. */
static void reinstate(struct model *m)
{
    size_t rows[PUT_MAX], n = 0;
    bool absent_too = draw(m, 8) == 0;
    for (size_t i = draw(m, 30); i < m->n && n < PUT_MAX; i += 1 + draw(m, 60))
        if (absent_too || !m->absent[i])
            rows[n++] = i;
    put(m, rows, n);
}

static void set_person(struct maker_trade *row, uint64_t person)
{
    row->trade.politician.slug = maker_print(row->slug, sizeof row->slug, "person-%llu", person);
    row->trade.politician.name = maker_print(row->name, sizeof row->name, "Person %llu", person);
}

static void change(struct model *m, struct maker_trade *row)
{
    struct trade *trade = &row->trade;
    switch (draw(m, 8)) {
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
    case 6:
        set_person(row, draw(m, MAKER_PEOPLE));
        break;
    case 5:
        trade->values.bracket = (enum bracket)(1 + draw(m, BRACKET_COUNT - 1));
        break;
    default:
        trade->values.asset_name = STR("Corrected");
        trade->conflict_reason = maker_reason(row, draw(m, MAKER_REASONS));
    }
}

/* Rows that are withdrawn show their new values only when they are reinstated. */
static void correct(struct model *m)
{
    size_t rows[PUT_MAX], n = 0, most = draw(m, 4) ? 1 : PUT_MAX;
    for (size_t i = draw(m, m->n); i < m->n && n < most; i += 1 + draw(m, 3)) {
        change(m, &m->rows[i]);
        if (!m->withdrawn[i])
            rows[n++] = i;
    }
    put(m, rows, n);
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

/* Pushes all visible rows into a separate edition, like feed_load. */
static void rebuild(struct model *m)
{
    struct edition *fresh = edition_create();
    maker_add_topics(&fresh->topics);
    maker_add_seats(fresh);
    size_t kept = 0;
    for (size_t i = 0; i < m->n; i++) {
        m->absent[i] = m->withdrawn[i];
        if (m->withdrawn[i])
            continue;
        const struct maker_trade *row = &m->rows[i];
        assert_int_equal(push(fresh, row), EDITION_PUSHED);
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

/* The expected result of each row test, computed from whole trades. Draws a value that some trades
 * have, and sometimes one that no trade has. */

static void wish_traded(struct model *m, struct param_value *ret)
{
    ret->number = draw(m, 4) ? MAKER_FIRST_DAY + (int32_t)draw(m, 3500)
                             : maker_odd_days[draw(m, 5)] + (int32_t)draw(m, 3) - 1;
    if (ret->number < maker_odd_days[0])
        ret->number = maker_odd_days[0];
}

static bool has_traded_from(const struct maker_trade *row, const struct param_value *value)
{
    const struct trade *trade = &row->trade;
    return trade->values.trade_date != DAY_NONE && trade->values.trade_date >= value->number;
}

static bool has_traded_to(const struct maker_trade *row, const struct param_value *value)
{
    const struct trade *trade = &row->trade;
    return trade->values.trade_date != DAY_NONE && trade->values.trade_date <= value->number;
}

static void wish_side(struct model *m, struct param_value *ret)
{
    ret->number = 1 + (int64_t)draw(m, SHAPE_SIDE_SELL);
}

static bool has_side(const struct maker_trade *row, const struct param_value *value)
{
    const struct trade *trade = &row->trade;
    enum side side = trade->values.side;
    return side == value->number || (value->number == SHAPE_SIDE_SELL &&
                                     (side == SIDE_SELL_FULL || side == SIDE_SELL_PARTIAL));
}

static void wish_owner(struct model *m, struct param_value *ret)
{
    ret->number = 1 + (int64_t)draw(m, OWNER_COUNT - 1);
}

static bool has_owner(const struct maker_trade *row, const struct param_value *value)
{
    const struct trade *trade = &row->trade;
    return trade->values.owner == value->number;
}

static void wish_asset_type(struct model *m, struct param_value *ret)
{
    ret->number = 1 + (int64_t)draw(m, ASSET_COUNT - 1);
}

static bool has_asset_type(const struct maker_trade *row, const struct param_value *value)
{
    const struct trade *trade = &row->trade;
    return trade->values.asset_type == value->number;
}

static void wish_party(struct model *m, struct param_value *ret)
{
    const char *party = maker_parties[draw(m, MAKER_PARTIES)];
    ret->text = draw(m, 8) && party ? str_from(party) : STR("Whig");
}

static bool has_party(const struct maker_trade *row, const struct param_value *value)
{
    const struct trade *trade = &row->trade;
    return str_eq(trade->politician.party, value->text);
}

static void wish_state(struct model *m, struct param_value *ret)
{
    const char *state = maker_states[draw(m, MAKER_STATES)];
    struct str text = draw(m, 8) && state ? str_from(state) : STR("WY");
    for (int i = 1; i < shape_states.count; i++)
        if (str_eq(shape_states.name_of(i), text))
            ret->number = i;
}

static bool has_state(const struct maker_trade *row, const struct param_value *value)
{
    const struct trade *trade = &row->trade;
    return str_eq(trade->politician.state, shape_states.name_of((int)value->number));
}

static void wish_amount_min(struct model *m, struct param_value *ret)
{
    ret->number = (int64_t)draw(m, 2000000);
}

static bool has_amount_min(const struct maker_trade *row, const struct param_value *value)
{
    const struct trade *trade = &row->trade;
    return bracket_info(trade->values.bracket)->min >= value->number;
}

static void wish_no_conflict(struct model *m, struct param_value *ret)
{
    ret->number = SHAPE_FALSE;
}

static bool has_no_conflict(const struct maker_trade *row, const struct param_value *value)
{
    const struct trade *trade = &row->trade;
    return str_is_null(trade->conflict_reason);
}

static void wish_basis(struct model *m, struct param_value *ret)
{
    ret->number = 1 + (int64_t)draw(m, CONFLICT_BASIS_COUNT - 1);
}

static bool has_basis(const struct maker_trade *row, const struct param_value *value)
{
    struct str reason = row->trade.conflict_reason;
    return !str_is_null(reason) && maker_is_later(reason) == (value->number == CONFLICT_LATER_LIST);
}

static void wish_grade(struct model *m, struct param_value *ret)
{
    ret->number = 1 + (int64_t)draw(m, CONFLICT_GRADE_COUNT - 1);
}

static bool has_grade(const struct maker_trade *row, const struct param_value *value)
{
    return maker_grade(row->trade.conflict_reason) == (enum conflict_grade)value->number;
}

static void wish_late(struct model *m, struct param_value *ret)
{
    ret->number = 1 + (int64_t)draw(m, LATE_STATUS_COUNT - 1);
}

static bool has_late(const struct maker_trade *row, const struct param_value *value)
{
    return maker_late(row) == value->number;
}

static int sector_of(const struct maker_trade *row)
{
    const struct trade *trade = &row->trade;
    const struct conflict_trade is = {
        trade->politician.chamber, trade->values.asset_type, trade->values.ticker,
        trade->values.asset_name, maker_day(row)};
    return conflict_asset_of(&is, NULL).industry;
}

static size_t person_of(const struct trade *trade)
{
    int64_t person = -1;
    struct str slug = trade->politician.slug;
    assert_true(str_to_i64(str_slice(slug, sizeof "person-" - 1, slug.n), &person));
    return (size_t)person;
}

/* Null: on any committee. */
static bool sat_on(const struct maker_trade *row, struct str committee)
{
    struct seat seats[MAKER_SEATS];
    enum chamber chamber = row->trade.politician.chamber;
    const struct conflict_seats all = maker_seats(person_of(&row->trade), seats);
    const struct conflict_list list = conflict_list_of(&all, chamber, maker_day(row));
    bool sat = false;
    for (size_t i = 0; list.basis != CONFLICT_NO_LIST && i < all.count; i++)
        sat |= conflict_seat_counts(&seats[i], &list, chamber) &&
               (str_is_null(committee) || str_starts(seats[i].id, committee));
    return sat;
}

static void wish_sector(struct model *m, struct param_value *ret)
{
    ret->number = sector_of(&m->rows[draw(m, m->n)]);
    if (!ret->number)
        ret->number = 1;
}

static bool has_sector(const struct maker_trade *row, const struct param_value *value)
{
    return sector_of(row) == value->number;
}

static void wish_seat(struct model *m, struct param_value *ret)
{
    static const char *const ids[] = {"QQQQ", "QQQQ01", "RRRR", "RRRR07", "SSSS"};
    ret->text = str_from(ids[draw(m, 5)]);
}

static bool has_seat(const struct maker_trade *row, const struct param_value *value)
{
    return sat_on(row, value->text);
}

static const struct expectation {
    const char *filter;
    void (*wish)(struct model *m, struct param_value *ret);
    bool (*has)(const struct maker_trade *row, const struct param_value *value);
} expectations[] = {
    {"traded_from", wish_traded, has_traded_from},
    {"traded_to", wish_traded, has_traded_to},
    {"side", wish_side, has_side},
    {"owner", wish_owner, has_owner},
    {"asset_type", wish_asset_type, has_asset_type},
    {"party", wish_party, has_party},
    {"state", wish_state, has_state},
    {"amount_min", wish_amount_min, has_amount_min},
    {"conflict", wish_no_conflict, has_no_conflict},
    {"basis", wish_basis, has_basis},
    {"grade", wish_grade, has_grade},
    {"late", wish_late, has_late},
    {"sector", wish_sector, has_sector},
    {"seat", wish_seat, has_seat},
};

enum { EXPECTATIONS = sizeof expectations / sizeof *expectations };

static bool passes(const struct maker_trade *row, const struct feed_test *test)
{
    for (size_t i = 0; i < EXPECTATIONS; i++)
        if (test->filter == trade_filter_named(str_from(expectations[i].filter)))
            return expectations[i].has(row, &test->value);
    fail_msg("no expectation of %.*s", STR_ARG(test->filter->param.name));
    return false;
}

static bool matches(struct model *m, size_t i, const struct feed_filter *filter)
{
    const struct trade *trade = &m->rows[i].trade;
    for (size_t test = 0; test < filter->test_count; test++)
        if (!passes(&m->rows[i], &filter->tests[test]))
            return false;
    return !m->withdrawn[i] &&
           (filter->chamber == CHAMBER_NONE || trade->politician.chamber == filter->chamber) &&
           (str_is_null(filter->politician) ||
            str_eq(trade->politician.slug, filter->politician)) &&
           (str_is_null(filter->filing) || str_eq(trade_id_filing(trade->id), filter->filing)) &&
           (str_is_null(filter->ticker) || found_under(m, &m->rows[i], filter->ticker)) &&
           (!filter->conflicts_only || !str_is_null(trade->conflict_reason)) &&
           maker_is_about(trade->conflict_reason, filter->industry, filter->committee) &&
           (filter->since_ms == INSTANT_NONE || trade->disclosed_at >= filter->since_ms) &&
           (filter->until_ms == INSTANT_NONE || trade->disclosed_at < filter->until_ms);
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
    static const char *const committees[] = {"QQQQ", "QQQQ02", "QQQQ03", "RRRR", "SSSS"};
    struct feed_filter filter = FEED_FILTER_NONE;
    if (draw(m, 2))
        filter.chamber = draw(m, 2) ? CHAMBER_HOUSE : CHAMBER_SENATE;
    if (draw(m, 3) == 0)
        filter.politician = maker_print(slug, 24, "person-%llu", draw(m, MAKER_PEOPLE + 1));
    if (draw(m, 3) == 0)
        filter.ticker = str_from(maker_tickers[draw(m, MAKER_TICKERS - 1)]);
    if (draw(m, 4) == 0)
        filter.filing =
            draw(m, 8) ? trade_id_filing(m->rows[draw(m, m->n)].trade.id) : STR("house-99999");
    filter.conflicts_only = draw(m, 3) == 0;
    if (filter.conflicts_only && draw(m, 2))
        filter.industry = (int)draw(m, MAKER_REASONS + 1);
    if (filter.conflicts_only && draw(m, 2))
        filter.committee = str_from(committees[draw(m, sizeof committees / sizeof *committees)]);
    if (draw(m, 3) == 0)
        filter.since_ms = (int64_t)draw(m, (uint64_t)m->now + 2);
    if (draw(m, 3) == 0)
        filter.until_ms = (int64_t)draw(m, (uint64_t)m->now + 2);
    return filter;
}

/* A few random row tests. */
static void add_tests(
    struct model *m, struct feed_filter *filter, struct feed_test tests[static PARAM_TABLE_MAX])
{
    for (size_t i = 0; i < EXPECTATIONS; i++) {
        struct param_value value = {STR_NULL, 0};
        if (draw(m, 4) == 0) {
            expectations[i].wish(m, &value);
            trade_filter_add(
                trade_filter_named(str_from(expectations[i].filter)), &value, filter, tests);
        }
    }
}

static void check_trade(struct model *m)
{
    size_t i = draw(m, m->n);
    struct feed_row row;
    rcu_read_begin();
    assert_int_equal(feed_trade(m->feed, m->rows[i].trade.id, &row), !m->withdrawn[i]);
    if (!m->withdrawn[i])
        assert_row(&row, &m->rows[i].trade);
    assert_false(feed_trade(m->feed, STR("house-00000-0099"), &row));
    assert_false(feed_trade(m->feed, STR("house-99999-0001"), &row));
    assert_false(feed_trade(m->feed, STR("house"), &row));
    rcu_read_end();
}

static void check_page(struct model *m)
{
    char slug[24];
    struct feed_filter filter = random_filter(m, slug);
    struct feed_test tests[PARAM_TABLE_MAX];
    if (draw(m, 2))
        add_tests(m, &filter, tests);
    size_t limit = 1 + draw(m, FEED_PAGE_MAX), at = 0, i = m->n;
    struct cursor cursor, *after = NULL;
    static struct feed_page page;
    if (draw(m, 2)) {
        const struct trade *trade = &m->rows[draw(m, m->n)].trade;
        bool nowhere = draw(m, 4) == 0;
        cursor = cursor_at(
            CURSOR_TRADES, nowhere ? (int64_t)draw(m, (uint64_t)m->now + 2) : trade->disclosed_at,
            nowhere && draw(m, 2) ? STR("house-00020-0050x") : trade->id);
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

static bool is_after(const struct trade *trade, const struct cursor *cursor)
{
    return trade->disclosed_at != cursor->at_ms ? trade->disclosed_at > cursor->at_ms
                                                : str_cmp(trade->id, cursor_id(cursor)) > 0;
}

/* All rows after a place, in steps of a random size. */
static enum feed_order order;

/* The code of the day, as pages order by it: years before 1900 and after 2258 are one day. */
static int64_t day_code(const struct maker_trade *row)
{
    int32_t day = row->trade.values.trade_date;
    uint64_t code =
        day == DAY_NONE ? 0 : slices_code(SLICE_DAY, slices_day(day)) >> SLICE_DAY_SHIFT;
    return code || order == FEED_NEWEST_TRADED ? (int64_t)code : INT64_MAX;
}

static int by_order(const void *a, const void *b)
{
    const struct maker_trade *x = *(struct maker_trade *const *)a,
                             *y = *(struct maker_trade *const *)b;
    int sign = order == FEED_NEWEST_TRADED ? -1 : 1;
    int64_t p = order == FEED_OLDEST ? 0 : day_code(x), q = order == FEED_OLDEST ? 0 : day_code(y);
    return sign * (p != q ? (p > q) - (p < q) : (x > y) - (x < y));
}

/* All pages of another order have all rows once, in that order. */
static void check_order(struct model *m)
{
    static const struct maker_trade *sorted[ROWS_MAX];
    static struct feed_page page;
    char slug[24];
    struct feed_filter filter = draw(m, 2) ? FEED_FILTER_NONE : random_filter(m, slug);
    struct feed_test tests[PARAM_TABLE_MAX];
    size_t n = 0, seen = 0;
    bool more = true;
    order = (enum feed_order)(FEED_OLDEST + draw(m, 3));
    if (draw(m, 2))
        add_tests(m, &filter, tests);
    for (size_t i = 0; i < m->n; i++)
        if (matches(m, i, &filter))
            sorted[n++] = &m->rows[i];
    qsort(sorted, n, sizeof *sorted, by_order);
    rcu_read_begin();
    while (more) {
        struct cursor after = page.next;
        size_t limit = 1 + draw(m, FEED_PAGE_MAX);
        feed_trades_sorted(m->feed, &filter, order, seen ? &after : NULL, limit, &page);
        assert_int_equal(page.count, n - seen < limit ? n - seen : limit);
        for (size_t i = 0; i < page.count; i++)
            assert_row(&page.rows[i], &sorted[seen++]->trade);
        more = page.more;
        assert_int_equal(more, seen < n);
    }
    rcu_read_end();
}

static void check_after(struct model *m)
{
    char slug[24];
    struct feed_filter filter = random_filter(m, slug);
    struct feed_test tests[PARAM_TABLE_MAX];
    if (draw(m, 2))
        add_tests(m, &filter, tests);
    const struct trade *from = &m->rows[draw(m, m->n)].trade;
    bool nowhere = draw(m, 4) == 0;
    struct cursor start = cursor_at(
        CURSOR_TRADES, nowhere ? (int64_t)draw(m, (uint64_t)m->now + 2) : from->disclosed_at,
        nowhere && draw(m, 2) ? STR("house-00020-0050x") : from->id);
    static struct feed_after page;
    size_t limit = 1 + draw(m, FEED_AFTER_MAX), i = 0;
    rcu_read_begin();
    page.place = start;
    do {
        struct cursor place = page.place;
        feed_trades_after(m->feed, &filter, &place, limit, &page);
        assert_true(page.count <= limit);
        for (size_t row = 0; row < page.count; row++, i++) {
            while (i < m->n && !(matches(m, i, &filter) && is_after(&m->rows[i].trade, &start)))
                i++;
            assert_true(i < m->n);
            assert_row(&page.rows[row], &m->rows[i].trade);
            assert_true(str_eq(cursor_id(&page.places[row]), m->rows[i].trade.id));
            assert_int_equal(page.places[row].at_ms, m->rows[i].trade.disclosed_at);
            assert_false(is_after(&m->rows[i].trade, &page.place));
        }
    } while (page.more);
    for (; i < m->n; i++)
        assert_false(matches(m, i, &filter) && is_after(&m->rows[i].trade, &start));
    struct cursor end = feed_trades_end(m->feed);
    feed_trades_after(m->feed, &filter, &end, limit, &page);
    assert_int_equal(page.count, 0);
    assert_false(page.more);
    rcu_read_end();
}

static void expect_counts(
    struct model *m, const struct feed_filter *filter, struct feed_counts *ret)
{
    *ret = FEED_COUNTS_NONE;
    for (size_t i = 0; i < m->n; i++) {
        const struct trade *trade = &m->rows[i].trade;
        enum side side = trade->values.side;
        if (!matches(m, i, filter))
            continue;
        ret->trades++;
        ret->buys += side == SIDE_BUY;
        ret->sells += side == SIDE_SELL_FULL || side == SIDE_SELL_PARTIAL;
        ret->exchanges += side == SIDE_EXCHANGE;
        ret->conflicts += !str_is_null(trade->conflict_reason);
        ret->conflicts_later += maker_is_later(trade->conflict_reason);
        ret->grades[maker_grade(trade->conflict_reason)]++;
        ret->late += maker_late(&m->rows[i]) == LATE_LATE;
        ret->late_unknown += maker_late(&m->rows[i]) == LATE_UNKNOWN;
        if (ret->first_activity == INSTANT_NONE)
            ret->first_activity = trade->disclosed_at;
        ret->last_activity = trade->disclosed_at;
    }
}

static void assert_counts(const struct feed_counts *is, const struct feed_counts *expected)
{
    assert_int_equal(is->trades, expected->trades);
    assert_int_equal(is->buys, expected->buys);
    assert_int_equal(is->sells, expected->sells);
    assert_int_equal(is->exchanges, expected->exchanges);
    assert_int_equal(is->conflicts, expected->conflicts);
    assert_int_equal(is->conflicts_later, expected->conflicts_later);
    for (int grade = CONFLICT_GRADE_A; grade < CONFLICT_GRADE_COUNT; grade++)
        assert_int_equal(is->grades[grade], expected->grades[grade]);
    assert_int_equal(is->late, expected->late);
    assert_int_equal(is->late_unknown, expected->late_unknown);
    assert_int_equal(is->first_activity, expected->first_activity);
    assert_int_equal(is->last_activity, expected->last_activity);
}

/* Of everything, or of what a reader sees who sees later. */
static int64_t random_until(struct model *m)
{
    return draw(m, 2) ? INSTANT_NONE : m->now - (int64_t)draw(m, (uint64_t)m->now + 1) / 4;
}

static void check_counts(struct model *m)
{
    char slug[24];
    struct feed_filter filter = FEED_FILTER_NONE;
    struct feed_test tests[PARAM_TABLE_MAX];
    struct feed_counts expected, is;
    if (draw(m, 4))
        filter = random_filter(m, slug);
    else
        filter.until_ms = random_until(m);
    if (draw(m, 2))
        add_tests(m, &filter, tests);
    expect_counts(m, &filter, &expected);
    rcu_read_begin();
    feed_counts(m->feed, &filter, &is);
    int64_t alone = feed_trade_count(m->feed, &filter);
    rcu_read_end();
    assert_counts(&is, &expected);
    assert_int_equal(alone, expected.trades);
}

/* --- groups */

/* The value of a row in a dimension that does not overlap. */
static struct str value_in(struct model *m, size_t i, enum group_dimension dimension, char to[16])
{
    const struct maker_trade *row = &m->rows[i];
    const struct trade *trade = &row->trade;
    struct str found[RENAMES_CHAIN_MAX];
    int year, month, day;
    bool dated = trade->values.trade_date != DAY_NONE;
    if (dated)
        day_to_civil(trade->values.trade_date, &year, &month, &day);
    switch (dimension) {
    case GROUP_POLITICIAN:
        return trade->politician.slug;
    case GROUP_TICKER:
        if (str_is_null(trade->values.ticker))
            return STR_NULL;
        return found
            [renames_successors(&m->renames, trade->values.ticker, maker_day(row), found) - 1];
    case GROUP_PARTY:
        return trade->politician.party;
    case GROUP_CHAMBER:
        return chamber_name(trade->politician.chamber);
    case GROUP_STATE:
        return trade->politician.state;
    case GROUP_SECTOR:
        return sector_of(row) ? industry_get(sector_of(row))->code : STR_NULL;
    case GROUP_SIDE:
        return side_name(trade->values.side);
    case GROUP_OWNER:
        return owner_name(trade->values.owner);
    case GROUP_BRACKET:
        return bracket_key(trade->values.bracket);
    case GROUP_ASSET_TYPE:
        return asset_type_name(trade->values.asset_type);
    case GROUP_LATE_STATUS:
        return late_status_name(maker_late(row));
    case GROUP_MONTH:
    case GROUP_YEAR:
        if (dated)
            snprintf(to, 16, "%04d-%02d", year, month);
        return dated ? str_of(to, dimension == GROUP_YEAR ? 4 : 7) : STR_NULL;
    case GROUP_FLAG_INDUSTRY:
        return str_is_null(trade->conflict_reason)
                   ? STR_NULL
                   : industry_get(trade->conflict_reason.p[7] - '0')->code;
    default:
        fail_msg("no value");
        return STR_NULL;
    }
}

static bool is_in(struct model *m, size_t i, enum group_dimension dimension, struct str value)
{
    char space[16];
    struct str reason = m->rows[i].trade.conflict_reason;
    if (dimension == GROUP_FLAG_COMMITTEE)
        return str_is_null(value) ? str_is_null(reason)
                                  : !str_is_null(reason) && maker_is_about(reason, 0, value);
    if (dimension == GROUP_SEAT)
        return sat_on(&m->rows[i], value) != str_is_null(value);
    struct str is = value_in(m, i, dimension, space);
    return str_is_null(is) == str_is_null(value) && (str_is_null(is) || str_eq(is, value));
}

static int order_of_days(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* By nearest rank, at most 4095. */
static int64_t days_of(const int *days, size_t n, size_t tenths)
{
    int at = n ? days[(n * tenths + 9) / 10 - 1] : -1;
    return at < 4095 ? at : 4095;
}

/* What the rows of the filter with the group's values add up to; NULL: all of them. */
static void expect_group(
    struct model *m, const struct feed_filter *filter, const struct feed_group_by *query,
    const struct trade_group *group, struct group_columns *ret)
{
    static int days[ROWS_MAX];
    bool seen[MAKER_PEOPLE] = {false};
    size_t n = 0;
    *ret = (struct group_columns){.first = DAY_NONE, .last = DAY_NONE};
    for (size_t i = 0; i < m->n; i++) {
        const struct trade *trade = &m->rows[i].trade;
        bool in = matches(m, i, filter);
        for (int d = 0; group && in && d < GROUP_BY_MAX && query->by[d]; d++)
            in = is_in(m, i, query->by[d], group->values[d].text);
        if (!in)
            continue;
        enum side side = trade->values.side;
        int32_t day = trade->values.trade_date;
        const struct bracket_info *bracket = bracket_info(trade->values.bracket);
        const struct trade_report report = maker_report(&m->rows[i]);
        const struct lateness lateness = lateness_of(day, &report);
        bool open = bracket->max == BRACKET_OPEN;
        ret->trades++;
        ret->buys += side == SIDE_BUY;
        ret->sells += side == SIDE_SELL_FULL || side == SIDE_SELL_PARTIAL;
        ret->exchanges += side == SIDE_EXCHANGE;
        ret->conflicts += !str_is_null(trade->conflict_reason);
        ret->conflicts_later += maker_is_later(trade->conflict_reason);
        ret->conflicts_a += maker_grade(trade->conflict_reason) == CONFLICT_GRADE_A;
        ret->conflicts_b += maker_grade(trade->conflict_reason) == CONFLICT_GRADE_B;
        ret->conflicts_c += maker_grade(trade->conflict_reason) == CONFLICT_GRADE_C;
        ret->late += lateness_status(&lateness) == LATE_LATE;
        ret->late_unknown += lateness_status(&lateness) == LATE_UNKNOWN;
        ret->amount_min += bracket->min;
        ret->amount_max += open ? 0 : bracket->max;
        ret->amount_open += open;
        ret->people += !seen[person_of(trade)];
        seen[person_of(trade)] = true;
        if (day != DAY_NONE && (ret->first == DAY_NONE || day < ret->first))
            ret->first = day;
        if (day != DAY_NONE && day > ret->last)
            ret->last = day;
        if (lateness.days_to_report >= 0)
            days[n++] = lateness.days_to_report;
        ret->days_known += lateness.days_to_report >= 0;
        ret->days_in_30 += lateness.days_to_report >= 0 && lateness.days_to_report <= 30;
        ret->days_in_45 += lateness.days_to_report >= 0 && lateness.days_to_report <= 45;
    }
    qsort(days, n, sizeof *days, order_of_days);
    ret->median_days = days_of(days, n, 5);
    ret->p90_days = days_of(days, n, 9);
}

static void check_groups(struct model *m)
{
    static struct feed_groups page, again;
    char slug[24];
    struct feed_filter filter = draw(m, 2) ? FEED_FILTER_NONE : random_filter(m, slug);
    struct feed_test tests[PARAM_TABLE_MAX];
    struct group_columns expected, all;
    int64_t sum = 0;
    struct feed_group_by query = {
        .sort = 1 + (int)draw(m, (uint64_t)shape_group_sorts.count - 1),
        .ascending = draw(m, 2),
        .limit = 1 + draw(m, FEED_PAGE_MAX)};
    if (draw(m, 2))
        add_tests(m, &filter, tests);
    if (draw(m, 2)) /* often the same question, with changes between */
        query = (struct feed_group_by){.sort = 1, .limit = 25};
    query.by[0] = (enum group_dimension)draw(m, GROUP_DIMENSION_COUNT);
    if (query.by[0] && draw(m, 2))
        query.by[1] = (enum group_dimension)(1 + draw(m, GROUP_DIMENSION_COUNT - 1));
    bool overlaps = group_overlaps(query.by[0]) || group_overlaps(query.by[1]);
    int64_t last = query.ascending ? INT64_MIN : INT64_MAX;
    struct arena arena;
    arena_init(&arena);
    rcu_read_begin();
    do {
        assert_true(feed_group(m->feed, &filter, &query, &arena, &page));
        assert_true(feed_group(m->feed, &filter, &query, &arena, &again)); /* is kept */
        assert_int_equal(again.count, page.count);
        assert_memory_equal(&again.totals, &page.totals, sizeof page.totals);
        for (size_t i = 0; i < page.count; i++) {
            struct str a = page.groups[i].values[0].text, b = again.groups[i].values[0].text;
            assert_true(str_is_null(a) == str_is_null(b) && str_eq(a, b));
            assert_memory_equal(
                &again.groups[i].columns, &page.groups[i].columns, sizeof again.groups[i].columns);
        }
        for (size_t i = 0; i < page.count; i++) {
            int64_t value = group_sort_value(&page.groups[i].columns, query.sort);
            expect_group(m, &filter, &query, &page.groups[i], &expected);
            assert_memory_equal(&expected, &page.groups[i].columns, sizeof expected);
            assert_true(
                last == DAY_NONE || value == DAY_NONE ||
                (query.ascending ? value >= last : value <= last));
            last = value;
            sum += expected.trades;
        }
        query.offset += page.count;
    } while (page.more && query.offset < 300);
    rcu_read_end();
    expect_group(m, &filter, &query, NULL, &all);
    assert_memory_equal(&all, &page.totals, sizeof all);
    if (!overlaps && !page.more && query.by[0])
        assert_int_equal(sum, all.trades);
    arena_finish(&arena);
}

static void check_politician(struct model *m)
{
    char slug[24];
    struct feed_filter filter = FEED_FILTER_NONE;
    struct feed_counts expected;
    struct feed_politician p;
    filter.politician = maker_print(slug, sizeof slug, "person-%llu", draw(m, MAKER_PEOPLE));
    filter.until_ms = random_until(m);
    expect_counts(m, &filter, &expected);
    rcu_read_begin();
    bool known = feed_politician(m->feed, filter.politician, 0, filter.until_ms, &p);
    assert_true(known || expected.trades == 0);
    if (known) {
        assert_str(p.slug, slug);
        assert_counts(&p.counts, &expected);
    }
    rcu_read_end();
}

static void check_ticker(struct model *m)
{
    struct feed_filter filter = FEED_FILTER_NONE;
    struct feed_counts expected;
    struct feed_ticker t;
    bool seen[MAKER_PEOPLE] = {false};
    int64_t politicians = 0;
    filter.ticker = str_from(maker_tickers[draw(m, MAKER_TICKERS - 1)]);
    filter.until_ms = random_until(m);
    expect_counts(m, &filter, &expected);
    for (size_t i = 0; i < m->n; i++) {
        if (!matches(m, i, &filter))
            continue;
        size_t person = person_of(&m->rows[i].trade);
        politicians += !seen[person];
        seen[person] = true;
    }
    rcu_read_begin();
    bool known = feed_ticker(m->feed, filter.ticker, filter.until_ms, &t);
    assert_true(known || expected.trades == 0);
    if (known) {
        assert_counts(&t.counts, &expected);
        assert_int_equal(t.politicians, politicians);
    }
    rcu_read_end();
}

/* Trades by reason and person. */
struct model_signals {
    int64_t trades[MAKER_REASONS][MAKER_PEOPLE + 1]; /* the feed numbers people from 1 on */
};

static void add_signal(void *ctx, const struct feed_signal *signal, int64_t trades)
{
    struct model_signals *signals = ctx;
    assert_in_range(signal->politician, 1, MAKER_PEOPLE);
    signals->trades[signal->topic->industry][signal->politician] += trades;
}

static int by_count(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void check_signals(struct model *m)
{
    char slug[24];
    struct feed_filter filter = FEED_FILTER_NONE;
    struct feed_test tests[PARAM_TABLE_MAX];
    struct model_signals is = {{{0}}}, expected = {{{0}}};
    if (draw(m, 2))
        filter = random_filter(m, slug);
    else
        filter.until_ms = random_until(m);
    if (draw(m, 4) == 0)
        add_tests(m, &filter, tests);
    filter.conflicts_only = true;
    filter.industry = 0;
    filter.committee = STR_NULL;
    for (size_t i = 0; i < m->n; i++)
        if (matches(m, i, &filter)) {
            const struct trade *trade = &m->rows[i].trade;
            expected.trades[trade->conflict_reason.p[7] - '0'][1 + person_of(trade)]++;
        }
    rcu_read_begin();
    feed_each_signal(m->feed, &filter, add_signal, &is);
    rcu_read_end();
    for (int reason = 1; reason < MAKER_REASONS; reason++) {
        qsort(is.trades[reason], MAKER_PEOPLE + 1, sizeof **is.trades, by_count);
        qsort(expected.trades[reason], MAKER_PEOPLE + 1, sizeof **is.trades, by_count);
        assert_memory_equal(is.trades[reason], expected.trades[reason], sizeof *is.trades);
    }
}

/* Lists of members or symbols were imported again: nothing changes for readers. */
static void relist(struct model *m)
{
    maker_add_seats(edition(m));
    edition_relist(edition(m));
}

static void step(struct model *m)
{
    uint64_t kind = draw(m, 23);
    if (kind == 22)
        relist(m);
    else if (m->n == 0 || kind < 9)
        publish(m);
    else if (kind < 13)
        withdraw(m);
    else if (kind < 16)
        correct(m);
    else if (kind < 19)
        sweep(m);
    else if (kind < 21)
        reinstate(m);
    else
        rebuild(m);
}

static void every_page_and_count_matches_naive_array(void **state)
{
    for (uint64_t seed = 0; seed < 3; seed++) {
        struct model m = {.feed = feed_create(), .now = 1000, .draws = seed << 32};
        maker_add_topics(&feed_edition(m.feed)->topics);
        maker_add_seats(feed_edition(m.feed));
        struct fail fail;
        m.rows = mem_array(ROWS_MAX, sizeof *m.rows);
        m.withdrawn = mem_array(ROWS_MAX, sizeof *m.withdrawn);
        m.absent = mem_array(ROWS_MAX, sizeof *m.absent);
        assert_int_equal(
            renames_parse(str_of(ticker_renames_csv, ticker_renames_csv_size), &m.renames, &fail),
            OK);
        for (int i = 0; i < STEPS; i++) {
            step(&m);
            for (int j = 0; j < 4; j++)
                check_page(&m);
            check_trade(&m);
            check_after(&m);
            check_counts(&m);
            if (i % 3 == 0)
                check_groups(&m);
            if (i % 5 == 0)
                check_order(&m);
            check_politician(&m);
            check_ticker(&m);
            check_signals(&m);
        }
        assert_true(m.n > ROWS_MAX / 2);
        renames_finish(&m.renames);
        feed_destroy(m.feed);
        mem_free(m.rows);
        mem_free(m.withdrawn);
        mem_free(m.absent);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_page_and_count_matches_naive_array),
    };
    rcu_thread_start();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rcu_thread_stop();
    return failed;
}
