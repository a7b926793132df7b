/* The stored page as text; see desk_stored.h. */
#include "site/desk/desk_stored.h"

#include "paper/page_text.h"
#include "store/public/document.h"

static void put_row(
    struct view *row, const struct page_line *line, const struct page_line *titles, bool is_open)
{
    struct view *cells = view_list(row, "cells");
    view_bool(row, "isTitle", line->is_title);
    view_bool(row, "isOpen", is_open);
    for (size_t i = 0; i < line->count; i++) {
        struct view *cell = view_item(cells);
        view_str(cell, "text", line->cells[i]);
        view_str(cell, "label", titles && i < titles->count ? titles->cells[i] : STR(""));
    }
}

/* Blocks in the order of the page: a line, or the rows of a table. */
static void put_blocks(struct view *stored, const struct page_text *page, ptrdiff_t open)
{
    struct view *blocks = view_list(stored, "blocks"), *rows = NULL;
    bool any_table = false;
    const struct page_line *titles = NULL;
    for (size_t i = 0; i < page->count; i++) {
        const struct page_line *line = &page->lines[i];
        if (!line->of_table) {
            view_str(view_item(blocks), "line", line->cells[0]);
            rows = NULL;
            continue;
        }
        any_table = true;
        if (!rows)
            rows = view_list(view_object(view_item(blocks), "table"), "rows");
        if (line->is_title)
            titles = line;
        put_row(view_item(rows), line, line->is_title ? NULL : titles, (ptrdiff_t)i == open);
    }
    view_bool(stored, "anyTable", any_table);
}

static bool descends(const struct page_text *page)
{
    int64_t first = 0, last = 0;
    for (size_t i = 0; i < page->count; i++)
        if (page->lines[i].of_table && str_to_i64(page->lines[i].cells[0], &last) && !first)
            first = last;
    return first > last;
}

enum err desk_stored_put(
    struct page_call *call, const struct kept_document *kept, int64_t row, struct desk_stored *ret,
    struct fail *fail)
{
    BUF_SCOPED(bytes, DOCUMENT_BYTES_MAX);
    struct page_text page;
    TRY(document_bytes_read(call->db, kept->version_no, &bytes, fail));
    page_text_read(buf_view(&bytes), call->arena, &page);
    ptrdiff_t open = row ? page_text_find(&page, row) : -1;
    struct view *stored = view_object(call->view, "stored");
    view_bool(stored, "isCut", page.is_cut);
    ret->is_whole = !page.is_cut;
    ret->descends = descends(&page);
    view_bool(stored, "notFound", row && open < 0);
    put_blocks(stored, &page, open);
    return OK;
}
