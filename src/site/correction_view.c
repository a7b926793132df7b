/* Corrections as a view; see correction_view.h. */
#include "site/correction_view.h"

#include "base/log.h"
#include "site/day_view.h"
#include "site/reader.h"
#include "site/trade_view.h"
#include "store/filing.h"
#include "store/trade.h"

/* --- reading */

struct correction_reading {
    struct arena *arena;
    int64_t limit;
    struct correction_list *list;
};

static struct correction copy(struct arena *arena, const struct correction *c)
{
    struct correction mine = *c;
    struct str *texts[] = {&mine.trade_id, &mine.filing_id, &mine.field, &mine.old,
                           &mine.new,      &mine.reason,    &mine.by};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!str_is_null(*texts[i]))
            *texts[i] = arena_str(arena, *texts[i]);
    return mine;
}

static void add(void *ctx, const struct correction *correction)
{
    struct correction_reading *reading = ctx;
    struct correction_list *list = reading->list;
    if ((int64_t)list->count == reading->limit) {
        list->more = true;
        return;
    }
    list->items[list->count++] = copy(reading->arena, correction);
    list->last_at = correction->at;
    list->last_no = correction->no;
}

/* Damaged entries are not served. Only an entry of the last hours can be about a publication that
 * the visitor does not see yet. */
static enum err may_see(
    struct page_call *call, const struct correction *c, bool *ret, struct fail *fail)
{
    struct trade_row trade;
    struct filing_row filing;
    enum err err = OK;
    *ret = !c->damaged;
    if (!*ret || reader_sees(call, c->at))
        return OK;
    if (!str_is_null(c->trade_id)) {
        err = trade_find(call->db, c->trade_id, call->arena, &trade, NULL, fail);
        *ret = !err && reader_sees(call, trade.trade.disclosed_at);
    } else if (!str_is_null(c->filing_id)) {
        err = filing_find(call->db, c->filing_id, call->arena, &filing, fail);
        *ret = !err && reader_sees(call, filing.filing.published_at);
    }
    return err == ERR_NOT_FOUND ? OK : err;
}

enum err correction_list_read(
    struct page_call *call, const struct correction_range *range, int64_t limit,
    struct correction_list *ret, struct fail *fail)
{
    struct correction_reading reading = {call->arena, limit, ret};
    size_t kept = 0;
    *ret = (struct correction_list){
        .items = arena_alloc(call->arena, (size_t)limit * sizeof *ret->items)};
    enum err err = correction_each(call->db, range, limit + 1, add, &reading, fail);
    for (size_t i = 0; i < ret->count && !err; i++) {
        bool seen;
        err = may_see(call, &ret->items[i], &seen, fail);
        if (!err && ret->items[i].damaged)
            log_line(LOG_ERROR, "a correction is damaged and left out: run `stockact check`");
        if (!err && seen)
            ret->items[kept++] = ret->items[i];
    }
    ret->count = kept;
    return err;
}

/* --- showing */

struct str correction_kind_words(enum correction_kind kind)
{
    static const struct str words[CORRECTION_KIND_COUNT] = {
        [CORRECTION_FIELD] = STR_INIT("corrected"),
        [CORRECTION_WITHDRAWN] = STR_INIT("withdrawn"),
        [CORRECTION_REINSTATED] = STR_INIT("reinstated"),
        [CORRECTION_BACKFILL] = STR_INIT("history imported"),
    };
    return words[kind];
}

struct str correction_id(struct arena *arena, int64_t no)
{
    return arena_fmt(arena, "correction-%lld", (long long)no);
}

void correction_view_put(struct view *row, const struct correction *c)
{
    bool of_trade = !str_is_null(c->trade_id);
    struct str what = of_trade ? c->trade_id : c->filing_id;
    view_str(row, "id", correction_id(view_arena(row), c->no));
    view_instant(row, "at", c->at);
    view_str(row, "kindText", correction_kind_words(c->kind));
    view_str(row, "what", what);
    trade_path_put(row, "href", of_trade ? "/trades/" : "/filings/", what);
    view_bool(row, "changed", !str_is_null(c->field));
    view_str(row, "field", c->field);
    view_str(row, "old", c->old);
    view_str(row, "new", c->new);
    view_str(row, "reason", c->reason);
    bool backfill = c->kind == CORRECTION_BACKFILL;
    view_bool(row, "backfill", backfill);
    view_count(row, "trades", backfill ? c->count : 0);
    day_view_put(row, "from", backfill ? instant_day_new_york(c->range_start) : DAY_NONE);
    day_view_put(row, "to", backfill ? instant_day_new_york(c->range_end) : DAY_NONE);
}
