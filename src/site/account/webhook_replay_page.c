/* The page that replays many deliveries: first how many match, then start. */
#include "site/account/webhook_log.h"
#include "site/account/webhook_view.h"
#include "site/frame/handlers.h"

/* The deliveries that the query of the page, or its form, names: failed ones without a bound. */
struct replay_choice {
    struct str state, from, to;
    struct owner_replays which;
};

static struct str given(const struct page_call *call, const char *name)
{
    struct str value = call->form ? form_value(call->form, name) : page_query(call, str_from(name));
    return str_is_null(value) ? STR("") : value;
}

static struct replay_choice read_choice(const struct page_call *call)
{
    struct replay_choice choice = {
        .state = given(call, "state"), .from = given(call, "from"), .to = given(call, "to")};
    int64_t since, until;
    webhook_log_days(choice.from, choice.to, &since, &until);
    bool expired = str_eq(choice.state, delivery_state_name(DELIVERY_EXPIRED));
    choice.which = (struct owner_replays){
        .endpoint_id = call->segments[0],
        .state = expired ? DELIVERY_EXPIRED : DELIVERY_FAILED,
        .since = since == INSTANT_NONE ? 0 : since,
        .until = until == INSTANT_NONE ? INT64_MAX : until,
    };
    choice.state = delivery_state_name(choice.which.state);
    if (since == INSTANT_NONE)
        choice.from = STR("");
    if (until == INSTANT_NONE)
        choice.to = STR("");
    return choice;
}

enum err webhook_replay_load(struct page_call *call, struct fail *fail)
{
    static const struct form_option states[] = {
        {STR_INIT("failed"), STR_INIT("failed")}, {STR_INIT("expired"), STR_INIT("expired")}};
    struct endpoint endpoint;
    struct replay_choice choice = read_choice(call);
    TRY(webhook_find(call, &endpoint, fail));
    TRY(owner_replays_count(page_reads(call, fail), &choice.which));
    view_str(call->view, "id", endpoint.id);
    view_str(call->view, "url", endpoint.url);
    view_str(call->view, "href", webhook_path(call, endpoint.id, ""));
    view_str(call->view, "state", choice.state);
    view_str(call->view, "from", choice.from);
    view_str(call->view, "to", choice.to);
    view_count(call->view, "matching", choice.which.count);
    view_bool(call->view, "anyMatching", choice.which.count > 0);
    view_bool(call->view, "one", choice.which.count == 1);
    form_show_choice(call->view, NULL, "state", choice.state, states, 2);
    form_show(call->view, NULL, "from", choice.from);
    form_show(call->view, NULL, "to", choice.to);
    return OK;
}

enum err webhook_replay_act(struct page_call *call, struct fail *fail)
{
    struct owner_replays which = read_choice(call).which;
    TRY(page_write(call, owner_replay_many, &which, fail));
    if (which.count == 0)
        return fail_set(fail, ERR_REFUSED, "no delivery matches any more");
    page_redirect(call, webhook_path(call, call->segments[0], ""), FLASH_WEBHOOK_REPLAYS_STARTED);
    return OK;
}
