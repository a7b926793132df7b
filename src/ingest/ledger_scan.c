/* The rows and pages of a scan in the ledger; see ledger_parts.h. */
#include "ingest/ledger_parts.h"
#include "store/document_page.h"
#include "store/draft_row.h"

/* "; 2 pages were not read in full", and why if all have the same reason. */
static struct str unread_pages(const struct reading *reading, struct arena *arena)
{
    size_t unread = 0;
    struct str why = STR_NULL;
    bool same = true;
    for (size_t i = 0; i < reading->page_count; i++) {
        struct str reason = reading->pages[i].reason;
        if (str_is_null(reason))
            continue;
        same = same && (!unread || str_eq(why, reason));
        why = reason;
        unread++;
    }
    if (!unread)
        return STR("");
    struct str pages =
        unread == 1 ? STR("one page was") : arena_fmt(arena, "%zu pages were", unread);
    return arena_fmt(
        arena, "; %.*s not read in full%s%.*s", STR_ARG(pages), same ? ": " : "",
        STR_ARG(same ? why : STR("")));
}

struct str ledger_scan_reason(const struct reading *reading, struct arena *arena)
{
    size_t rows = reading->row_count;
    struct str pages = unread_pages(reading, arena);
    if (!rows)
        return arena_fmt(
            arena, "%.*s%s%.*s", STR_ARG(reading->reason),
            reading->page_count ? ", and no row was read from them" : "", STR_ARG(pages));
    return arena_fmt(
        arena, "a scan: %zu %s read from its pages, check every field%.*s", rows,
        rows == 1 ? "row was" : "rows were", STR_ARG(pages));
}

enum err ledger_scan_pages(const struct ledger_report *r, int64_t version, struct fail *fail)
{
    size_t count = r->reading->page_count;
    struct document_page *pages = ARENA_ARRAY(r->arena, struct document_page, count + 1);
    for (size_t i = 0; i < count; i++) {
        const struct reading_page *page = &r->reading->pages[i];
        pages[i] = (struct document_page){
            .page = page->page,
            .turn = page->turn,
            .skew = page->skew,
            .form = page->form,
            .reason = page->reason,
        };
    }
    const struct document_page_list list = {pages, count};
    return count ? document_page_replace(r->ledger->db, version, &list, fail) : OK;
}

/* A person has typed a row, or may be about to. */
static bool is_touched(const struct draft *draft, const struct draft_row_list *rows, int64_t now_ms)
{
    for (size_t i = 0; i < rows->count; i++)
        if (str_is_null(rows->items[i].sources))
            return true;
    if (draft->state == DRAFT_WAITING)
        return !str_is_null(draft->accepted_by);
    return draft->state != DRAFT_IN_REVIEW || now_ms < draft->claimed_until ||
           draft->publication_no || rows->count > 0;
}

enum err ledger_scan_rows(
    struct ledger_report *r, struct draft *draft, bool *ret_taken, struct fail *fail)
{
    struct draft_row_list rows = {.count = 0};
    enum err err = draft_row_load(r->ledger->db, draft->no, r->arena, &rows, fail);
    *ret_taken = !err && !is_touched(draft, &rows, r->now_ms);
    if (err || !*ret_taken)
        return err;
    if (draft->is.filed_at != INSTANT_NONE)
        r->draft.filed_at = draft->is.filed_at;
    err = draft_row_forget_scanned(r->ledger->db, draft->no, fail);
    if (!err)
        err = ledger_insert_rows(r, draft->no, fail);
    draft->is.reason = r->draft.reason;
    return err ? err : draft_update(r->ledger->db, draft, fail);
}
