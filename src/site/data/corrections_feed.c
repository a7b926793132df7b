/* /corrections.atom and /corrections.json: corrections for readers of news. */
#include "site/frame/handlers.h"

#include "paper/cell/change.h"
#include "site/data/corrections_query.h"
#include "site/data/list_feed.h"
#include "site/data/list_forms.h"
#include "site/frame/page_call_parts.h"
#include "site/frame/page_kept.h"
#include "site/frame/trade_view.h"

static struct str text_of(struct arena *arena, const struct correction *c)
{
    BUF_SCOPED(b, SIZE_MAX);
    if (!str_is_null(c->field)) {
        correction_words_put(&b, c->field, c->old, c->new, SIZE_MAX);
        buf_text(&b, ". ");
        b.p[0] = ascii_upper(b.p[0]);
    }
    if (c->kind == CORRECTION_BACKFILL)
        buf_fmt(
            &b, "%lld %s imported. ", (long long)c->count,
            c->count == 1 ? "trade of history was" : "trades of history were");
    if (!str_is_null(c->reason))
        buf_fmt(&b, "Why: %.*s", STR_ARG(c->reason));
    return arena_str(arena, str_trim(buf_view(&b)));
}

/* "Robin Vale: Abacus, Inc. (ABC): amount corrected"; a trade that is not public has its id. */
static struct str title_of(struct page_call *call, const struct correction *c, struct str what)
{
    struct str about = correction_about(call, c), kind = correction_kind_words(c->kind);
    if (str_is_null(about))
        about = what;
    return arena_fmt(
        call->arena, "%.*s%s%.*s%s%.*s", STR_ARG(about), about.n ? ": " : "",
        STR_ARG(correction_words_field(c->field)), c->field.n ? " " : "", STR_ARG(kind));
}

static void make_item(
    struct page_call *call, const struct correction *c, struct syndication_item *ret)
{
    struct arena *arena = call->arena;
    struct str id = correction_id(arena, c->no), what = c->trade_id;
    struct str page = STR("/corrections");
    if (!str_is_null(c->trade_id))
        page = trade_path(arena, "/trades/", c->trade_id);
    else if (!str_is_null(c->filing_id))
        page = trade_path(arena, "/filings/", what = c->filing_id);
    *ret = (struct syndication_item){
        .id = page_url(call, arena_fmt(arena, "/corrections#%.*s", STR_ARG(id))),
        .page = page_url(call, page),
        .title = title_of(call, c, what),
        .text = text_of(arena, c),
        .published = c->at,
        .updated = c->at,
    };
    ret->tags[ret->tag_count++] = correction_kind_name(c->kind);
}

enum err corrections_feed_load(struct page_call *call, struct fail *fail)
{
    struct list_query query;
    struct correction_range range;
    struct correction_list list;
    struct syndication_item *items = arena_alloc(call->arena, LIST_FEED_ROWS * sizeof *items);
    struct syndication s = {.title = STR("Corrections of published trades"), .items = items};
    if (!corrections_query_read(call, str_from(call->page->path), &query, &range))
        return list_forms_fault(call, STR("/corrections"), fail);
    TRY(correction_list_read(call, &range, LIST_FEED_ROWS, &list, fail));
    if (call->reply->lacking && !page_kept_get(call))
        return fail_set(fail, ERR_UNAVAILABLE, "no reader asked for this feed before");
    for (; s.count < list.count; s.count++)
        make_item(call, &list.items[s.count], &items[s.count]);
    page_surrogate(call, "list", STR("corrections"));
    list_feed_reply(call, &s, query.given, query.given_count, corrections_next(call->arena, &list));
    return OK;
}
