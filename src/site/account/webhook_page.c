/* The page of an endpoint: its log of deliveries, and what its owner does with it. */
#include "site/account/webhook_form.h"
#include "site/account/webhook_log.h"
#include "site/account/webhook_view.h"
#include "site/frame/handlers.h"
#include "store/account/delivery_by_hand.h"

/* --- the page */

static enum err put_bulk(struct page_call *call, const struct endpoint *endpoint, struct fail *fail)
{
    struct delivery_bulk bulk;
    enum err err = delivery_bulk_find(call->db, endpoint->no, &bulk, fail);
    if (err || bulk.created_at == INSTANT_NONE)
        return err;
    struct view *view = view_object(call->view, "bulk");
    view_str(view, "state", delivery_state_name(bulk.matching.state));
    view_count(view, "matched", bulk.matched);
    view_count(view, "replayed", bulk.replayed);
    view_ago(view, "createdAt", bulk.created_at, call->now_ms);
    view_instant(view, "endedAt", bulk.ended_at);
    view_bool(view, "open", bulk.ended_at == INSTANT_NONE);
    return OK;
}

static void put_grace(struct page_call *call)
{
    static const struct form_option options[] = {
        {STR_INIT("24"), STR_INIT("24 hours: both secrets sign")},
        {STR_INIT("1"), STR_INIT("1 hour: both secrets sign")},
        {STR_INIT("0"), STR_INIT("none: the old secret ends now, as after a leak")},
    };
    form_show_choice(
        call->view, NULL, "grace", STR("24"), options, sizeof options / sizeof *options);
}

enum err webhook_load(struct page_call *call, struct fail *fail)
{
    struct endpoint endpoint;
    TRY(webhook_find(call, &endpoint, fail));
    TRY(webhook_put(call, call->view, &endpoint, false, fail));
    TRY(put_bulk(call, &endpoint, fail));
    TRY(webhook_log_put(call, &endpoint, fail));
    view_str(call->view, "href", webhook_path(call, endpoint.id, ""));
    bool changes = call->page->act == webhook_change_act;
    webhook_form_show(call, changes ? call->form : NULL, &endpoint);
    put_grace(call);
    return OK;
}

/* --- actions */

static struct owner_endpoint endpoint_of(const struct page_call *call)
{
    return (struct owner_endpoint){
        .id = call->segments[0],
        .rules = call->config->webhook_rules,
        .key = call->config->seal_key};
}

/* Runs the action of the row. */
enum err webhook_act(struct page_call *call, struct fail *fail)
{
    struct owner_endpoint is = endpoint_of(call);
    return page_write_row(call, webhook_path(call, is.id, ""), &is, fail);
}

/* Only what differs is an action with a row in the log. */
static enum err run_change(const struct act *act, void *work)
{
    struct owner_endpoint *is = work;
    struct endpoint old;
    TRY(owner_find(act, is->id, &old));
    struct str old_text = str_is_null(old.description) ? STR("") : old.description;
    if (!str_eq(is->url, old.url) || !str_eq(str_trim(is->description), old_text))
        TRY(owner_change(act, is));
    if (!str_eq(is->events, old.events))
        TRY(owner_set_events(act, is));
    return OK;
}

enum err webhook_change_act(struct page_call *call, struct fail *fail)
{
    struct owner_endpoint is = endpoint_of(call);
    enum err err = webhook_find(call, &is.endpoint, fail);
    if (err || !webhook_form_check(call, fail))
        return err;
    is.url = form_value(call->form, "url");
    is.events = webhook_form_events(call);
    is.description = form_value(call->form, "description");
    err = page_write(call, run_change, &is, fail);
    if (!err)
        page_redirect(call, webhook_path(call, is.id, ""), FLASH_SAVED);
    return err;
}

/* --- a test: the dispatcher sends it, and the page of the delivery shows the answer */

enum err webhook_test_act(struct page_call *call, struct fail *fail)
{
    struct owner_endpoint is = endpoint_of(call);
    TRY(page_write(call, owner_test, &is, fail));
    const char *rest = arena_fmt(call->arena, "/deliveries/%s", is.delivery_id).p;
    page_redirect(call, webhook_path(call, is.id, rest), FLASH_NONE);
    return OK;
}

/* --- secrets: the response itself shows them */

static enum err show_secret(
    struct page_call *call, act_run *run, struct owner_endpoint *is, struct str title,
    struct fail *fail)
{
    enum err err = page_write(call, run, is, fail);
    if (!err) {
        int64_t old_until = is->endpoint.old_secret_until;
        view_str(call->view, "id", is->id);
        view_str(call->view, "url", is->endpoint.url);
        view_str(call->view, "secret", secret_text(&is->secret));
        view_str(call->view, "href", webhook_path(call, is->id, ""));
        view_instant(
            call->view, "oldSecretUntil", old_until > call->now_ms ? old_until : INSTANT_NONE);
        page_show(call, 200, STR("webhook_secret"), title);
    }
    secret_finish(&is->secret);
    return err;
}

enum err webhook_reveal_act(struct page_call *call, struct fail *fail)
{
    struct owner_endpoint is = endpoint_of(call);
    return show_secret(call, owner_reveal, &is, STR("Secret of an endpoint"), fail);
}

enum err webhook_rotate_act(struct page_call *call, struct fail *fail)
{
    struct owner_endpoint is = endpoint_of(call);
    is.grace_hours = form_number(call->form, "grace", 0, DELIVERY_GRACE_HOURS_MAX);
    is.force = form_checked(call->form, "force");
    if (form_is_faulty(call->form))
        return OK;
    view_bool(call->view, "rotated", true);
    return show_secret(call, owner_rotate, &is, STR("New secret of an endpoint"), fail);
}
