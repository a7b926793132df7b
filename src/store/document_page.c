/* Pages of scans; see document_page.h. */
#include "store/document_page.h"

#include "store/list.h"

static enum err forget(struct db *db, int64_t version_no, struct fail *fail)
{
    struct query q;
    query_start(&q, db, "DELETE FROM document_page WHERE version_no = $1");
    query_i64(&q, version_no);
    return query_end(&q, fail);
}

static enum err add(
    struct db *db, int64_t version_no, const struct document_page *page, struct fail *fail)
{
    struct query q;
    query_start(
        &q, db,
        "INSERT INTO document_page (version_no, page, turn, skew, form, reason)"
        " VALUES ($1, $2, $3, $4, $5, $6)");
    query_i64(&q, version_no);
    query_i64(&q, page->page);
    query_i64(&q, page->turn);
    query_i64(&q, page->skew);
    query_str(&q, page->form);
    query_str(&q, page->reason);
    return query_end(&q, fail);
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
    query_start(
        &q, db,
        "SELECT page, turn, skew, form, reason FROM document_page WHERE version_no = $1"
        " ORDER BY page");
    query_i64(&q, version_no);
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
    enum err err = query_end(&q, fail);
    if (!err)
        *ret = (struct document_page_list){.count = pages.count, .items = list_keep(&pages, arena)};
    list_finish(&pages);
    return err;
}
