/* The page of one alert, and what its owner does with it. */
#include "account/alerts.h"
#include "site/account/alert_form.h"
#include "site/frame/handlers.h"

enum err alert_load(struct page_call *call, struct fail *fail)
{
    struct alert alert;
    enum err err =
        alerts_find(call->db, &call->actor, call->segments[0], call->arena, &alert, fail);
    if (err)
        return err;
    alert_view_put(call, call->view, &alert);
    err = alert_view_person(call, fail);
    /* what was posted to a button below is no form of an alert */
    const struct form *form = call->page->act == alert_change_act ? call->form : NULL;
    return err ? err : alert_form_show(call, form, &alert, fail);
}

struct alert_change_job {
    struct page_call *call;
    struct alert_rule rule;
    enum alert_pace pace;
};

static enum err run_change(struct db *db, void *ctx, struct fail *fail)
{
    struct alert_change_job *job = ctx;
    const struct page_call *call = job->call;
    return alerts_change(
        db, &call->actor, call->segments[0], job->pace, &job->rule, call->now_ms, fail);
}

static void go_back(struct page_call *call, enum flash flash)
{
    page_redirect(
        call, arena_fmt(call->arena, "/account/alerts/%.*s", STR_ARG(call->segments[0])), flash);
}

enum err alert_change_act(struct page_call *call, struct fail *fail)
{
    struct alert_change_job job = {.call = call};
    struct alert alert;
    bool good = false;
    enum err err =
        alerts_find(call->db, &call->actor, call->segments[0], call->arena, &alert, fail);
    if (!err)
        err = alert_form_read(call, &job.rule, &job.pace, &good, fail);
    if (err || !good)
        return err;
    err = page_write(call, run_change, &job, fail);
    if (!err)
        go_back(call, FLASH_SAVED);
    return err;
}

static enum err run_pause(struct db *db, void *ctx, struct fail *fail)
{
    const struct page_call *call = ctx;
    return alerts_pause(db, &call->actor, call->segments[0], call->now_ms, fail);
}

enum err alert_pause_act(struct page_call *call, struct fail *fail)
{
    enum err err = page_write(call, run_pause, call, fail);
    if (!err)
        go_back(call, FLASH_ALERT_PAUSED);
    return err;
}

static enum err run_resume(struct db *db, void *ctx, struct fail *fail)
{
    const struct page_call *call = ctx;
    return alerts_resume(
        db, call->config->account, &call->actor, call->segments[0], call->now_ms, fail);
}

enum err alert_resume_act(struct page_call *call, struct fail *fail)
{
    enum err err = page_write(call, run_resume, call, fail);
    if (err == ERR_LIMIT && call->json) {
        page_error(
            call, ERROR_ALERT_LIMIT_REACHED, str_from(fail->text),
            plan_info(call->visitor.account.plan)->alerts);
        return OK;
    }
    if (!err)
        go_back(call, FLASH_ALERT_RESUMED);
    return err;
}

static enum err run_end(struct db *db, void *ctx, struct fail *fail)
{
    const struct page_call *call = ctx;
    return alerts_end(db, &call->actor, call->segments[0], call->now_ms, fail);
}

enum err alert_end_act(struct page_call *call, struct fail *fail)
{
    enum err err = page_write(call, run_end, call, fail);
    if (!err)
        page_redirect(call, STR("/account/alerts"), FLASH_ALERT_ENDED);
    return err;
}
