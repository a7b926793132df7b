/* Pictures of the document of a draft. /desk/{filing}/pages/{n}.png: a page.
 * /desk/{filing}/rows/{row}/pages/{n}.png: a page with the row marked.
 * /desk/{filing}/strips/{n}.png: the strip of a page on which a row stands. */
#include "site/frame/handlers.h"

#include "rule/draft.h"
#include "site/desk/desk_entry_view.h"
#include "site/desk/desk_look.h"
#include "site/frame/page_call_parts.h"
#include "site/frame/pictures.h"

/* Answers with the picture of a page, which was then shown. */
static enum err answer_page(
    struct page_call *call, const struct picture *picture, struct fail *fail)
{
    TRY(pictures_answer(call, picture, fail));
    if (call->reply->kind == PAGE_REPLY_FILE)
        desk_look_note(call, picture->page, 0);
    return OK;
}

enum err desk_picture_load(struct page_call *call, struct fail *fail)
{
    struct picture picture = {.page = pictures_page_number(call->segments[1])};
    if (!picture.page)
        return fail_set(fail, ERR_NOT_FOUND, "there is no such page");
    TRY(kept_document_of_draft(call->db, call->segments[0], &picture.document, fail));
    TRY(kept_scan_page(call->db, &picture.document, picture.page, &picture.scan, fail));
    return answer_page(call, &picture, fail);
}

/* Finds where the row stands, for a visitor who may know of it. */
static enum err find_row(struct page_call *call, struct picture *picture, struct fail *fail)
{
    struct str id = call->segments[0];
    bool told = false;
    TRY(desk_entry_tells_rows(call, id, &told, fail));
    if (!picture->row || !told)
        return fail_set(fail, ERR_NOT_FOUND, "there is no such row");
    TRY(kept_document_of_draft(call->db, id, &picture->document, fail));
    return kept_scan_row(call->db, &picture->document, id, picture->row, &picture->scan, fail);
}

enum err desk_strip_load(struct page_call *call, struct fail *fail)
{
    struct picture picture = {.row = pictures_page_number(call->segments[1])};
    TRY(find_row(call, &picture, fail));
    return pictures_answer(call, &picture, fail);
}

enum err desk_marked_load(struct page_call *call, struct fail *fail)
{
    int64_t row = 0;
    struct picture picture = {.page = pictures_page_number(call->segments[2]), .marked = true};
    struct str number = call->segments[1];
    bool is_number = str_to_i64(number, &row) && number.p[0] != '0';
    if (is_number && row >= 1 && row <= DRAFT_ROW_MAX)
        picture.row = (int)row;
    TRY(find_row(call, &picture, fail));
    if (!picture.page || (picture.scan.known && picture.scan.page != picture.page))
        return fail_set(fail, ERR_NOT_FOUND, "the row is not on this page");
    /* of a scan: the row was typed, and has no place */
    if (!picture.scan.known)
        TRY(kept_scan_page(call->db, &picture.document, picture.page, &picture.scan, fail));
    return answer_page(call, &picture, fail);
}
