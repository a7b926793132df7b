/* The page of all alerts, and adding one. */
#include "account/alerts.h"
#include "html/table.h"
#include "site/account/alert_form.h"
#include "site/frame/handlers.h"
#include "store/account/mail_queue.h"

enum { MAILS_SHOWN = 10 };

static enum err put_mails(struct page_call *call, struct fail *fail)
{
    struct mail_sent_list list = {0};
    struct view *table =
        table_begin(call->view, "mails", "E-mail|Queued|State", "None in 30 days.");
    TRY(mail_queue_list_of(call->db, call->visitor.account.no, call->arena, &list, fail));
    size_t shown = 0;
    for (size_t i = 0; i < list.count && shown < MAILS_SHOWN; i++) {
        const struct mail_sent *mail = &list.items[i];
        if (!str_eq(mail->kind, STR("alert")))
            continue;
        struct view *row = table_row(table);
        bool ended = mail->ended_at != INSTANT_NONE;
        view_str(row, "subject", mail->subject);
        view_instant(row, "queuedAt", mail->created_at);
        view_instant(row, "endedAt", mail->ended_at);
        view_text(row, "state", !ended ? "waiting" : str_is_null(mail->error) ? "sent" : "refused");
        view_str(row, "error", mail->error);
        shown++;
    }
    return OK;
}

enum err alerts_load(struct page_call *call, struct fail *fail)
{
    const struct account *account = &call->visitor.account;
    const struct plan_info *plan = plan_info(account->plan);
    struct alert_list list = {0};
    struct view *alerts = view_list(call->view, "alerts");
    TRY(alert_list(page_reads(call, fail), account->no, &list));
    for (size_t i = 0; i < list.count; i++)
        alert_view_put(call, view_item(alerts), &list.items[i]);
    TRY(alert_view_person(call, fail));
    TRY(put_mails(call, fail));
    view_int(call->view, "count", (int64_t)list.count);
    view_int(call->view, "cap", plan->alerts);
    view_bool(call->view, "any", list.count > 0);
    view_bool(call->view, "hasCap", plan->alerts > 0);
    view_bool(call->view, "room", list.count < plan->alerts);
    view_str(call->view, "plan", plan->name);
    view_str(call->view, "contact", call->config->contact);
    return alert_form_show(call, call->form, NULL, fail);
}

enum err alerts_act(struct page_call *call, struct fail *fail)
{
    struct owner_alert is = {.account_no = call->visitor.account.no};
    bool good;
    enum err err = alert_form_read(call, &is.rule, &is.pace, &good, fail);
    if (err || !good)
        return err;
    err = page_write(call, alerts_add, &is, fail);
    if (err == ERR_LIMIT && call->json) {
        page_error(
            call, ERROR_ALERT_LIMIT_REACHED, str_from(fail->text),
            plan_info(call->visitor.account.plan)->alerts);
        return OK;
    }
    if (err)
        return err;
    if (!call->json) {
        bool confirmed = call->visitor.account.confirmed_at != INSTANT_NONE;
        page_redirect(
            call, STR("/account/alerts"), confirmed ? FLASH_ALERT_ADDED : FLASH_ALERT_UNCONFIRMED);
        return OK;
    }
    alert_view_put(call, call->view, &is.alert);
    page_show(call, 201, STR("alert"), STR("Alert"));
    return OK;
}

/* --- the letter again */

enum err alerts_confirm_ask_act(struct page_call *call, struct fail *fail)
{
    struct subject is = {.account = call->visitor.account};
    TRY(page_write(call, alerts_confirm_ask, &is, fail));
    page_redirect(call, STR("/account/alerts"), FLASH_ALERT_LINK_SENT);
    return OK;
}
