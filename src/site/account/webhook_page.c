/* The page of an endpoint: its log of deliveries, and what its owner does with it. */
#include "site/account/webhook_form.h"
#include "site/account/webhook_log.h"
#include "site/account/webhook_view.h"
#include "site/frame/handlers.h"
#include "store/account/delivery_by_hand.h"
#include "webhook/owner_send.h"

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
    enum err err = webhook_find(call, &endpoint, fail);
    if (!err)
        err = webhook_put(call, call->view, &endpoint, false, fail);
    if (!err)
        err = put_bulk(call, &endpoint, fail);
    if (!err)
        err = webhook_log_put(call, &endpoint, fail);
    if (err)
        return err;
    view_str(call->view, "href", webhook_path(call, endpoint.id, ""));
    bool changes = call->page->act == webhook_change_act;
    webhook_form_show(call, changes ? call->form : NULL, &endpoint);
    put_grace(call);
    return OK;
}

/* --- actions */

struct webhook_job {
    struct page_call *call;
    struct str id;
    struct endpoint endpoint;
    int64_t grace_hours;
    struct secret secret;
    char test_id[DELIVERY_ID_MAX];
};

/* Runs the action and goes back to the endpoint. */
static enum err act(
    struct page_call *call, writer_run *run, const char *rest, enum flash flash, struct fail *fail)
{
    struct webhook_job job = {.call = call, .id = call->segments[0]};
    enum err err = page_write(call, run, &job, fail);
    if (!err)
        page_redirect(call, webhook_path(call, job.id, rest), flash);
    return err;
}

/* Only what differs is an action with a row in the log. */
static enum err run_change(struct db *db, void *ctx, struct fail *fail)
{
    struct webhook_job *job = ctx;
    struct page_call *call = job->call;
    struct str url = form_value(call->form, "url"), events = webhook_form_events(call);
    struct str text = form_value(call->form, "description");
    enum err err = owner_find(db, &call->actor, job->id, call->arena, &job->endpoint, fail);
    if (err)
        return err;
    const struct endpoint *old = &job->endpoint;
    struct str old_text = str_is_null(old->description) ? STR("") : old->description;
    if (!str_eq(url, old->url) || !str_eq(str_trim(text), old_text))
        err = owner_change(
            db, &call->actor, job->id, url, text, call->config->webhook_rules, call->now_ms, fail);
    if (!err && !str_eq(events, old->events))
        err = owner_set_events(db, &call->actor, job->id, events, call->now_ms, fail);
    return err;
}

enum err webhook_change_act(struct page_call *call, struct fail *fail)
{
    struct endpoint endpoint;
    enum err err = webhook_find(call, &endpoint, fail);
    if (err)
        return err;
    if (!webhook_form_check(call, fail))
        return OK;
    return act(call, run_change, "", FLASH_SAVED, fail);
}

static enum err run_enable(struct db *db, void *ctx, struct fail *fail)
{
    struct webhook_job *job = ctx;
    const struct page_call *call = job->call;
    return owner_enable(db, &call->actor, job->id, call->config->webhook_rules, call->now_ms, fail);
}

enum err webhook_enable_act(struct page_call *call, struct fail *fail)
{
    return act(call, run_enable, "", FLASH_WEBHOOK_ENABLED, fail);
}

static enum err run_disable(struct db *db, void *ctx, struct fail *fail)
{
    struct webhook_job *job = ctx;
    return owner_disable(db, &job->call->actor, job->id, job->call->now_ms, fail);
}

enum err webhook_disable_act(struct page_call *call, struct fail *fail)
{
    return act(call, run_disable, "", FLASH_WEBHOOK_DISABLED, fail);
}

static enum err run_remove(struct db *db, void *ctx, struct fail *fail)
{
    struct webhook_job *job = ctx;
    return owner_remove(db, &job->call->actor, job->id, job->call->now_ms, fail);
}

enum err webhook_remove_act(struct page_call *call, struct fail *fail)
{
    struct webhook_job job = {.call = call, .id = call->segments[0]};
    enum err err = page_write(call, run_remove, &job, fail);
    if (!err)
        page_redirect(call, STR("/account/webhooks"), FLASH_WEBHOOK_REMOVED);
    return err;
}

static enum err run_end_overlap(struct db *db, void *ctx, struct fail *fail)
{
    struct webhook_job *job = ctx;
    return owner_end_overlap(db, &job->call->actor, job->id, job->call->now_ms, fail);
}

enum err webhook_end_overlap_act(struct page_call *call, struct fail *fail)
{
    return act(call, run_end_overlap, "#secret", FLASH_WEBHOOK_OVERLAP_ENDED, fail);
}

/* --- a test: the dispatcher sends it, and the page of the delivery shows the answer */

static enum err run_test(struct db *db, void *ctx, struct fail *fail)
{
    struct webhook_job *job = ctx;
    return owner_test(db, &job->call->actor, job->id, job->call->now_ms, job->test_id, fail);
}

enum err webhook_test_act(struct page_call *call, struct fail *fail)
{
    struct webhook_job job = {.call = call, .id = call->segments[0]};
    enum err err = page_write(call, run_test, &job, fail);
    if (err)
        return err;
    const char *rest = arena_fmt(call->arena, "/deliveries/%s", job.test_id).p;
    page_redirect(call, webhook_path(call, job.id, rest), FLASH_NONE);
    return OK;
}

/* --- secrets: the response itself shows them */

static enum err show_secret(
    struct page_call *call, writer_run *run, struct webhook_job *job, struct str title,
    struct fail *fail)
{
    enum err err = page_write(call, run, job, fail);
    if (err)
        return err;
    int64_t old_until = job->endpoint.old_secret_until;
    view_str(call->view, "id", job->id);
    view_str(call->view, "url", job->endpoint.url);
    view_str(call->view, "secret", secret_text(&job->secret));
    view_str(call->view, "href", webhook_path(call, job->id, ""));
    view_instant(call->view, "oldSecretUntil", old_until > call->now_ms ? old_until : INSTANT_NONE);
    secret_finish(&job->secret);
    page_show(call, 200, STR("webhook_secret"), title);
    return OK;
}

static enum err run_reveal(struct db *db, void *ctx, struct fail *fail)
{
    struct webhook_job *job = ctx;
    struct page_call *call = job->call;
    enum err err = owner_reveal(
        db, call->config->seal_key, &call->actor, job->id, call->now_ms, &job->secret, fail);
    return err ? err : endpoint_find(db, job->id, call->arena, &job->endpoint, fail);
}

enum err webhook_reveal_act(struct page_call *call, struct fail *fail)
{
    struct webhook_job job = {.call = call, .id = call->segments[0]};
    return show_secret(call, run_reveal, &job, STR("Secret of an endpoint"), fail);
}

static enum err run_rotate(struct db *db, void *ctx, struct fail *fail)
{
    struct webhook_job *job = ctx;
    struct page_call *call = job->call;
    enum err err = owner_rotate(
        db, call->config->seal_key, &call->actor, job->id, job->grace_hours,
        form_checked(call->form, "force"), call->now_ms, &job->secret, fail);
    return err ? err : endpoint_find(db, job->id, call->arena, &job->endpoint, fail);
}

enum err webhook_rotate_act(struct page_call *call, struct fail *fail)
{
    struct webhook_job job = {.call = call, .id = call->segments[0]};
    job.grace_hours = form_number(call->form, "grace", 0, DELIVERY_GRACE_HOURS_MAX);
    if (form_is_faulty(call->form))
        return OK;
    view_bool(call->view, "rotated", true);
    return show_secret(call, run_rotate, &job, STR("New secret of an endpoint"), fail);
}
