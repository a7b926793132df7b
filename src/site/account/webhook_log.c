/* The log of an endpoint; see webhook_log.h. */
#include "site/account/webhook_log.h"

#include "html/table.h"
#include "site/account/webhook_view.h"

enum { LOG_PAGE = 25, LOG_READ = LOG_PAGE + 1 };

void webhook_log_days(struct str from, struct str to, int64_t *ret_since, int64_t *ret_until)
{
    int32_t day;
    *ret_since = day_parse(from, &day) ? instant_from_new_york(day, 0) : INSTANT_NONE;
    *ret_until = day_parse(to, &day) ? instant_from_new_york(day + 1, 0) : INSTANT_NONE;
}

/* What the query asks for. */
struct log_query {
    struct str state, from, to;
    struct str before, after;
    struct delivery_filter filter;
};

static void put_filters(struct page_call *call, const struct log_query *query)
{
    static const struct form_option states[] = {
        {STR_INIT(""), STR_INIT("all states")},
        {STR_INIT("pending"), STR_INIT("waiting or held")},
        {STR_INIT("delivered"), STR_INIT("delivered")},
        {STR_INIT("failed"), STR_INIT("failed")},
        {STR_INIT("expired"), STR_INIT("expired")},
    };
    form_show_choice(
        call->view, NULL, "state",
        query->filter.state == DELIVERY_STATE_COUNT ? STR("") : query->state, states,
        sizeof states / sizeof *states);
    form_show(
        call->view, NULL, "from", query->filter.since == INSTANT_NONE ? STR("") : query->from);
    form_show(call->view, NULL, "to", query->filter.until == INSTANT_NONE ? STR("") : query->to);
    view_bool(
        call->view, "filtered",
        query->filter.state != DELIVERY_STATE_COUNT || query->filter.since != INSTANT_NONE ||
            query->filter.until != INSTANT_NONE);
}

/* A cursor of another endpoint, or of a delivery that is gone, is the first page. */
static enum err read_edge(
    struct page_call *call, int64_t endpoint_no, struct str *id, struct delivery_place *ret,
    struct fail *fail)
{
    if (str_is_null(*id))
        return OK;
    enum err err = delivery_place(call->db, endpoint_no, *id, ret, fail);
    if (err == ERR_NOT_FOUND)
        *id = STR_NULL;
    return err == ERR_NOT_FOUND ? OK : err;
}

static enum err read_query(
    struct page_call *call, const struct endpoint *endpoint, struct log_query *ret,
    struct fail *fail)
{
    *ret = (struct log_query){
        .state = page_query(call, STR("state")),
        .from = page_query(call, STR("from")),
        .to = page_query(call, STR("to")),
        .before = page_query(call, STR("before")),
        .after = page_query(call, STR("after")),
        .filter = DELIVERY_FILTER_ALL,
    };
    struct delivery_filter *filter = &ret->filter;
    filter->endpoint_no = endpoint->no;
    filter->state = delivery_state_from_name(ret->state);
    webhook_log_days(ret->from, ret->to, &filter->since, &filter->until);
    TRY(read_edge(call, endpoint->no, &ret->after, &filter->after, fail));
    if (str_is_null(ret->after))
        TRY(read_edge(call, endpoint->no, &ret->before, &filter->before, fail));
    return OK;
}

/* The rows, in the order in which they are read. */
struct log_rows {
    struct arena *arena;
    struct delivery_row items[LOG_READ];
    size_t count;
};

static void keep(void *ctx, const struct delivery_row *row)
{
    struct log_rows *rows = ctx;
    struct delivery_row *own = &rows->items[rows->count++];
    *own = *row;
    struct str *const texts[] = {&own->id, &own->event_type, &own->filing_id, &own->error};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *texts[i] = arena_str(rows->arena, *texts[i]);
}

static void put_rows(
    struct page_call *call, const struct endpoint *endpoint, const struct log_query *query,
    const struct log_rows *rows)
{
    bool rising = query->filter.after.no != 0, more = rows->count == LOG_READ;
    size_t count = more ? LOG_PAGE : rows->count;
    struct view *table = table_begin(
        call->view, "deliveries", "Event|State|When|#Attempts|Last result",
        "No delivery matches. The log keeps attempts for 30 days.");
    for (size_t i = 0; i < count; i++) {
        const struct delivery_row *row = &rows->items[rising ? count - 1 - i : i];
        webhook_put_delivery(call, table_row(table), endpoint, row);
    }
    const struct link_param filters[] = {
        {STR("state"), query->filter.state == DELIVERY_STATE_COUNT ? STR_NULL : query->state},
        {STR("from"), query->filter.since == INSTANT_NONE ? STR_NULL : query->from},
        {STR("to"), query->filter.until == INSTANT_NONE ? STR_NULL : query->to},
    };
    bool newer = rising ? more : !str_is_null(query->before);
    bool older = rising || more;
    struct link_param previous = {STR("after"), STR_NULL}, next = {STR("before"), STR_NULL};
    if (count && newer)
        previous.value = rows->items[rising ? count - 1 : 0].id;
    if (count && older)
        next.value = rows->items[rising ? 0 : count - 1].id;
    table_pages(
        table, webhook_path(call, endpoint->id, ""), filters, sizeof filters / sizeof *filters,
        previous, next);
}

enum err webhook_log_put(struct page_call *call, const struct endpoint *endpoint, struct fail *fail)
{
    struct log_query query;
    struct log_rows rows = {.arena = call->arena};
    TRY(read_query(call, endpoint, &query, fail));
    TRY(delivery_each(call->db, &query.filter, LOG_READ, keep, &rows, fail));
    put_filters(call, &query);
    put_rows(call, endpoint, &query, &rows);
    return OK;
}
