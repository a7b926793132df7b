/* A member's trades; see member_trades.h. */
#include "site/data/member_trades.h"

#include <stdlib.h>

#include "base/hash.h"
#include "site/frame/reader.h"
#include "store/public/trade.h"

int32_t member_trade_late(const struct member_trade *trade)
{
    return trade->lateness.days_late > 0 ? trade->lateness.days_late : 0;
}

/* Trades that are being collected, newest publication first. */
struct collected {
    struct arena *arena;
    const struct topics *topics;
    const struct member_seats *seats;
    struct member_trades *to;
    size_t room, filing_room;
    struct intmap filings; /* by the hash of the id: place + 1 */
};

/* The trades of a filing mostly follow each other. */
static uint32_t filing_of(struct collected *c, struct str id)
{
    struct member_trades *to = c->to;
    struct str filing = trade_id_filing(id);
    if (to->count && str_eq(to->filings[to->items[to->count - 1].filing], filing))
        return to->items[to->count - 1].filing;
    uint64_t hash = hash_str(filing);
    uintptr_t known = (uintptr_t)intmap_get(&c->filings, hash);
    if (known)
        return (uint32_t)known - 1;
    to->filings =
        arena_grow(c->arena, to->filings, to->filing_count, &c->filing_room, sizeof *to->filings);
    to->filings[to->filing_count++] = filing;
    intmap_put(&c->filings, hash, (void *)(uintptr_t)to->filing_count);
    return (uint32_t)to->filing_count - 1;
}

static void add_trade(void *ctx, const struct feed_facts *facts, const struct feed_row *row)
{
    struct collected *c = ctx;
    struct member_trades *to = c->to;
    to->cut |= to->count == MEMBER_TRADES_MAX;
    if (to->cut)
        return;
    to->items = arena_grow(c->arena, to->items, to->count, &c->room, sizeof *to->items);
    to->items[to->count] = (struct member_trade){
        .id = facts->id,
        .head = row->head,
        .tail = row->tail,
        .traded = facts->traded,
        .filed = row->report.filed,
        .lateness = feed_row_lateness(row),
        .side = facts->side,
        .bracket = facts->bracket,
        .basis = facts->basis,
        .grade = facts->grade,
        .filing = filing_of(c, facts->id),
        .seats = member_seats_of(c->seats, c->topics, row->topic, c->arena),
    };
    to->count++;
}

static int by_key(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Orders them by day, and those of a day as they were published: they come newest first. */
static void sort(struct member_trades *t, struct arena *arena)
{
    struct member_trade *from = t->items, *to = ARENA_ARRAY(arena, struct member_trade, t->count);
    uint64_t *keys = ARENA_ARRAY(arena, uint64_t, t->count);
    for (size_t i = 0; i < t->count; i++) /* days are signed */
        keys[i] = (uint64_t)((int64_t)from[i].traded - INT32_MIN) << 32 | (t->count - 1 - i);
    qsort(keys, t->count, sizeof *keys, by_key);
    for (size_t i = 0; i < t->count; i++)
        to[i] = from[t->count - 1 - (keys[i] & UINT32_MAX)];
    t->items = to;
}

void member_trades_load(
    struct page_call *call, struct str member_id, const struct member_seats *seats,
    struct member_trades *ret)
{
    const struct feed *feed = call->config->feed;
    struct feed_filter filter = FEED_FILTER_NONE;
    struct collected c = {call->arena, feed_topics(feed), seats, ret, 0, 0, {0}};
    int64_t brackets[BRACKET_COUNT] = {0};
    filter.politician = member_id;
    filter.line_ms = reader_until(call);
    *ret = (struct member_trades){0};
    intmap_init(&c.filings);
    feed_each_trade(feed, &filter, add_trade, &c);
    intmap_finish(&c.filings);
    feed_counts(feed, &filter, &ret->counts);
    if (ret->cut)
        feed_bracket_counts(feed, &filter, brackets);
    for (size_t i = 0; i < ret->count && !ret->cut; i++)
        brackets[ret->items[i].bracket]++;
    for (int i = 1; i < BRACKET_COUNT; i++)
        member_band_add(&ret->band, (enum bracket)i, brackets[i]);
    if (ret->count)
        sort(ret, call->arena);
}

bool member_trades_have(const struct member_trades *trades, struct str filing)
{
    for (size_t i = 0; i < trades->filing_count; i++)
        if (str_eq(trades->filings[i], filing))
            return true;
    return false;
}

/* --- sums of brackets */

void member_band_add(struct member_band *band, enum bracket bracket, int64_t count)
{
    const struct bracket_info *info = bracket_info(bracket);
    band->min += count * info->min;
    if (info->max == BRACKET_OPEN)
        band->open |= count > 0;
    else
        band->max += count * info->max;
}

/* At least two digits: "$1.1M", "$12.3M", "$123M". */
static void put_dollars(struct buf *b, int64_t dollars, bool up)
{
    static const struct {
        int64_t unit;
        char sign;
    } units[] = {{1000000000, 'B'}, {1000000, 'M'}, {1000, 'K'}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        int64_t unit = units[i].unit, step = dollars >= 100 * unit ? unit : unit / 10;
        if (dollars < unit)
            continue;
        int64_t steps = (dollars + (up ? step - 1 : 0)) / step;
        if (i && steps * step == units[i - 1].unit) { /* $999,999 rounded up is $1M */
            put_dollars(b, units[i - 1].unit, up);
            return;
        }
        buf_fmt(b, "$%lld", (long long)(steps * step / unit));
        if (step < unit && steps % 10)
            buf_fmt(b, ".%d", (int)(steps % 10));
        buf_char(b, units[i].sign);
        return;
    }
    buf_fmt(b, "$%lld", (long long)dollars);
}

struct str member_band_text(const struct member_band *band, struct arena *arena)
{
    char low[32], high[32];
    struct buf from = buf_over(low, sizeof low), to = buf_over(high, sizeof high);
    put_dollars(&from, band->min, false);
    if (band->open)
        return arena_fmt(arena, "over %.*s", STR_ARG(buf_view(&from)));
    put_dollars(&to, band->max, true); /* which an open band may lack: BRACKET_OPEN */
    return arena_fmt(arena, "%.*s – %.*s", STR_ARG(buf_view(&from)), STR_ARG(buf_view(&to)));
}
