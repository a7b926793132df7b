/* /trades/{id}: one trade with everything that its filing says about it: the printed row, the
 * source, the dates that the law counts, the corrections, and the evidence of its signal. */
#include "site/frame/handlers.h"

#include "feed/feed.h"
#include "noun/trade_read.h"
#include "paper/picture.h"
#include "paper/row_picture.h"
#include "site/data/correction_view.h"
#include "site/frame/page_query.h"
#include "site/frame/reader.h"
#include "site/frame/trade_source_view.h"
#include "site/frame/trade_view.h"
#include "site/frame/trade_words.h"
#include "store/public/finding.h"
#include "store/public/kept_document.h"

enum { CORRECTIONS_MAX = 100 };

static enum err find(
    struct page_call *call, struct trade_row *row, struct trade_source *source, struct fail *fail)
{
    struct str id = call->segments[0];
    TRY(trade_find(call->db, id, call->arena, row, source, fail));
    if (row->damaged)
        return fail_set(
            fail, ERR_CORRUPT, "trade \"%.*s\" does not match its digest: run `stockact check`",
            STR_ARG(id));
    return OK;
}

/* The sizes of a page of a scan, on letter paper. */
static void put_page_size(struct view *v, const struct kept_scan *scan)
{
    bool lies = scan->known && scan->turn % 180;
    view_int(v, "width", lies ? PAGE_PICTURE_HEIGHT : PAGE_PICTURE_WIDTH);
    view_int(v, "height", lies ? PAGE_PICTURE_WIDTH : PAGE_PICTURE_HEIGHT);
}

/* The row of a scan, or its page if the row was entered without one. */
static enum err find_scan(
    struct page_call *call, const struct kept_document *document, const struct trade_source *source,
    struct kept_scan *ret, struct fail *fail)
{
    enum err err = kept_scan_row(call->db, document, source->filing_id, source->row, ret, fail);
    return err || ret->known ? err : kept_scan_page(call->db, document, source->page, ret, fail);
}

/* The strip with the row, or the page that a person entered the row from. */
static enum err put_picture(
    struct page_call *call, const struct trade_source *source, struct fail *fail)
{
    struct kept_document document;
    struct kept_scan scan = {.known = false};
    struct str id = call->segments[0];
    enum err err = kept_document_of_trade(call->db, id, &document, fail);
    if (!err)
        err = find_scan(call, &document, source, &scan, fail);
    bool strip = scan.place.width || !str_is_null(source->printed);
    view_null(call->view, "picture");
    if (err || (!strip && !source->page))
        return err == ERR_NOT_FOUND ? OK : err;
    struct view *v = view_object(call->view, "picture");
    view_bool(v, "strip", strip);
    view_bool(v, "scan", scan.place.width > 0);
    if (strip)
        view_fmt(v, "src", "/trades/%.*s/row.png", STR_ARG(id));
    else
        view_fmt(v, "src", "/filings/%.*s/pages/%d.png", STR_ARG(source->filing_id), source->page);
    if (strip) {
        view_int(v, "width", scan.known ? SCAN_STRIP_WIDTH : ROW_PICTURE_WIDTH);
        view_int(v, "height", scan.known ? SCAN_STRIP_HEIGHT : ROW_PICTURE_HEIGHT);
    } else {
        put_page_size(v, &scan);
    }
    return OK;
}

static enum err put_signal(struct page_call *call, struct fail *fail)
{
    struct finding_shown finding;
    bool found = false;
    enum err err =
        finding_of_trade(call->db, call->segments[0], call->arena, &found, &finding, fail);
    if (!err && found && finding.damaged)
        err = fail_set(fail, ERR_CORRUPT, "the signal of the trade does not match its digest");
    if (!err && found)
        err = trade_signal_put(call->view, &finding, fail);
    else
        view_null(call->view, "signal");
    return err;
}

static enum err put_corrections(struct page_call *call, struct str id, struct fail *fail)
{
    struct correction_range range = CORRECTION_RANGE_ALL;
    struct correction_list list;
    struct view *rows = view_list(call->view, "corrections");
    range.trade_id = id;
    enum err err = correction_list_read(call, &range, CORRECTIONS_MAX, &list, fail);
    for (size_t i = 0; i < list.count && !err; i++)
        correction_view_put(view_item(rows), &list.items[i]);
    view_bool(call->view, "corrected", !err && list.count > 0);
    return err;
}

/* "Sold in part" */
static void put_side(struct page_call *call, enum side side)
{
    struct str words = words_side(side);
    view_fmt(
        view_member(call->view, "trade"), "sideTitle", "%c%.*s", ascii_upper(words.p[0]),
        STR_ARG(str_slice(words, 1, words.n)));
}

/* The trade as schema.org has it. */
static void put_linked_data(struct page_call *call, const struct trade *trade)
{
    BUF_SCOPED(json, SIZE_MAX);
    struct json_out j;
    struct str path = trade_path(call->arena, "/trades/", trade->id);
    json_init(&j, &json);
    json_object_begin(&j);
    JSON_KEY_STR(&j, "@context", STR("https://schema.org"));
    JSON_KEY_STR(&j, "@type", STR("Report"));
    JSON_KEY_STR(&j, "name", trade_spoken(call->arena, trade));
    JSON_KEY_STR(&j, "url", page_url(call, path));
    JSON_KEY_STR(&j, "identifier", trade->id);
    JSON_KEY_INSTANT(&j, "datePublished", trade->disclosed_at);
    JSON_KEY_STR(&j, "isBasedOn", trade->filing_url);
    JSON_KEY_OBJECT(&j, "about");
    JSON_KEY_STR(&j, "@type", STR("Person"));
    JSON_KEY_STR(&j, "name", trade->politician.name);
    json_object_end(&j);
    json_object_end(&j);
    page_linked_data(call, buf_view(&json));
}

static enum err put_all(
    struct page_call *call, const struct trade_row *row, const struct trade_source *source,
    struct fail *fail)
{
    struct provenance provenance;
    struct trade_report report;
    TRY(provenance_find(
        call->db, source->filing_id, reader_before(call), call->arena, &provenance, fail));
    TRY(trade_report_find(call->db, row, provenance.filed_at, &report, fail));
    report = lateness_known(&report, reader_until(call));
    trade_view_put(call, view_object(call->view, "trade"), &row->trade);
    put_linked_data(call, &row->trade);
    put_side(call, row->trade.values.side);
    if (row->trade.values.ticker.n)
        page_surrogate(call, "t", row->trade.values.ticker);
    trade_details_put(call->view, row->trade.values.details, row->trade.cap_gains);
    trade_source_put(call->view, &row->trade, source, &provenance, &report);
    TRY(put_corrections(call, row->trade.id, fail));
    TRY(put_picture(call, source, fail));
    return put_signal(call, fail);
}

static void put_title(struct page_call *call, const struct trade *trade)
{
    page_title(
        call, arena_fmt(
                  call->arena, "%.*s: %.*s", STR_ARG(trade->politician.name),
                  STR_ARG(trade->values.asset_name)));
}

/* While the store is lost. A trade that memory does not have may be withdrawn: `err` stays. */
static enum err put_from_memory(struct page_call *call, enum err err)
{
    struct feed_row row;
    struct trade trade;
    rcu_read_begin();
    bool found = feed_trade(call->config->feed, call->segments[0], &row);
    if (found)
        shape_trade_read(row.head, row.tail, call->arena, &trade);
    rcu_read_end();
    if (!found)
        return err;
    if (!reader_sees(call, trade.disclosed_at)) {
        reader_answer_delayed(call, "trade", trade.disclosed_at);
        return OK;
    }
    const struct trade_report report = lateness_known(&row.report, reader_until(call));
    trade_view_put(call, view_object(call->view, "trade"), &trade);
    put_side(call, trade.values.side);
    trade_source_put_dates(call->view, &trade, &report);
    view_null(call->view, "signal");
    put_title(call, &trade);
    return OK;
}

enum err trade_page_load(struct page_call *call, struct fail *fail)
{
    struct trade_row row;
    struct trade_source source;
    enum err err = find(call, &row, &source, fail);
    if (err)
        return page_part(call, err) ? err : put_from_memory(call, err);
    if (!page_query_none(call, arena_fmt(call->arena, "/trades/%.*s", STR_ARG(row.trade.id))))
        return OK;
    if (!reader_sees(call, row.trade.disclosed_at))
        reader_answer_delayed(call, "trade", row.trade.disclosed_at);
    else if (row.withdrawn_at != INSTANT_NONE)
        reader_answer_withdrawn(call, "trade", row.withdrawn_at, source.withdrawn_reason);
    else
        err = put_all(call, &row, &source, fail);
    if (err == ERR_UNAVAILABLE) {
        call->view = view_create(call->arena);
        return page_part(call, err) ? err : put_from_memory(call, err);
    }
    put_title(call, &row.trade);
    page_alternate(
        call, "application/json",
        arena_fmt(call->arena, "/api/v1/trades/%.*s", STR_ARG(row.trade.id)), "This trade as JSON");
    return err;
}
