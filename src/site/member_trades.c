/* A member's trades; see member_trades.h. */
#include "site/member_trades.h"

#include <stdlib.h>

#include "core/due.h"
#include "shape/trade_read.h"
#include "site/reader.h"
#include "store/trade.h"

int32_t member_trade_days(const struct member_trade *trade)
{
    int32_t traded = trade->trade.values.trade_date;
    return traded == DAY_NONE || traded > trade->filed ? -1 : trade->filed - traded;
}

int32_t member_trade_late(const struct member_trade *trade)
{
    return trade->due == DAY_NONE ? 0 : due_days_late(trade->due, trade->filed);
}

/* Items are in blocks of a page until their number is known. */
struct member_block {
    struct member_block *next;
    size_t count;
    struct member_trade items[FEED_PAGE_MAX];
};

static void read_block(
    struct arena *arena, const struct feed_page *page, const struct member_seats *seats,
    struct member_block *to)
{
    for (size_t i = 0; i < page->count; i++) {
        const struct feed_row *row = &page->rows[i];
        struct member_trade *item = &to->items[to->count++];
        shape_trade_read(row->head, row->tail, arena, &item->trade);
        item->filing = trade_id_filing(item->trade.id);
        item->filed = row->filed;
        item->due = row->due;
        item->seats = member_seats_of(seats, item->trade.conflict_reason);
    }
}

static int by_day(const void *a, const void *b)
{
    const struct member_trade *x = a, *y = b;
    int32_t days[] = {x->trade.values.trade_date, y->trade.values.trade_date};
    if (days[0] != days[1])
        return days[0] < days[1] ? -1 : 1;
    return str_cmp(x->trade.id, y->trade.id);
}

void member_trades_load(
    struct page_call *call, struct str member_id, const struct member_seats *seats,
    struct member_trades *ret)
{
    MEM_UNFILLED struct feed_page page;
    struct feed_filter filter = FEED_FILTER_NONE;
    struct member_block *first = NULL, **last = &first;
    struct cursor after;
    int64_t brackets[BRACKET_COUNT] = {0};
    filter.politician = member_id;
    filter.until_ms = reader_until(call);
    *ret = (struct member_trades){0};
    rcu_read_begin();
    do {
        feed_trades(call->config->feed, &filter, ret->count ? &after : NULL, FEED_PAGE_MAX, &page);
        struct member_block *block = ARENA_NEW(call->arena, struct member_block);
        read_block(call->arena, &page, seats, block);
        *last = block;
        last = &block->next;
        ret->count += block->count;
        after = page.next;
    } while (page.more && ret->count < MEMBER_TRADES_MAX);
    ret->cut = page.more;
    feed_counts(call->config->feed, &filter, &ret->counts);
    if (ret->cut)
        feed_bracket_counts(call->config->feed, &filter, brackets);
    rcu_read_end();
    ret->items = ARENA_ARRAY(call->arena, struct member_trade, ret->count);
    size_t n = 0;
    for (const struct member_block *block = first; block; block = block->next)
        for (size_t i = 0; i < block->count; i++)
            ret->items[n++] = block->items[i];
    for (size_t i = 0; i < n && !ret->cut; i++)
        brackets[ret->items[i].trade.values.bracket]++;
    for (int i = 1; i < BRACKET_COUNT; i++)
        member_band_add(&ret->band, (enum bracket)i, brackets[i]);
    qsort(ret->items, ret->count, sizeof *ret->items, by_day);
}

bool member_trades_have(const struct member_trades *trades, struct str filing)
{
    for (size_t i = 0; i < trades->count; i++)
        if (str_eq(trades->items[i].filing, filing))
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
