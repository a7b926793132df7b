/* /trades/{id}/row.png and /filings/{id}/pages/{n}.png: what the House's documents look like, for
 * visitors who may see the trade or the filing. */
#include "site/frame/handlers.h"

#include "site/data/filing_view.h"
#include "site/frame/page_call_parts.h"
#include "site/frame/pictures.h"
#include "site/frame/reader.h"
#include "store/public/trade.h"

static void answer_no_document(struct page_call *call)
{
    page_problem(call, PROBLEM_NOT_FOUND, STR("The document is not stored here as a picture."));
}

/* Without a document that can be drawn: 404. */
static enum err answer(
    struct page_call *call, enum err found, struct picture *picture, struct fail *fail)
{
    if (!found)
        return pictures_answer(call, picture, fail);
    if (found == ERR_NOT_FOUND)
        answer_no_document(call);
    return found == ERR_NOT_FOUND ? OK : found;
}

enum err trade_picture_load(struct page_call *call, struct fail *fail)
{
    struct trade_row row;
    struct trade_source source;
    struct picture picture = {.row = 0};
    struct str id = call->segments[0];
    TRY(trade_find(call->db, id, call->arena, &row, &source, fail));
    if (!reader_sees(call, row.trade.disclosed_at)) {
        reader_answer_delayed(call, "trade", row.trade.disclosed_at);
        return OK;
    }
    if (row.withdrawn_at != INSTANT_NONE) {
        reader_answer_withdrawn(call, "trade", row.withdrawn_at, source.withdrawn_reason);
        return OK;
    }
    page_surrogate(call, "f", source.filing_id);
    enum err err = kept_document_of_trade(call->db, id, &picture.document, fail);
    picture.row = source.row;
    picture.page = source.page;
    if (!err)
        err = kept_scan_row(
            call->db, &picture.document, source.filing_id, source.row, &picture.scan, fail);
    return answer(call, err, &picture, fail);
}

enum err filing_picture_load(struct page_call *call, struct fail *fail)
{
    struct feed_filing filing;
    struct picture picture = {.page = pictures_page_number(call->segments[1])};
    struct str id = call->segments[0];
    rcu_read_begin();
    bool found = feed_filing(call->config->feed, id, reader_until(call), &filing);
    rcu_read_end();
    if (!found)
        return filing_answer_absent(call, id, fail);
    if (!picture.page) {
        page_problem(call, PROBLEM_NOT_FOUND, STR_NULL);
        return OK;
    }
    page_surrogate(call, "f", id);
    enum err err = kept_document_of_filing(call->db, id, &picture.document, fail);
    if (!err)
        err = kept_scan_page(call->db, &picture.document, picture.page, &picture.scan, fail);
    return answer(call, err, &picture, fail);
}
