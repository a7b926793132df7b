/* The page of one alert, and what its owner does with it. */
#include "account/alerts.h"
#include "site/account/alert_form.h"
#include "site/frame/handlers.h"

enum err alert_load(struct page_call *call, struct fail *fail)
{
    struct alert alert;
    TRY(alerts_find(page_reads(call, fail), call->segments[0], &alert));
    alert_view_put(call, call->view, &alert);
    TRY(alert_view_person(call, fail));
    /* what was posted to a button below is no form of an alert */
    const struct form *form = call->page->act == alert_change_act ? call->form : NULL;
    return alert_form_show(call, form, &alert, fail);
}

static struct str path_of(const struct page_call *call)
{
    return arena_fmt(call->arena, "/account/alerts/%.*s", STR_ARG(call->segments[0]));
}

enum err alert_change_act(struct page_call *call, struct fail *fail)
{
    struct owner_alert is = {.id = call->segments[0]};
    bool good = false;
    enum err err = alerts_find(page_reads(call, fail), is.id, &is.alert);
    if (!err)
        err = alert_form_read(call, &is.rule, &is.pace, &good, fail);
    if (err || !good)
        return err;
    err = page_write(call, alerts_change, &is, fail);
    if (!err)
        page_redirect(call, path_of(call), FLASH_SAVED);
    return err;
}

/* Runs the action of the row. */
enum err alert_act(struct page_call *call, struct fail *fail)
{
    struct owner_alert is = {.id = call->segments[0]};
    enum err err = page_write_row(call, path_of(call), &is, fail);
    if (err != ERR_LIMIT || !call->json)
        return err;
    page_error(
        call, ERROR_ALERT_LIMIT_REACHED, str_from(fail->text),
        plan_info(call->visitor.account.plan)->alerts);
    return OK;
}
