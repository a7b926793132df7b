/* Where the links of e-mails lead: /alerts/end/{id} ends an alert, or all of an account, and
 * /alerts/confirm confirms an address. A GET only asks, because scanners of e-mails open links. */
#include "account/alerts.h"
#include "market/alert_words.h"
#include "site/account/account_pages.h"
#include "site/frame/handlers.h"
#include "site/frame/page_call_parts.h"

/* --- /alerts/end/{id} */

static void put_link(struct page_call *call, const struct alerts_link *link)
{
    struct view *v = call->view;
    view_str(v, "id", call->segments[0]);
    view_str(v, "token", page_query(call, STR("token")));
    view_bool(v, "all", link->all);
    view_bool(v, "ended", link->ended);
    view_count(v, "alerts", link->count);
    view_bool(v, "one", link->count == 1);
    if (link->all)
        return;
    BUF_SCOPED(words, ALERT_WORDS_MAX);
    alert_put_rule(&words, &link->alert.rule, link->alert.member_name);
    view_str(v, "about", buf_view(&words));
    view_str(v, "pace", alert_pace_words(link->alert.pace));
}

static void show_link(struct page_call *call, const struct alerts_link *link)
{
    put_link(call, link);
    page_show(call, 200, STR("alert_end"), link->all ? STR("End all alerts") : STR("End an alert"));
}

static struct str token_of(const struct page_call *call)
{
    struct str token = page_query(call, STR("token"));
    return str_is_null(token) ? STR("") : token;
}

static enum err find(struct page_call *call, struct alerts_link *ret, struct fail *fail)
{
    return alerts_link_find(page_reads(call, fail), call->segments[0], token_of(call), ret);
}

enum err alert_link_load(struct page_call *call, struct fail *fail)
{
    struct alerts_link link;
    TRY(find(call, &link, fail));
    show_link(call, &link);
    return OK;
}

static enum err run_end(const struct act *act, void *ctx)
{
    const struct page_call *call = ctx;
    return alerts_link_end(act, call->segments[0], token_of(call));
}

/* A mail provider posts this, with a body that says nothing more (RFC 8058): the link has all that
 * is needed, so there is no session and no token of a form. */
enum err alert_link_act(struct page_call *call, struct fail *fail)
{
    struct alerts_link link;
    TRY(find(call, &link, fail));
    if (!link.ended)
        TRY(page_write_bare(call, run_end, call, fail));
    link.ended = true;
    show_link(call, &link);
    return OK;
}

/* --- /alerts/confirm */

static enum err link_over(struct page_call *call)
{
    page_problem(
        call, PROBLEM_LINK,
        STR("The link was used, replaced by a newer one, or is older than a week. Ask for another "
            "at /account/alerts."));
    return OK;
}

enum err alerts_confirm_load(struct page_call *call, struct fail *fail)
{
    struct account account;
    struct str token = account_page_token(call);
    enum err err =
        alerts_confirm_find(page_reads(call, fail), str_is_null(token) ? STR("") : token, &account);
    if (err == ERR_NOT_FOUND)
        return link_over(call);
    if (err)
        return err;
    view_str(call->view, "token", token);
    view_str(call->view, "email", account.email);
    return OK;
}

static enum err run_confirm(const struct act *act, void *ctx)
{
    struct page_call *call = ctx;
    struct str token = account_page_token(call);
    return alerts_confirm(act, str_is_null(token) ? STR("") : token);
}

enum err alerts_confirm_act(struct page_call *call, struct fail *fail)
{
    enum err err = page_write(call, run_confirm, call, fail);
    if (err == ERR_NOT_FOUND)
        return link_over(call);
    if (!err)
        page_redirect(
            call, call->visitor.signed_in ? STR("/account/alerts") : STR("/sign-in"),
            FLASH_ALERTS_CONFIRMED);
    return err;
}
