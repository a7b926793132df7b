/* The page of all endpoints, and adding one. */
#include "site/account/webhook_form.h"
#include "site/account/webhook_view.h"
#include "site/frame/handlers.h"
#include "webhook/owner.h"

enum err webhooks_load(struct page_call *call, struct fail *fail)
{
    const struct account *account = &call->visitor.account;
    const struct plan_info *plan = plan_info(account->plan);
    struct endpoint_list list;
    struct view *endpoints = view_list(call->view, "endpoints");
    TRY(endpoint_list(page_reads(call, fail), account->email, &list));
    for (size_t i = 0; i < list.count; i++) {
        struct view *item = view_item(endpoints);
        view_str(item, "href", webhook_path(call, list.items[i].id, ""));
        TRY(webhook_put(call, item, &list.items[i], true, fail));
    }
    view_int(call->view, "count", (int64_t)list.count);
    view_int(call->view, "cap", plan->webhook_endpoints);
    view_bool(call->view, "any", list.count > 0);
    view_bool(call->view, "hasCap", plan->webhook_endpoints > 0);
    view_bool(call->view, "room", list.count < plan->webhook_endpoints);
    view_str(call->view, "plan", plan->name);
    view_str(call->view, "contact", call->config->contact);
    webhook_form_show(call, call->form, NULL);
    return OK;
}

enum err webhooks_act(struct page_call *call, struct fail *fail)
{
    struct owner_endpoint is = {
        .account_no = call->visitor.account.no,
        .url = form_value(call->form, "url"),
        .events = webhook_form_events(call),
        .description = form_value(call->form, "description"),
        .rules = call->config->webhook_rules,
        .key = call->config->seal_key,
    };
    if (!webhook_form_check(call, fail))
        return OK;
    enum err err = page_write(call, owner_add, &is, fail);
    if (err == ERR_LIMIT && call->json) {
        page_error(
            call, ERROR_WEBHOOK_ENDPOINT_LIMIT_REACHED, str_from(fail->text),
            plan_info(call->visitor.account.plan)->webhook_endpoints);
        return OK;
    }
    if (err) {
        secret_finish(&is.secret);
        return err;
    }
    view_str(call->view, "id", is.id);
    view_str(call->view, "url", is.endpoint.url);
    view_str(call->view, "secret", secret_text(&is.secret));
    view_str(call->view, "href", webhook_path(call, is.id, ""));
    view_bool(call->view, "added", true);
    secret_finish(&is.secret);
    page_show(call, 201, STR("webhook_secret"), STR("New endpoint"));
    return OK;
}
