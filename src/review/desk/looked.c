/* Evidence of looking; see looked.h. */
#include "review/desk/looked.h"

#include "store/desk/draft_look.h"
#include "store/public/document.h"

/* What must have been shown. */
struct looked_needed {
    struct number_set pages, rows;
    bool unknown; /* a row's page is not known, nor which pages there are */
};

/* An electronic report of the Senate is one page. The page of a row that a person added may not be
 * known: then all pages are needed. */
static enum err find_needed(
    struct db *db, const struct looked_at *at, struct arena *arena, struct looked_needed *ret,
    struct fail *fail)
{
    const struct draft_new *is = &at->draft->is;
    struct document_page_list pages = {.count = 0};
    bool all = false;
    for (size_t i = 0; i < at->rows->count; i++) {
        const struct draft_row_stored *row = &at->rows->items[i];
        if (row->removed)
            continue;
        number_set_add(&ret->rows, row->row);
        number_set_add(&ret->pages, row->page ? row->page : 1);
        all |= !row->page && (is->manual || is->chamber == CHAMBER_HOUSE);
    }
    number_set_add(&ret->pages, number_set_count(&ret->rows) ? 0 : 1);
    if (!all)
        return OK;
    TRY(document_page_load(db, is->document_version, arena, &pages, fail));
    for (size_t i = 0; i < pages.count; i++)
        number_set_add(&ret->pages, pages.items[i].page);
    ret->unknown = pages.count == 0;
    return OK;
}

/* "page: pages 1-2 of 1-2 shown, 0 of 12 rows opened, 14 s, by the desk" */
static struct str line_of(
    const struct acceptance *is, const struct looked_needed *needed, const struct draft_look *look,
    struct arena *arena)
{
    static const char *const ways[ACCEPTANCE_WAY_COUNT] = {
        [ACCEPTANCE_SCRIPT] = "on the desk",
        [ACCEPTANCE_DESK] = "on the desk without its script",
        [ACCEPTANCE_COMMAND] = "by command",
    };
    struct str review = filing_review_name(is->review);
    return arena_fmt(
        arena, "%.*s: pages %.*s of %.*s shown, %d of %d rows opened, %lld s, %s", STR_ARG(review),
        STR_ARG(is->pages.n ? is->pages : STR("none")),
        STR_ARG(number_set_text(&needed->pages, arena)), number_set_count(&look->opened),
        is->row_count, (long long)(is->ms / 1000), ways[is->way]);
}

enum err looked_store(
    struct db *db, const struct looked_at *at, struct arena *arena, struct str *ret_line,
    struct fail *fail)
{
    struct looked_needed *needed = ARENA_NEW(arena, struct looked_needed);
    struct draft_look look;
    TRY(find_needed(db, at, arena, needed, fail));
    TRY(draft_look_end(
        db, at->draft->no, at->way == ACCEPTANCE_COMMAND ? STR("") : at->by, at->now_ms, &look,
        fail));
    bool shown = !needed->unknown && number_set_within(&needed->pages, &look.pages);
    bool opened = number_set_within(&needed->rows, &look.opened);
    number_set_keep(&look.pages, &needed->pages);
    number_set_keep(&look.opened, &needed->rows);
    const struct acceptance is = {
        .draft_no = at->draft->no,
        .at = at->now_ms,
        .by = at->by,
        .way = at->way,
        .review = !shown                                   ? FILING_REVIEW_UNSEEN
                  : opened && at->way == ACCEPTANCE_SCRIPT ? FILING_REVIEW_ROW
                                                           : FILING_REVIEW_PAGE,
        .pages = number_set_text(&look.pages, arena),
        .opened = number_set_text(&look.opened, arena),
        .row_count = number_set_count(&needed->rows),
        .ms = look.ms,
    };
    *ret_line = line_of(&is, needed, &look, arena);
    return acceptance_add(db, &is, fail);
}
