/* /admin/deliveries: endpoints whose deliveries do not get on. */
#include "site/admin/admin_parts.h"
#include "site/frame/handlers.h"
#include "store/account/delivery_stuck.h"

static void put_reason(struct view *v, enum stuck_reason reason)
{
    static const struct {
        const char *kind;
        struct str label;
    } shown[STUCK_REASON_COUNT] = {
        [STUCK_LATE] = {"bad", STR_INIT("Late")},
        [STUCK_DISABLED] = {"off", STR_INIT("Endpoint disabled")},
        [STUCK_PAUSED] = {"off", STR_INIT("Endpoint paused")},
        [STUCK_OWNER] = {"off", STR_INIT("Account disabled")},
    };
    view_str(v, "reason", stuck_reason_name(reason));
    admin_badge(v, "badge", shown[reason].kind, shown[reason].label);
}

static void put_stuck(struct page_call *call, struct view *row, const struct delivery_stuck *stuck)
{
    view_str(row, "endpoint", stuck->endpoint_id);
    view_str(row, "url", stuck->url);
    view_str(row, "accountId", stuck->account_id);
    view_str(row, "email", stuck->email);
    put_reason(row, stuck->reason);
    view_count(row, "queued", stuck->queued);
    view_bool(row, "more", stuck->more);
    view_ago(row, "oldestDueAt", stuck->oldest_due, call->now_ms);
    view_int(row, "failures", stuck->failures);
    view_str(row, "error", stuck->error);
}

enum err admin_deliveries_load(struct page_call *call, struct fail *fail)
{
    struct delivery_stuck_list list;
    int64_t after = 0;
    struct str text = page_query(call, STR("after"));
    if (!str_to_i64(text, &after) || after < 0)
        after = 0;
    enum err err =
        delivery_stuck_list(call->db, after, ADMIN_ROWS, call->now_ms, call->arena, &list, fail);
    if (err)
        return err;
    struct view *table = table_begin(
        call->view, "stuck", "Endpoint|Why|#Waiting|Oldest due|Last error",
        "No delivery is stuck: all endpoints with a queue are enabled, and nothing is late.");
    for (size_t i = 0; i < list.count; i++)
        put_stuck(call, table_row(table), &list.items[i]);
    struct link_param first = {STR("after"), after ? STR("0") : STR_NULL};
    struct link_param next = {STR("after"), STR_NULL};
    if (list.more)
        next.value =
            arena_fmt(call->arena, "%lld", (long long)list.items[list.count - 1].endpoint_no);
    table_pages(table, STR("/admin/deliveries"), NULL, 0, first, next);
    return OK;
}
