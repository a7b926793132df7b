/* Pages of scans; see document_page.h. */
#include "store/public/document_page.h"

#include "store/row/list.h"

static enum err forget(struct db *db, int64_t version_no, struct fail *fail)
{
    return query_run(db, fail, "DELETE FROM document_page WHERE version_no = $1", V(version_no));
}

static enum err add(
    struct db *db, int64_t version_no, const struct document_page *page, struct fail *fail)
{
    return query_run(
        db, fail,
        "INSERT INTO document_page (version_no, page, turn, skew, form, reason)"
        " VALUES ($1, $2, $3, $4, $5, $6)",
        V(version_no), V(page->page), V(page->turn), V(page->skew), V(page->form), V(page->reason));
}

enum err document_page_replace(
    struct db *db, int64_t version_no, const struct document_page_list *pages, struct fail *fail)
{
    enum err err = forget(db, version_no, fail);
    for (size_t i = 0; i < pages->count && !err; i++)
        err = add(db, version_no, &pages->items[i], fail);
    return err;
}

enum err document_page_load(
    struct db *db, int64_t version_no, struct arena *arena, struct document_page_list *ret,
    struct fail *fail)
{
    struct list pages;
    struct query q;
    list_init(&pages, sizeof(struct document_page));
    query_with(
        &q, db,
        "SELECT page, turn, skew, form, reason FROM document_page WHERE version_no = $1"
        " ORDER BY page",
        V(version_no));
    while (query_row(&q)) {
        struct document_page *page = list_add(&pages);
        *page = (struct document_page){
            .page = (int)query_get_i64(&q, 0),
            .turn = (int)query_get_i64(&q, 1),
            .skew = (int)query_get_i64(&q, 2),
            .form = arena_str(arena, query_get_str(&q, 3)),
            .reason = arena_str(arena, query_get_str(&q, 4)),
        };
    }
    return list_end(&pages, &q, arena, ret, fail);
}
