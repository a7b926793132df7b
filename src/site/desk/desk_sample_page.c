/* /desk/sample: published rows that were drawn at random, to be typed again
 * (docs/adr/0036-sample.md). */
#include "site/frame/handlers.h"

#include "html/table.h"
#include "market/trade_words.h"
#include "site/desk/desk_sample.h"
#include "status/words.h"
#include "store/desk/sample_document.h"

enum { WAITING_MAX = 200, ENDED_MAX = 20, DOCUMENTS_MAX = 40 };

static const char *const states[SAMPLE_STATE_COUNT] = {
    [SAMPLE_OPEN] = "to be typed",
    [SAMPLE_DIFFERS] = "differs: to be decided",
    [SAMPLE_RIGHT] = "right",
    [SAMPLE_WRONG] = "wrong",
    [SAMPLE_UNREADABLE] = "cannot be read",
    [SAMPLE_SKIPPED] = "skipped",
    [SAMPLE_EXPIRED] = "expired",
};

struct str desk_sample_address(struct page_call *call, int64_t no)
{
    return arena_fmt(call->arena, "/desk/sample/%lld", (long long)no);
}

static void put_row(struct page_call *call, struct view *view, const struct sample_row *row)
{
    view_count(view, "no", row->no);
    view_str(view, "href", desk_sample_address(call, row->no));
    view_str(view, "chamber", words_chamber(row->chamber));
    view_str(view, "kind", sample_kind_name(row->kind));
    view_ago(view, "drawnAt", row->drawn_at, call->now_ms);
    view_text(view, "state", states[row->state]);
    view_str(view, "reason", row->reason);
    view_str(view, "by", str_is_null(row->judged_by) ? row->entered_by : row->judged_by);
    view_bool(view, "isWrong", row->state == SAMPLE_WRONG);
}

static enum err put_waiting(struct page_call *call, struct fail *fail)
{
    struct sample_list list = {.count = 0};
    struct str me = call->visitor.account.email;
    int64_t own = 0;
    struct view *table = table_begin(
        call->view, "waiting", "Row|Report|Drawn|State",
        "No row waits: the next ones are drawn at 05:00 UTC.");
    TRY(sample_list_of(call->db, me, WAITING_MAX, call->arena, &list, fail));
    TRY(sample_count_own(call->db, me, &own, fail));
    for (size_t i = 0; i < list.count; i++)
        put_row(call, table_row(table), &list.items[i]);
    view_str(
        call->view, "start", list.count ? desk_sample_address(call, list.items[0].no) : STR_NULL);
    view_bool(call->view, "onlyOwn", own > 0 && !list.count);
    view_str(
        call->view, "ownWords",
        own > 0 && list.count ? words_count(call->arena, own, "more row waits", "more rows wait")
                              : STR_NULL);
    return OK;
}

static enum err put_ended(struct page_call *call, struct fail *fail)
{
    struct sample_list list = {.count = 0};
    struct view *table =
        table_begin(call->view, "ended", "Row|Report|Result|By", "No row was checked yet.");
    TRY(sample_list(call->db, false, ENDED_MAX, call->arena, &list, fail));
    for (size_t i = 0; i < list.count; i++)
        put_row(call, table_row(table), &list.items[i]);
    return OK;
}

/* What is known is not shown before a count. */
static enum err put_documents(struct page_call *call, struct fail *fail)
{
    struct sample_document_list list = {.count = 0};
    struct view *table = table_begin(
        call->view, "documents", "Document|Report|Drawn|State", "No document was drawn yet.");
    enum err err =
        sample_document_list(call->db, 0, DOCUMENTS_MAX, call->now_ms, call->arena, &list, fail);
    for (size_t i = 0; i < list.count && !err; i++) {
        const struct sample_document *d = &list.items[i];
        struct view *row = table_row(table);
        view_count(row, "no", d->no);
        view_fmt(row, "href", "/desk/sample/documents/%lld", (long long)d->no);
        view_str(row, "chamber", words_chamber(d->chamber));
        view_str(row, "kind", sample_kind_name(d->kind));
        view_ago(row, "drawnAt", d->drawn_at, call->now_ms);
        view_text(
            row, "state",
            d->state == SAMPLE_OPEN      ? "to be counted"
            : d->state == SAMPLE_DIFFERS ? "differs: to be counted again"
            : d->state == SAMPLE_WRONG   ? "rows are missing"
                                         : states[d->state]);
        view_bool(row, "isWrong", d->state == SAMPLE_WRONG);
    }
    return err;
}

enum err desk_sample_load(struct page_call *call, struct fail *fail)
{
    TRY(put_waiting(call, fail));
    TRY(put_documents(call, fail));
    return put_ended(call, fail);
}

enum err desk_sample_next(
    struct page_call *call, struct db *db, int64_t no, struct str *ret, struct fail *fail)
{
    int64_t next = 0;
    TRY(sample_next_of(db, call->visitor.account.email, no, &next, fail));
    *ret = next ? desk_sample_address(call, next) : STR("/desk/sample");
    return OK;
}
