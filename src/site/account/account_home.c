/* /account: the owner's plan beside the others, and what each key has used. */
#include <stdlib.h>

#include "html/table.h"
#include "rule/plan_term.h"
#include "site/account/key_view.h"
#include "site/frame/handlers.h"

/* A page is small: only the keys that were used last are shown with their days and errors. */
enum { KEYS_IN_FULL = 3, ERRORS_SHOWN = 5 };

/* The whole table of spec 5: plans are columns, the owner's own is marked. */
static void put_plans(struct view *v, enum plan own, int64_t delay)
{
    const struct plan_term *term;
    struct view *plans = view_list(v, "plans");
    for (int plan = 0; plan < PLAN_COUNT; plan++) {
        struct view *item = view_item(plans);
        view_str(item, "name", plan_info((enum plan)plan)->name);
        view_bool(item, "free", plan == PLAN_SCOUT);
        view_bool(item, "own", (enum plan)plan == own);
    }
    struct view *rows = view_list(v, "planTerms");
    for (size_t i = 0; (term = plan_term_at(i)); i++) {
        struct view *row = view_item(rows);
        view_str(row, "label", term->label);
        struct view *values = view_list(row, "values");
        for (int plan = 0; plan < PLAN_COUNT; plan++) {
            char space[32];
            struct buf b = buf_over(space, sizeof space);
            struct view *value = view_item(values);
            struct plan_info is = *plan_info((enum plan)plan);
            is.page_delay_hours = plan_page_delay((enum plan)plan, delay);
            term->put(&b, &is);
            view_str(value, "text", buf_view(&b));
            view_bool(value, "own", (enum plan)plan == own);
        }
    }
}

static int by_last_use(const void *a, const void *b)
{
    int64_t x = ((const struct key *)a)->last_used_at, y = ((const struct key *)b)->last_used_at;
    return (x < y) - (x > y);
}

static enum err put_keys(struct page_call *call, const struct key_list *list, struct fail *fail)
{
    struct view *keys = view_list(call->view, "keys");
    struct view *others = table_begin(
        call->view, "otherKeys", "Name|Key|Last used|#Left this minute|#Left this month", "None.");
    for (size_t i = 0; i < list->count; i++) {
        const struct key *key = &list->items[i];
        bool full = i < KEYS_IN_FULL;
        struct view *item = full ? view_item(keys) : table_row(others);
        key_view_put(item, key, call->now_ms);
        TRY(full ? key_view_usage(call, item, key, ERRORS_SHOWN, fail)
                 : key_view_windows(call, item, key, fail));
    }
    view_bool(call->view, "hasKeys", list->count > 0);
    view_bool(call->view, "hasOtherKeys", list->count > KEYS_IN_FULL);
    return OK;
}

enum err account_home_load(struct page_call *call, struct fail *fail)
{
    const struct account *account = &call->visitor.account;
    const struct plan_info *plan = plan_info(account->plan);
    struct key_list list;
    TRY(key_list_active(page_reads(call, fail), account->no, KEY_API, &list));
    view_str(call->view, "plan", plan->key);
    view_str(call->view, "planName", plan->name);
    view_bool(call->view, "hasApi", plan_has_api_access(account->plan));
    view_bool(call->view, "commercialUse", plan->commercial_use);
    put_plans(call->view, account->plan, call->config->visitor_delay);
    key_view_contact(call);
    qsort(list.items, list.count, sizeof *list.items, by_last_use);
    return put_keys(call, &list, fail);
}
