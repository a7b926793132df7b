/* Feeds of lists without an order in time; see list_newest.h. */
#include "site/data/list_newest.h"

#include "site/data/correction_view.h"
#include "site/frame/trade_view.h"

/* Newer first; of the same publication by key. */
static bool is_before(
    struct str key, const struct feed_counts *counts, const struct list_newest_row *other)
{
    int64_t at = counts->last_activity, other_at = other->counts.last_activity;
    return at != other_at ? at > other_at : str_cmp(key, other->key) < 0;
}

struct list_newest_row *list_newest_place(
    struct list_newest *newest, struct str key, const struct feed_counts *counts)
{
    size_t place = newest->count;
    if (counts->trades == 0)
        return NULL;
    while (place > 0 && is_before(key, counts, &newest->rows[place - 1]))
        place--;
    if (place == LIST_FEED_ROWS)
        return NULL;
    if (newest->count < LIST_FEED_ROWS)
        newest->count++;
    struct list_newest_row *row = &newest->rows[place];
    memmove(row + 1, row, (newest->count - 1 - place) * sizeof *row);
    return row;
}

static struct str text_of(struct arena *arena, const struct list_newest_row *row)
{
    char day[DAY_TEXT_SIZE];
    const struct feed_counts *counts = &row->counts;
    day_print(instant_day_new_york(counts->last_activity), day);
    return arena_fmt(
        arena,
        "%.*s%s%lld bought, %lld sold, %lld exchanged; %lld flagged and %lld on a later list "
        "(grade A %lld, B %lld, C %lld), %lld of %lld known reported late. Last publication on "
        "%.*s.",
        STR_ARG(row->label), row->label.n ? ". " : "", (long long)counts->buys,
        (long long)counts->sells, (long long)counts->exchanges,
        (long long)feed_conflicts_firm(counts), (long long)counts->conflicts_later,
        (long long)counts->grades[CONFLICT_GRADE_A], (long long)counts->grades[CONFLICT_GRADE_B],
        (long long)counts->grades[CONFLICT_GRADE_C], (long long)counts->late,
        (long long)feed_late_known(counts), DAY_TEXT_SIZE, day);
}

/* The instant of the newest correction of a trade or a filing that the visitor sees. Rows that were
 * published later need no look at their corrections. */
static enum err find_newest_correction(struct page_call *call, int64_t *ret, struct fail *fail)
{
    enum { LOOKED_AT = 20 }; /* imports of history are in the log too */
    const struct correction_range all = CORRECTION_RANGE_ALL;
    struct correction_list list;
    TRY(correction_list_read(call, &all, LOOKED_AT, &list, fail));
    *ret = list.more ? INT64_MAX : INSTANT_NONE;
    for (size_t i = list.count; i > 0; i--)
        if (list.items[i - 1].kind != CORRECTION_BACKFILL)
            *ret = list.items[i - 1].at;
    return OK;
}

/* The last publication, or the newest correction that the visitor sees. */
static enum err find_updated(
    struct page_call *call, const struct list_newest_kind *kind, const struct list_newest_row *row,
    int64_t newest_correction, int64_t *ret, struct fail *fail)
{
    struct correction_range range = CORRECTION_RANGE_ALL;
    struct correction_list list;
    kind->choose(&range, row->key);
    range.since_ms = *ret = row->counts.last_activity; /* older ones change nothing */
    if (newest_correction < *ret)
        return OK;
    TRY(correction_list_read(call, &range, 1, &list, fail));
    if (list.count)
        *ret = list.items[0].at;
    return OK;
}

static enum err make_item(
    struct page_call *call, const struct list_newest_kind *kind, const struct list_newest_row *row,
    int64_t newest_correction, struct syndication_item *ret, struct fail *fail)
{
    struct arena *arena = call->arena;
    struct str folder = arena_fmt(arena, "%.*s/", STR_ARG(kind->list));
    struct str page = page_url(call, trade_path(arena, folder.p, row->key));
    *ret = (struct syndication_item){
        .id = page,
        .page = page,
        .title = arena_fmt(
            arena, "%.*s: %lld trade%s", STR_ARG(row->name), (long long)row->counts.trades,
            row->counts.trades == 1 ? "" : "s"),
        .text = text_of(arena, row),
        .published = row->counts.first_activity,
    };
    return find_updated(call, kind, row, newest_correction, &ret->updated, fail);
}

enum err list_newest_reply(
    struct page_call *call, const struct list_newest_kind *kind, const struct list_newest *newest,
    const struct link_param *filters, size_t count, struct fail *fail)
{
    struct syndication_item *items =
        ARENA_ARRAY(call->arena, struct syndication_item, LIST_FEED_ROWS);
    struct syndication s = {.title = kind->title, .items = items};
    int64_t newest_correction;
    TRY(find_newest_correction(call, &newest_correction, fail));
    for (; s.count < newest->count; s.count++) {
        const struct list_newest_row *row = &newest->rows[s.count];
        TRY(make_item(call, kind, row, newest_correction, &items[s.count], fail));
        page_surrogate(call, kind->letter, row->key);
    }
    list_feed_reply(call, &s, filters, count, STR_NULL);
    return OK;
}
