/* A draft on the desk; see desk_draft_view.h. */
#include "site/desk/desk_draft_view.h"

#include "html/table.h"
#include "paper/cell/change.h"
#include "review/desk/desk_mark.h"
#include "review/desk/row_look.h"
#include "review/desk/suggested_symbol.h"
#include "review/review_words.h"
#include "site/desk/desk_row_form.h"
#include "site/frame/day_view.h"
#include "site/frame/trade_words.h"
#include "status/words.h"
#include "store/desk/draft_history.h"
#include "store/public/document.h"

enum { DOUBTS_MAX = 32, OBSTACLES_MAX = 8 };

const struct difference_item *desk_item(const struct desk_view *view, int row)
{
    for (size_t i = 0; i < view->difference.count; i++)
        if (view->difference.items[i].row && view->difference.items[i].row->row == row)
            return &view->difference.items[i];
    return NULL;
}

enum err desk_scan_last_page(
    struct page_call *call, const struct draft *draft, int *ret, struct fail *fail)
{
    struct document_page_list pages = {.count = 0};
    enum err err =
        document_page_load(call->db, draft->is.document_version, call->arena, &pages, fail);
    *ret = pages.count ? pages.items[pages.count - 1].page : DESK_PAGE_MAX;
    return err;
}

enum err desk_scan_page_reason(
    struct page_call *call, const struct draft *draft, int page, struct str *ret, struct fail *fail)
{
    struct document_page_list pages = {.count = 0};
    enum err err =
        document_page_load(call->db, draft->is.document_version, call->arena, &pages, fail);
    *ret = STR_NULL;
    for (size_t i = 0; i < pages.count; i++)
        if (pages.items[i].page == page)
            *ret = pages.items[i].reason;
    return err;
}

static int32_t filed_day(const struct draft *d)
{
    return d->is.filed_at == INSTANT_NONE ? DAY_NONE : instant_day_new_york(d->is.filed_at);
}

/* --- the filing */

/* Paper may need two people; then the first acceptance publishes nothing. */
static void put_acceptances(struct page_call *call, struct view *v, const struct draft *d)
{
    const struct site_config *config = call->config;
    bool two = (config->second_reviewer || config->double_entry) && d->is.manual;
    bool first = two && d->state != DRAFT_ACCEPTED && !str_is_null(d->accepted_by);
    view_bool(v, "needsTwo", two);
    view_bool(v, "isFirst", two && !first);
    view_bool(v, "acceptedFirst", first);
    view_bool(v, "typedTwice", config->double_entry);
    view_bool(v, "byMe", first && str_eq_nocase(d->accepted_by, call->visitor.account.email));
}

static void put_filing(struct page_call *call, const struct draft *d)
{
    struct view *v = view_object(call->view, "draft");
    bool held = d->state == DRAFT_IN_REVIEW && d->claimed_until > call->now_ms;
    view_str(v, "id", d->is.filing_id);
    view_str(v, "state", report_state_name(d->shown));
    view_str(v, "chamber", chamber_name(d->is.chamber));
    view_str(v, "chamberText", words_chamber(d->is.chamber));
    view_str(v, "sourceDocId", d->is.source_doc_id);
    view_str(v, "name", d->name);
    view_str(v, "slug", d->slug);
    view_str(v, "filer", d->is.filer);
    view_str(v, "filerState", d->is.filer_state);
    view_str(v, "url", d->is.url);
    view_str(v, "reason", d->is.reason);
    view_str(v, "reasonWords", review_reason_words(d->is.reason, call->arena));
    view_str(v, "amends", d->is.amends);
    view_bool(v, "isAmendment", d->is.amendment > 0 || !str_is_null(d->is.amends));
    view_bool(v, "paper", d->is.manual);
    day_view_put(v, "filedOn", filed_day(d));
    view_instant(v, "filedAt", d->is.filed_at);
    view_bool(v, "claimed", held);
    view_bool(v, "mine", held && str_eq_nocase(d->claimed_by, call->visitor.account.email));
    view_str(v, "claimedBy", held ? d->claimed_by : STR_NULL);
    view_instant(v, "claimedUntil", held ? d->claimed_until : INSTANT_NONE);
    view_str(v, "acceptedBy", d->accepted_by);
    view_instant(v, "acceptedAt", d->accepted_at);
    view_bool(v, "isAccepted", d->state == DRAFT_ACCEPTED);
    view_bool(v, "isWaiting", d->state == DRAFT_WAITING || d->state == DRAFT_IN_REVIEW);
    view_bool(v, "isPublic", d->publication_no != 0);
    view_bool(v, "isShown", d->state == DRAFT_PUBLISHED || d->state == DRAFT_AMENDED);
    put_acceptances(call, v, d);
}

static void put_checks(struct page_call *call, const struct desk_view *view)
{
    struct view *list = view_list(call->view, "checks");
    size_t failed = 0;
    for (size_t i = 0; i < view->check_count; i++) {
        const struct self_check *check = &view->checks[i];
        struct view *item = view_item(list);
        view_str(item, "name", check->name);
        view_str(item, "words", review_check_words(check->name));
        view_str(item, "detail", check->detail);
        view_bool(item, "passed", check->passed);
        failed += !check->passed;
    }
    view_count(call->view, "failed", (int64_t)failed);
    view_count(call->view, "passed", (int64_t)(view->check_count - failed));
    view_bool(call->view, "anyFailed", failed > 0);
    view_bool(call->view, "anyChecks", view->check_count > 0);
}

/* --- the rows */

static const char *label_of(enum cell cell)
{
    for (size_t i = 0; i < desk_field_count; i++)
        if (desk_fields[i].cell == cell)
            return desk_fields[i].label;
    return "";
}

static void put_unsure(
    struct page_call *call, struct view *doubts, const struct draft_row_stored *row)
{
    struct unsure_field unsure[CELL_COUNT];
    size_t count = unsure_fields(row, call->arena, unsure);
    for (size_t i = 0; i < count; i++) {
        struct str how = review_source_words(&unsure[i].source, STR_NULL, call->arena);
        view_item_str(
            doubts, arena_fmt(call->arena, "%s %.*s", label_of(unsure[i].cell), STR_ARG(how)));
    }
}

static void put_row(
    struct page_call *call, struct view *v, const struct desk_view *view,
    const struct difference_item *item, bool look, int open_row)
{
    const struct draft_row_stored *row = item->row;
    const struct row_values *values = &row->values;
    const struct suggested_company *suggestion = suggested_company_of(view, row->row);
    struct str doubts[DOUBTS_MAX];
    size_t count = review_texts(row->doubts, call->arena, doubts, DOUBTS_MAX);
    view_int(v, "row", row->row);
    view_int(v, "page", row->page);
    view_bool(v, "hasPage", row->page > 0);
    day_view_put(v, "tradeDate", values->trade_date);
    day_view_put(v, "notifiedDate", row->notified_date);
    view_str(v, "ownerText", words_owner(values->owner));
    view_str(v, "assetName", values->asset_name);
    view_str(v, "ticker", values->ticker);
    view_str(v, "company", row->company);
    view_str(
        v, "suggestion", suggestion ? suggested_company_words(suggestion, call->arena) : STR_NULL);
    view_str(
        v, "assetTypeText",
        values->asset_type ? words_asset_type(values->asset_type, call->arena) : STR_NULL);
    view_str(v, "sideText", values->side ? words_side(values->side) : STR_NULL);
    view_str(v, "amountText", values->bracket ? bracket_info(values->bracket)->label : STR_NULL);
    view_bool(v, "removed", row->removed);
    view_bool(v, "isNew", row->status == DRAFT_ROW_NEW);
    view_str(v, "status", draft_row_status_name(row->status));
    view_str(v, "does", review_does_words(item->kind));
    view_bool(v, "doesAdd", item->kind == DIFFERENCE_ADDED);
    view_bool(v, "same", item->kind == DIFFERENCE_SAME);
    view_str(v, "tradeId", item->trade ? item->trade->id : STR_NULL);
    view_bool(v, "look", look);
    view_bool(v, "isOpen", row->row == open_row);
    view_str(v, "held", row->held);
    struct view *list = view_list(v, "doubts");
    for (size_t i = 0; i < count; i++)
        view_item_str(list, review_doubt_words(doubts[i], call->arena));
    put_unsure(call, list, row);
}

static void put_rows(
    struct page_call *call, const struct desk_view *view, int open_row, bool descends)
{
    struct view *table = table_begin(
        call->view, "rows", "Row|Owner|Asset|Type|Traded|Notice|Amount", "The draft has no rows.");
    size_t rows = 0, looks = 0;
    int first = 0, next = 0; /* rows to look at: of all, and below the open one */
    int below = 0;           /* the open one */
    bool passed = open_row == 0;
    size_t count = view->difference.count;
    for (size_t i = 0; i < count; i++) {
        const struct difference_item *item = &view->difference.items[descends ? count - 1 - i : i];
        if (!item->row)
            continue;
        int number = item->row->row;
        bool look = row_needs_look(item, &view->obstacles, call->arena);
        put_row(call, table_row(table), view, item, look, open_row);
        rows += !item->row->removed;
        if (!below && passed && !item->row->removed)
            below = number;
        if (look && !first)
            first = number;
        if (look && !next && passed)
            next = number;
        looks += look;
        passed |= number == open_row;
    }
    view_int(call->view, "nextRow", below);
    view_count(call->view, "rowCount", (int64_t)rows);
    view_bool(call->view, "canReportNothing", rows == 0 && !view->draft.publication_no);
    view_str(call->view, "rowWords", words_count(call->arena, (int64_t)rows, "row", "rows"));
    size_t suggested = suggested_symbols_count(view, call->arena);
    view_str(
        call->view, "suggested",
        suggested
            ? words_count(call->arena, (int64_t)suggested, "suggested symbol", "suggested symbols")
            : STR_NULL);
    view_count(call->view, "looks", (int64_t)looks);
    view_bool(call->view, "anyLooks", looks > 0);
    view_int(call->view, "lookAt", next ? next : first);
}

/* --- what must be done before the draft can be accepted */

/* Failed checks are not among them: the form has a box for each. Of many, the rest is counted: the
 * list of rows marks those rows too. */
static void put_obstacles(struct page_call *call, const struct desk_view *view)
{
    struct view *list = view_list(call->view, "obstacles");
    int64_t more = 0;
    bool any = false;
    for (size_t i = 0; i < view->obstacles.count; i++) {
        const struct obstacle *obstacle = &view->obstacles.items[i];
        if (obstacle->kind == OBSTACLE_CHECK)
            continue;
        any = true;
        if (i >= OBSTACLES_MAX && obstacle->row && ++more)
            continue;
        struct view *item = view_item(list);
        view_int(item, "row", obstacle->row);
        view_bool(item, "ofRow", obstacle->row > 0);
        view_fmt(
            item, "text", "%c%.*s: %.*s.", ascii_upper(obstacle->what.p[0]),
            STR_ARG(str_slice(obstacle->what, 1, obstacle->what.n)), STR_ARG(obstacle->remedy));
    }
    if (more)
        view_fmt(
            view_item(list), "text", "%.*s.",
            STR_ARG(words_count(
                call->arena, more, "more row needs an answer", "more rows need an answer")));
    view_bool(call->view, "anyObstacles", any);
    view_bool(call->view, "canAccept", !any);
}

/* Accepted drafts that are published first. */
static void put_after(struct page_call *call, const struct desk_view *view)
{
    const struct difference *d = &view->difference;
    struct view *list = view_list(call->view, "after");
    for (size_t i = 0; i < d->after_count; i++)
        view_str(view_item(list), "id", d->after[i]);
    view_bool(call->view, "anyAfter", d->after_count > 0);
    view_int(call->view, "chain", (int64_t)d->after_count + 1);
}

void desk_draft_put(
    struct page_call *call, const struct desk_view *view, int open_row, bool descends)
{
    char mark[DESK_MARK_SIZE];
    desk_mark(view, mark);
    view_str(call->view, "mark", str_of(mark, sizeof mark));
    put_filing(call, &view->draft);
    put_checks(call, view);
    put_rows(call, view, open_row, descends);
    put_obstacles(call, view);
    put_after(call, view);
}

/* --- history */

static struct str field_words(const struct draft_event *event)
{
    const struct desk_field *field = desk_field_find(event->field);
    if (str_eq(event->action, STR("waive")))
        return review_check_words(event->field);
    return field ? str_from(field->label) : correction_words_field(event->field);
}

static void put_event(void *ctx, const struct draft_event *event)
{
    struct view *item = view_item(ctx);
    struct arena *arena = view_arena(item);
    bool changed = event->old.n || event->new.n || str_eq(event->action, STR("set"));
    view_str(item, "words", review_action_words(event->action));
    view_str(item, "fieldWords", str_is_null(event->field) ? STR_NULL : field_words(event));
    view_bool(item, "changed", changed);
    view_str(item, "was", correction_words_value(event->field, event->old, arena));
    view_str(item, "is", correction_words_value(event->field, event->new, arena));
    view_instant(item, "at", event->at);
    view_str(item, "by", event->by);
    view_str(item, "action", event->action);
    view_int(item, "row", event->row);
    view_bool(item, "ofRow", event->row > 0);
    view_str(item, "field", event->field);
    view_str(item, "old", event->old);
    view_str(item, "new", event->new);
    view_str(item, "reason", event->reason);
}

enum err desk_history_put(struct page_call *call, int64_t draft_no, struct fail *fail)
{
    return draft_history_each(
        call->db, draft_no, put_event, view_list(call->view, "history"), fail);
}
