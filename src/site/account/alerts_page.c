/* The page of all alerts, and adding one. */
#include <stdlib.h>
#include <string.h>

#include "account/alert_input.h"
#include "account/alerts.h"
#include "html/table.h"
#include "market/alert_words.h"
#include "market/conflict.h"
#include "market/industry.h"
#include "site/account/account_pages.h"
#include "site/frame/handlers.h"
#include "site/frame/page_call.h"
#include "site/frame/page_call_parts.h"
#include "store/account/alert.h"
#include "store/account/mail_queue.h"
#include "store/public/member.h"
#include "store/public/roster.h"

/* The form of an alert, and an alert as a view. */

enum {
    MEMBERS_MAX = 20, /* to choose from, when a name means several */
    COMMITTEES_MAX = 200,
};

/* --- choices */

static const struct form_option chambers[] = {
    {STR_INIT(""), STR_INIT("Both chambers")},
    {STR_INIT("house"), STR_INIT("House")},
    {STR_INIT("senate"), STR_INIT("Senate")},
};

static const struct form_option grades[] = {
    {STR_INIT(""), STR_INIT("Any")},
    {STR_INIT("A"), STR_INIT("A only")},
    {STR_INIT("B"), STR_INIT("A and B")},
    {STR_INIT("C"), STR_INIT("A, B and C")},
};

static const struct form_option paces[] = {
    {STR_INIT("now"), STR_INIT("At once, for each publication")},
    {STR_INIT("daily"), STR_INIT("Every morning, if there is something new")},
    {STR_INIT("weekly"), STR_INIT("Every Monday morning, if there is something new")},
};

static void show_brackets(struct page_call *call, const struct form *form, struct str initial)
{
    struct form_option options[BRACKET_COUNT] = {{STR(""), STR("Any amount")}};
    size_t count = 1;
    for (int i = BRACKET_NONE + 1; i < BRACKET_COUNT; i++)
        if (i != BRACKET_OVER_1M_SPOUSE && i != BRACKET_1K_15K)
            options[count++] = (struct form_option){
                bracket_key((enum bracket)i),
                arena_fmt(
                    call->arena, "%.*s and more", STR_ARG(bracket_info((enum bracket)i)->label))};
    form_show_choice(call->view, form, "minimum", initial, options, count);
}

static void show_industries(struct page_call *call, const struct form *form, struct str initial)
{
    size_t count = INDUSTRY_COUNT + 1;
    struct form_option *options = ARENA_ARRAY(call->arena, struct form_option, count);
    options[0] = (struct form_option){STR(""), STR("Any industry")};
    for (int i = 1; i <= INDUSTRY_COUNT; i++)
        options[i] = (struct form_option){industry_get(i)->code, industry_get(i)->name};
    form_show_choice(call->view, form, "sector", initial, options, count);
}

struct committees {
    struct arena *arena;
    struct form_option options[COMMITTEES_MAX];
    size_t count;
};

static void add_committee(void *ctx, struct str member_id, const struct seat *seat)
{
    struct committees *c = ctx;
    (void)member_id;
    if (seat->subcommittee || c->count == COMMITTEES_MAX)
        return;
    for (size_t i = 1; i < c->count; i++)
        if (str_eq(c->options[i].value, seat->id))
            return;
    c->options[c->count++] =
        (struct form_option){arena_str(c->arena, seat->id), arena_str(c->arena, seat->title)};
}

static int by_label(const void *a, const void *b)
{
    const struct form_option *x = a, *y = b;
    return str_cmp(x->label, y->label);
}

/* The full committees of the newest list, and the one that is chosen if it is none of them. */
static enum err show_committees(
    struct page_call *call, const struct form *form, struct str initial, struct fail *fail)
{
    struct committees *c = ARENA_NEW(call->arena, struct committees);
    c->arena = call->arena;
    c->options[c->count++] = (struct form_option){STR(""), STR("Any committee")};
    TRY(roster_each_current(call->db, add_committee, c, fail));
    qsort(c->options + 1, c->count - 1, sizeof *c->options, by_label);
    bool known = !initial.n;
    for (size_t i = 1; i < c->count; i++)
        known = known || str_eq(c->options[i].value, initial);
    if (!known && c->count < COMMITTEES_MAX)
        c->options[c->count++] = (struct form_option){initial, alert_committee_name(initial)};
    form_show_choice(call->view, form, "seat", initial, c->options, c->count);
    return OK;
}

/* --- showing */

static struct str or_empty(struct str text)
{
    return str_is_null(text) ? STR("") : text;
}

/* Shows the form, for this alert or, if it is NULL, for a new one. `form` is what was posted to it;
 * NULL: nothing, or a form of another kind. */
static enum err alert_form_show(
    struct page_call *call, const struct form *form, const struct alert *alert, struct fail *fail)
{
    static const struct alert none = {.pace = ALERT_DAILY};
    const struct alert *a = alert ? alert : &none;
    const struct alert_rule *rule = &a->rule;
    if (!view_member(call->view, "severalMembers"))
        form_show(call->view, form, "politician", or_empty(a->member_slug));
    form_show(call->view, form, "ticker", or_empty(rule->ticker));
    form_show_choice(
        call->view, form, "chamber", or_empty(chamber_name(rule->chamber)), chambers,
        sizeof chambers / sizeof *chambers);
    show_industries(call, form, rule->industry ? industry_get(rule->industry)->code : STR(""));
    show_brackets(call, form, or_empty(bracket_key(rule->minimum)));
    form_show_check(call->view, form, "flagged", rule->flagged);
    form_show_choice(
        call->view, form, "grade", or_empty(conflict_grade_name((enum conflict_grade)rule->grade)),
        grades, sizeof grades / sizeof *grades);
    form_show_choice(
        call->view, form, "pace", alert_pace_name(a->pace), paces, sizeof paces / sizeof *paces);
    return show_committees(call, form, or_empty(rule->committee), fail);
}

/* --- reading */

/* Several members match the name: the field becomes a list to choose from. */
static void offer(struct page_call *call, const struct member_list *found)
{
    struct form_option options[MEMBERS_MAX + 1] = {{STR(""), STR("Choose a member")}};
    for (size_t i = 0; i < found->count; i++)
        options[i + 1] = (struct form_option){found->items[i].slug, found->items[i].name};
    page_fault(call, "politician", "several members match this name: choose one");
    view_bool(call->view, "severalMembers", true);
    form_show_choice(call->view, call->form, "politician", STR(""), options, found->count + 1);
}

/* A slug, an id, a name or a part of one, as a slug. *ret null: a fault is beside the field. */
static enum err find_politician(
    struct page_call *call, struct str text, struct str *ret, struct fail *fail)
{
    struct member member;
    struct member_list found;
    *ret = text;
    if (!text.n)
        return OK;
    enum err err = member_find(call->db, text, call->arena, &member, fail);
    if (err != ERR_NOT_FOUND)
        return err;
    TRY(member_search(call->db, text, MEMBERS_MAX, call->arena, &found, fail));
    *ret = found.count == 1 ? found.items[0].slug : STR_NULL;
    if (found.count == 0)
        page_fault(call, "politician", "no member matches this name");
    else if (found.count > 1)
        offer(call, &found);
    return OK;
}

struct form_texts {
    const struct form *form;
    struct str politician; /* null: a fault is beside the field */
};

static struct str form_text(const void *ctx, const char *field)
{
    const struct form_texts *texts = ctx;
    return strcmp(field, "politician") == 0 ? texts->politician : form_value(texts->form, field);
}

/* Reads the posted form. *ret_good is false if a field has a fault. */
static enum err alert_form_read(
    struct page_call *call, struct alert_rule *ret, enum alert_pace *ret_pace, bool *ret_good,
    struct fail *fail)
{
    const struct form *form = call->form;
    struct form_texts texts = {.form = form};
    const char *field;
    struct str politician = str_trim(or_empty(form_value(form, "politician")));
    *ret = (struct alert_rule){.flagged = form_checked(form, "flagged")};
    *ret_pace = ALERT_PACE_NONE;
    *ret_good = false;
    TRY(find_politician(call, politician, &texts.politician, fail));
    enum err err =
        alert_input_read(page_reads(call, fail), form_text, &texts, ret, ret_pace, &field);
    if (err == ERR_INVALID)
        form_fault(call->form, field, fail);
    else if (err)
        return err;
    else if (*ret_pace == ALERT_PACE_NONE)
        page_fault(call, "pace", "choose how often");
    if (!form_is_faulty(call->form) && !alert_rule_has_criterion(ret))
        page_fault(call, NULL, "Choose at least one criterion.");
    *ret_good = !form_is_faulty(call->form);
    return OK;
}

/* --- an alert as a view */

static void put_badge(struct view *v, enum alert_state state, bool confirmed)
{
    static const struct {
        const char *kind, *label;
    } badges[ALERT_STATE_COUNT] = {
        [ALERT_NONE] = {"off", "Unknown"},
        [ALERT_ENABLED] = {"good", "Active"},
        [ALERT_PAUSED] = {"off", "Paused by you"},
        [ALERT_CAPPED] = {"wait", "Paused by your plan"},
        [ALERT_REFUSED] = {"bad", "Ended: mail refused"},
        [ALERT_ENDED] = {"off", "Ended"},
    };
    struct view *badge = view_object(v, "badge");
    bool waits = state == ALERT_ENABLED && !confirmed;
    view_text(badge, "kind", waits ? "wait" : badges[state].kind);
    view_text(badge, "label", waits ? "Address not confirmed" : badges[state].label);
}

/* id, href, about, pace, paceText, state, badge, createdAt, lastEmailAt, emails, and the criteria.
 */
static void alert_view_put(struct page_call *call, struct view *v, const struct alert *alert)
{
    const struct alert_rule *rule = &alert->rule;
    BUF_SCOPED(words, ALERT_WORDS_MAX);
    alert_put_rule(&words, rule, alert->member_name);
    view_str(v, "id", alert->id);
    view_str(v, "href", arena_fmt(call->arena, "/account/alerts/%.*s", STR_ARG(alert->id)));
    view_str(v, "about", buf_view(&words));
    view_str(v, "pace", alert_pace_name(alert->pace));
    view_str(v, "paceText", alert_pace_words(alert->pace));
    view_str(v, "state", alert_state_name(alert->state));
    put_badge(v, alert->state, call->visitor.account.confirmed_at != INSTANT_NONE);
    view_bool(v, "isEnabled", alert->state == ALERT_ENABLED);
    view_bool(v, "isRefused", alert->state == ALERT_REFUSED);
    view_bool(v, "isCapped", alert->state == ALERT_CAPPED);
    view_bool(v, "mayResume", alert->state == ALERT_PAUSED || alert->state == ALERT_REFUSED);
    view_str(v, "politician", alert->member_slug);
    view_str(v, "ticker", rule->ticker);
    view_str(v, "chamber", chamber_name(rule->chamber));
    view_str(v, "seat", rule->committee);
    view_str(v, "sector", rule->industry ? industry_get(rule->industry)->code : STR_NULL);
    view_bool(v, "flagged", rule->flagged);
    view_str(v, "grade", conflict_grade_name((enum conflict_grade)rule->grade));
    view_str(v, "minimum", bracket_key(rule->minimum));
    view_instant(v, "createdAt", alert->created_at);
    view_instant(v, "lastEmailAt", alert->sent_at);
    view_count(v, "emails", alert->emails);
}

/* Sets confirmed, mail, refused, refusedAt, refusedReason: the state of the owner's address.
 */
static enum err alert_view_person(struct page_call *call, struct fail *fail)
{
    const struct account *account = &call->visitor.account;
    struct alert_person person = {.refused = 0};
    bool found = false;
    TRY(alert_person_find(page_reads(call, fail), account->no, &found, &person));
    view_str(call->view, "email", account->email);
    view_bool(call->view, "confirmed", account->confirmed_at != INSTANT_NONE);
    view_bool(call->view, "mail", call->config->account->mail);
    view_bool(call->view, "refused", person.refused >= ALERT_REFUSALS_MAX);
    view_instant(call->view, "refusedAt", found ? person.refused_at : INSTANT_NONE);
    view_str(call->view, "refusedReason", found ? person.refused_reason : STR_NULL);
    return OK;
}

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

/* --- the page of one alert, and what its owner does with it */

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
    TRY(page_write(call, alerts_change, &is, fail));
    page_redirect(call, path_of(call), FLASH_SAVED);
    return OK;
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

/* Where the links of e-mails lead: /alerts/end/{id} ends an alert, or all of an account, and
 * /alerts/confirm confirms an address. A GET only asks, because scanners of e-mails open links. */

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
