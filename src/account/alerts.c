/* Actions of owners on their alerts; see alerts.h. */
#include "account/alerts.h"

#include <assert.h>

#include "account/letter.h"
#include "market/alert_words.h"
#include "store/account/token.h"

/* Confirmation of addresses that get e-mails of alerts. */

static enum err send_link(const struct act *act, const struct account *account)
{
    char text[TOKEN_SIZE];
    uint8_t digest[SHA256_SIZE];
    token_text_make(text);
    sha256(str_of(text, sizeof text), digest);
    enum err err = alert_confirm_put(
        act, account->no, digest, account->email,
        act->now_ms + (int64_t)ALERTS_CONFIRM_DAYS * DAY_MS);
    const struct letter_call call = {
        .letter = LETTER_ALERTS_CONFIRM,
        .to = account->email,
        .account_no = account->no,
        .token = str_of(text, sizeof text),
    };
    if (!err)
        err = letter_send(act, &call);
    mem_wipe(text, sizeof text);
    return err;
}

/* Sends the letter that asks for the confirmation of the address. Does nothing if the address is
 * confirmed, or got such a letter a moment ago. */
static enum err alerts_ask_once(const struct act *act, const struct account *account)
{
    bool recent = false;
    if (account->confirmed_at != INSTANT_NONE)
        return OK;
    enum err err = letter_is_recent(act, LETTER_ALERTS_CONFIRM, account->email, &recent);
    return err || recent ? err : send_link(act, account);
}

enum err alerts_confirm_ask(const struct act *act, void *work)
{
    struct subject *is = work;
    struct account *account = &is->account;
    struct alert_person person;
    bool recent = false;
    TRY(subject_find(act, is));
    TRY(account_lock_no(act, account->no, account));
    if (account->confirmed_at != INSTANT_NONE)
        return fail_set(
            act->fail, ERR_REFUSED, "the address is already confirmed: no e-mail is needed");
    TRY(letter_is_recent(act, LETTER_ALERTS_CONFIRM, account->email, &recent));
    if (recent)
        return fail_set(
            act->fail, ERR_REFUSED,
            "an e-mail with a link was sent less than five minutes ago: check your spam folder");
    TRY(alert_person_need(act, account->no, &person));
    TRY(send_link(act, account));
    return action_log_account(act, ACTION_ALERTS_CONFIRM_ASK, account->id, STR_NULL);
}

static enum err find_by_token(const struct act *act, struct str token, int64_t *ret)
{
    uint8_t digest[SHA256_SIZE];
    if (token.n != TOKEN_SIZE)
        return fail_set(act->fail, ERR_NOT_FOUND, "this link has expired, or was used");
    sha256(token, digest);
    return alert_confirm_find(act, digest, ret);
}

enum err alerts_confirm_find(const struct act *act, struct str token, struct account *ret)
{
    int64_t account_no = 0;
    TRY(find_by_token(act, token, &account_no));
    return account_find_no(act, account_no, ret);
}

/* Its alerts begin with the next publication: they matched nothing before. */
enum err alerts_confirm(const struct act *act, struct str token)
{
    const struct act by_link = act_of_visitor(act);
    struct account account = {.no = 0};
    int64_t account_no = 0;
    TRY(find_by_token(act, token, &account_no));
    TRY(account_lock_no(act, account_no, &account));
    TRY(find_by_token(act, token, &account_no)); /* under the lock */
    TRY(account_confirm(act, account_no));
    TRY(alert_confirm_end(act, account_no));
    TRY(alert_restart_all(act, account_no));
    return action_log_account(&by_link, ACTION_ALERTS_CONFIRM, account.id, STR_NULL);
}

/* --- who may, and the log */

static enum err no_alert(struct str id, struct fail *fail)
{
    return fail_set(fail, ERR_NOT_FOUND, "there is no alert \"%.*s\"", STR_ARG(id));
}

enum err alerts_find(const struct act *act, struct str id, struct alert *ret)
{
    TRY(alert_find(act, id, ret));
    bool may = act->actor->kind == ACTOR_KIND_OPERATOR || ret->account_no == act->actor->account_no;
    return may && ret->state != ALERT_ENDED ? OK : no_alert(id, act->fail);
}

/* Read again under the lock: a transaction that was waited for may have changed it. */
static enum err take(
    const struct act *act, struct str id, struct alert *ret, struct account *ret_account)
{
    TRY(alerts_find(act, id, ret));
    TRY(account_lock_row(act, ret->account_no, ret_account));
    return alerts_find(act, id, ret);
}

/* Reads it again, and writes the row of the log. */
static enum err done(
    const struct act *act, struct owner_alert *is, enum action action, struct str detail)
{
    TRY(alert_find(act, is->id, &is->alert));
    return action_log_add(act, action, is->alert.account_id, STR("alert"), is->id, detail);
}

/* --- rules of the actions */

static enum err check_rule(enum alert_pace pace, const struct alert_rule *rule, struct fail *fail)
{
    if (pace == ALERT_PACE_NONE)
        return fail_set(fail, ERR_INVALID, "choose how often: now, daily or weekly");
    if (!alert_rule_has_criterion(rule))
        return fail_set(
            fail, ERR_INVALID,
            "give at least one of politician, ticker, chamber, committee, industry, flagged, grade"
            " or minimum");
    return OK;
}

static enum err check_new(
    const struct alert_list *list, int64_t except_no, const struct alert_rule *rule,
    struct fail *fail)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].no != except_no && alert_rule_equals(&list->items[i].rule, rule))
            return fail_set(
                fail, ERR_EXISTS, "this alert already exists: %.*s", STR_ARG(list->items[i].id));
    return OK;
}

static enum err cap_fail(const struct account *account, struct fail *fail)
{
    const struct plan_info *plan = plan_info(account->plan);
    return fail_set(
        fail, ERR_LIMIT, "the %.*s plan allows %u alerts", STR_ARG(plan->name), plan->alerts);
}

/* --- adding and changing */

enum err alerts_add(const struct act *act, void *work)
{
    struct owner_alert *is = work;
    struct account account = {.no = 0};
    struct alert_list list;
    struct alert_person person;
    TRY(check_rule(is->pace, &is->rule, act->fail));
    TRY(account_lock_no(act, is->account_no, &account));
    TRY(alert_list(act, account.no, &list));
    if (list.count >= plan_info(account.plan)->alerts)
        TRY(cap_fail(&account, act->fail));
    TRY(check_new(&list, 0, &is->rule, act->fail));
    TRY(alert_person_need(act, account.no, &person));
    TRY(alert_insert(act, account.no, is->pace, &is->rule, &is->id));
    TRY(alerts_ask_once(act, &account));
    return done(act, is, ACTION_ALERT_ADD, alert_pace_name(is->pace));
}

enum err alerts_change(const struct act *act, void *work)
{
    struct owner_alert *is = work;
    struct account account = {.no = 0};
    struct alert_list list;
    TRY(check_rule(is->pace, &is->rule, act->fail));
    TRY(take(act, is->id, &is->alert, &account));
    TRY(alert_list(act, account.no, &list));
    TRY(check_new(&list, is->alert.no, &is->rule, act->fail));
    TRY(alert_update(act, is->alert.no, is->pace, &is->rule));
    return done(act, is, ACTION_ALERT_CHANGE, alert_pace_name(is->pace));
}

/* --- the plan's cap */

/* Caps enabled alerts above the cap, and enables capped ones below it. One that its owner paused
 * stays paused; resuming it checks the cap. */
static enum err fit(const struct act *act, const struct account *account, struct alerts_effect *ret)
{
    uint32_t cap = plan_info(account->plan)->alerts;
    struct alert_list list;
    *ret = (struct alerts_effect){0};
    TRY(alert_list(act, account->no, &list));
    for (size_t i = 0; i < list.count; i++) {
        const struct alert *alert = &list.items[i];
        if (i >= cap && alert->state == ALERT_ENABLED) {
            TRY(alert_set_state(act, alert->no, ALERT_CAPPED));
            ret->capped++;
        } else if (i < cap && alert->state == ALERT_CAPPED) {
            TRY(alert_set_state(act, alert->no, ALERT_ENABLED));
            ret->resumed++;
        }
    }
    return OK;
}

enum err alerts_fit_cap(
    const struct act *act, const struct account *account, struct alerts_effect *ret)
{
    TRY(fit(act, account, ret));
    const struct plan_info *plan = plan_info(account->plan);
    struct str word = arena_fmt(
        act->arena,
        "the %.*s plan, which allows %u alerts. Paused now, the newest ones: %lld. Active again:"
        " %lld",
        STR_ARG(plan->name), plan->alerts, (long long)ret->capped, (long long)ret->resumed);
    if (ret->capped || ret->resumed)
        TRY(letter_to_owner(act, account, LETTER_ALERTS_CAPPED, word));
    return OK;
}

/* --- pausing, resuming, ending */

enum err alerts_pause(const struct act *act, void *work)
{
    struct owner_alert *is = work;
    struct account account;
    TRY(take(act, is->id, &is->alert, &account));
    if (is->alert.state != ALERT_ENABLED && is->alert.state != ALERT_CAPPED)
        return fail_set(act->fail, ERR_REFUSED, "the alert is not active");
    TRY(alert_set_state(act, is->alert.no, ALERT_PAUSED));
    return done(act, is, ACTION_ALERT_PAUSE, STR_NULL);
}

static enum err check_fits(const struct act *act, const struct account *account, int64_t no)
{
    struct alert_list list;
    TRY(alert_list(act, account->no, &list));
    for (size_t i = 0; i < list.count && i < plan_info(account->plan)->alerts; i++)
        if (list.items[i].no == no)
            return OK;
    return cap_fail(account, act->fail);
}

enum err alerts_resume(const struct act *act, void *work)
{
    struct owner_alert *is = work;
    struct account account;
    TRY(take(act, is->id, &is->alert, &account));
    if (is->alert.state == ALERT_ENABLED)
        return fail_set(act->fail, ERR_REFUSED, "the alert is active");
    TRY(check_fits(act, &account, is->alert.no));
    if (is->alert.state == ALERT_REFUSED)
        TRY(alert_refused_forget(act, account.no));
    TRY(alert_set_state(act, is->alert.no, ALERT_ENABLED));
    TRY(alerts_ask_once(act, &account));
    return done(act, is, ACTION_ALERT_RESUME, STR_NULL);
}

static enum err end_one(
    const struct act *act, struct owner_alert *is, const struct account *account)
{
    struct alerts_effect effect;
    TRY(alert_set_state(act, is->alert.no, ALERT_ENDED));
    TRY(fit(act, account, &effect));
    return done(act, is, ACTION_ALERT_END, STR_NULL);
}

enum err alerts_end(const struct act *act, void *work)
{
    struct owner_alert *is = work;
    struct account account;
    TRY(take(act, is->id, &is->alert, &account));
    return end_one(act, is, &account);
}

/* --- links in e-mails */

static enum err no_link(struct fail *fail)
{
    return fail_set(
        fail, ERR_NOT_FOUND,
        "this link is not valid, or its alert was deleted: your alerts are at /account/alerts");
}

static enum err check_token(
    const struct act *act, int64_t account_no, struct str id, struct str token)
{
    struct alert_person person;
    bool found = false;
    TRY(alert_person_find(act, account_no, &found, &person));
    return found && alert_end_token_valid(person.end_key, id, token) ? OK : no_link(act->fail);
}

static enum err find_all(const struct act *act, struct str id, struct alerts_link *ret)
{
    struct account account;
    struct alert_list list = {0};
    enum err err = account_find_id(act, id, &account);
    if (!err)
        err = alert_list(act, account.no, &list);
    if (err)
        return err == ERR_NOT_FOUND ? no_link(act->fail) : err;
    *ret = (struct alerts_link){
        .all = true,
        .ended = list.count == 0,
        .account_no = account.no,
        .account_id = account.id,
        .count = (int64_t)list.count,
    };
    return OK;
}

enum err alerts_link_find(
    const struct act *act, struct str id, struct str token, struct alerts_link *ret)
{
    enum err err;
    *ret = (struct alerts_link){.all = str_starts(id, STR("acc_"))};
    if (ret->all) {
        err = find_all(act, id, ret);
    } else {
        err = alert_find(act, id, &ret->alert);
        ret->account_no = ret->alert.account_no;
        ret->account_id = ret->alert.account_id;
        ret->ended = ret->alert.state == ALERT_ENDED;
    }
    if (err)
        return err == ERR_NOT_FOUND ? no_link(act->fail) : err;
    return check_token(act, ret->account_no, id, token);
}

static enum err end_all(const struct act *act, const struct account *account)
{
    struct alert_list list;
    TRY(alert_list(act, account->no, &list));
    for (size_t i = 0; i < list.count; i++)
        TRY(alert_set_state(act, list.items[i].no, ALERT_ENDED));
    return action_log_account(act, ACTION_ALERTS_END_ALL, account->id, STR_NULL);
}

enum err alerts_link_end(const struct act *act, struct str id, struct str token)
{
    const struct act by_link = act_of_visitor(act);
    struct alerts_link link;
    struct account account;
    enum err err = alerts_link_find(act, id, token, &link);
    if (!err)
        err = account_lock_row(act, link.account_no, &account);
    if (!err)
        err = alerts_link_find(act, id, token, &link); /* under the lock */
    if (err || link.ended)
        return err;
    struct owner_alert is = {.id = link.alert.id, .alert = link.alert};
    return link.all ? end_all(&by_link, &account) : end_one(&by_link, &is, &account);
}
