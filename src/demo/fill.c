/*
 * Fills an empty database; see demo.h. Filings are made in the order of their instants and freed
 * once written, so that memory does not grow with their number.
 */
#include "demo/demo.h"

#include "base/progress_hook.h"
#include "demo/maker.h"
#include "demo/people.h"
#include "demo/seats.h"
#include "review/publish_bulk.h"

enum { SPAN_DAYS = 3 * 365, NUMBER_SIZE = 8, AS_OF_MIN = 15706 /* 2013-01-01 */ };

#define BY STR("demo@example.org")

/* Draws the sizes of all filings first, from a separate stream, because the interval between
 * filings depends on their number. */
static int64_t count_filings(int64_t trades, int32_t as_of)
{
    struct dice d;
    int64_t filings = 0;
    dice_init(&d, (uint64_t)as_of, 3);
    for (int64_t left = trades; left > 0; filings++)
        left -= demo_filing_rows(&d);
    return filings;
}

/* Whole seconds, strictly increasing, the last one before the day `as_of` begins. */
static int64_t filing_instant(struct dice *d, int32_t as_of, int64_t index, int64_t filings)
{
    int64_t start = ((int64_t)as_of - SPAN_DAYS) * DAY_MS, span = (int64_t)SPAN_DAYS * DAY_MS;
    int64_t thousandths = index * 1000 + dice_below(d, 900);
    /* computed in seconds: span * thousandths would overflow for millions of filings */
    int64_t seconds = span / 1000 * thousandths / (filings * 1000);
    return start + seconds * 1000;
}

static enum err put_members(
    struct db *db, const struct member *people, size_t count, struct fail *fail)
{
    enum err err = OK;
    for (size_t i = 0; i < count && !err; i++) {
        enum member_outcome outcome;
        err = member_put(db, &people[i], &outcome, fail);
    }
    return err;
}

static enum err put_companies(
    struct db *db, const struct demo_companies *companies, struct fail *fail)
{
    enum err err = OK;
    for (size_t i = 0; i < companies->count && !err; i++)
        err = ticker_put(db, &companies->items[i], fail);
    return err;
}

static enum err add_filings(
    struct publish_bulk *bulk, struct demo_maker *maker, int64_t trades, int32_t as_of,
    const struct progress_hook *progress, struct fail *fail)
{
    int64_t filings = count_filings(trades, as_of), left = trades;
    struct dice sizes, times;
    dice_init(&sizes, (uint64_t)as_of, 3);
    dice_init(&times, (uint64_t)as_of, 4);
    enum err err = OK;
    for (int64_t i = 0; i < filings && !err; i++) {
        char number[NUMBER_SIZE];
        struct draft_filing filing;
        int rows = demo_filing_rows(&sizes);
        if (rows > left)
            rows = (int)left;
        left -= rows;
        int64_t n = i + 1;
        for (int k = NUMBER_SIZE; k-- > 0; n /= 10)
            number[k] = (char)('0' + n % 10);
        demo_maker_make(
            maker, str_of(number, NUMBER_SIZE), filing_instant(&times, as_of, i, filings), rows,
            &filing);
        err = publish_bulk_add(bulk, &filing, fail);
        progress_tell(progress, trades - left, trades);
    }
    return err;
}

static enum err not_empty(struct fail *fail)
{
    return fail_set(
        fail, ERR_REFUSED,
        "the database is not empty: `demo` needs a new one, such as `--database "
        "sqlite:var/demo.db`");
}

static enum err expect_no_members(struct db *db, struct fail *fail)
{
    int64_t members = 0;
    enum err err = member_count(db, &members, fail);
    return !err && members ? not_empty(fail) : err;
}

static enum err check_request(
    struct db *db, int64_t trades, int32_t as_of, int64_t now_ms, struct fail *fail)
{
    enum meta_data data;
    if (trades < 1 || trades > DEMO_TRADES_MAX)
        return fail_set(fail, ERR_INVALID, "the number of trades must be 1 to %d", DEMO_TRADES_MAX);
    if (as_of < AS_OF_MIN || as_of > instant_day_utc(now_ms))
        return fail_set(
            fail, ERR_INVALID, "the day of the demonstration data must be from 2013 to today");
    enum err err = meta_data_get(db, &data, fail);
    if (!err && data != META_DATA_NONE)
        err = not_empty(fail);
    return err ? err : expect_no_members(db, fail);
}

enum err demo_fill(
    struct db *db, int64_t trades, int32_t as_of, int64_t now_ms,
    const struct progress_hook *progress, struct demo_report *ret, struct fail *fail)
{
    struct publish_bulk *bulk;
    struct publish_result result;
    struct demo_companies companies;
    struct demo_maker maker;
    ARENA_SCOPED(arena);
    enum err err = check_request(db, trades, as_of, now_ms, fail);
    if (!err)
        err = publish_bulk_open(db, META_DATA_DEMO, BY, now_ms, &bulk, fail);
    if (err)
        return err;
    const struct member *people = demo_people(&arena, as_of);
    demo_companies_read(&arena, &companies);
    demo_maker_init(&maker, (uint64_t)as_of, people, DEMO_MEMBERS, &companies);
    err = expect_no_members(db, fail); /* another `demo` may have been faster */
    if (!err)
        err = publish_bulk_expect(bulk, count_filings(trades, as_of), fail);
    if (!err)
        err = put_members(db, people, DEMO_MEMBERS, fail);
    if (!err)
        err = demo_seats_put(db, people, DEMO_MEMBERS, as_of - SPAN_DAYS, as_of, now_ms, fail);
    if (!err)
        err = put_companies(db, &companies, fail);
    if (!err)
        err = add_filings(bulk, &maker, trades, as_of, progress, fail);
    err = publish_bulk_close(bulk, err, &result, fail);
    if (!err)
        *ret = (struct demo_report){DEMO_MEMBERS, (int64_t)result.filings, (int64_t)result.trades};
    demo_maker_finish(&maker);
    return err;
}
