/* Actions of owners on their alerts; see alerts.h. */
#include "account/alerts.h"

#include <assert.h>

#include "account/alerts_parts.h"
#include "account/letter.h"
#include "market/alert_words.h"

/* --- who may, and the log */

static enum err no_alert(struct str id, struct fail *fail)
{
    return fail_set(fail, ERR_NOT_FOUND, "there is no alert \"%.*s\"", STR_ARG(id));
}

enum err alerts_find(
    struct db *db, const struct actor *actor, struct str id, struct arena *arena, struct alert *ret,
    struct fail *fail)
{
    enum err err = alert_find(db, id, arena, ret, fail);
    if (err)
        return err;
    bool may = actor->kind == ACTOR_KIND_OPERATOR || ret->account_no == actor->account_no;
    return may && ret->state != ALERT_ENDED ? OK : no_alert(id, fail);
}

/* Read again under the lock: a transaction that was waited for may have changed it. */
static enum err take(
    struct db *db, const struct actor *actor, struct str id, struct arena *arena, struct alert *ret,
    struct account *ret_account, struct fail *fail)
{
    enum err err = alerts_find(db, actor, id, arena, ret, fail);
    if (!err)
        err = account_lock_row(db, ret->account_no, arena, ret_account, fail);
    return err ? err : alerts_find(db, actor, id, arena, ret, fail);
}

static enum err note(
    struct db *db, const struct actor *actor, enum action action, struct str account_id,
    struct str id, struct str detail, int64_t now_ms, struct fail *fail)
{
    return action_log_add(db, actor, action, account_id, STR("alert"), id, detail, now_ms, fail);
}

/* --- rules of the actions */

static enum err check_rule(enum alert_pace pace, const struct alert_rule *rule, struct fail *fail)
{
    if (pace == ALERT_PACE_NONE)
        return fail_set(fail, ERR_INVALID, "choose how often: now, daily or weekly");
    if (!alert_rule_has_criterion(rule))
        return fail_set(
            fail, ERR_INVALID,
            "give at least one of politician, ticker, chamber, committee, industry, flagged or"
            " minimum");
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

static struct str pace_detail(enum alert_pace pace)
{
    return alert_pace_name(pace);
}

/* --- adding and changing */

enum err alerts_add(
    struct db *db, const struct account_config *config, const struct actor *actor,
    const struct alerts_new *add, int64_t now_ms, struct arena *arena, struct alert *ret,
    struct fail *fail)
{
    struct account account = {.no = 0};
    struct alert_list list;
    struct alert_person person;
    struct str id = STR_NULL;
    enum err err = check_rule(add->pace, &add->rule, fail);
    if (!err)
        err = account_lock_no(db, add->account_no, arena, &account, fail);
    if (!err)
        err = alert_list(db, account.no, arena, &list, fail);
    if (!err && list.count >= plan_info(account.plan)->alerts)
        err = cap_fail(&account, fail);
    if (!err)
        err = check_new(&list, 0, &add->rule, fail);
    if (!err)
        err = alert_person_need(db, account.no, arena, &person, fail);
    if (!err)
        err = alert_insert(db, account.no, add->pace, &add->rule, now_ms, arena, &id, fail);
    if (!err)
        err = alert_find(db, id, arena, ret, fail);
    if (!err)
        err = alerts_ask_once(db, config, &account, now_ms, fail);
    return err ? err
               : note(
                     db, actor, ACTION_ALERT_ADD, account.id, id, pace_detail(add->pace), now_ms,
                     fail);
}

static enum err change(
    struct db *db, const struct actor *actor, struct str id, enum alert_pace pace,
    const struct alert_rule *rule, int64_t now_ms, struct arena *arena, struct fail *fail)
{
    struct alert alert;
    struct account account = {.no = 0};
    struct alert_list list;
    enum err err = check_rule(pace, rule, fail);
    if (!err)
        err = take(db, actor, id, arena, &alert, &account, fail);
    if (!err)
        err = alert_list(db, account.no, arena, &list, fail);
    if (!err)
        err = check_new(&list, alert.no, rule, fail);
    if (!err)
        err = alert_update(db, alert.no, pace, rule, now_ms, fail);
    return err ? err
               : note(
                     db, actor, ACTION_ALERT_CHANGE, account.id, id, pace_detail(pace), now_ms,
                     fail);
}

enum err alerts_change(
    struct db *db, const struct actor *actor, struct str id, enum alert_pace pace,
    const struct alert_rule *rule, int64_t now_ms, struct fail *fail)
{
    struct arena arena;
    arena_init(&arena);
    enum err err = change(db, actor, id, pace, rule, now_ms, &arena, fail);
    arena_finish(&arena);
    return err;
}

/* --- the plan's cap */

/* Caps enabled alerts above the cap, and enables capped ones below it. One that its owner paused
 * stays paused; resuming it checks the cap. */
static enum err fit(
    struct db *db, const struct account *account, int64_t now_ms, struct arena *arena,
    struct alerts_effect *ret, struct fail *fail)
{
    uint32_t cap = plan_info(account->plan)->alerts;
    struct alert_list list;
    *ret = (struct alerts_effect){0};
    enum err err = alert_list(db, account->no, arena, &list, fail);
    for (size_t i = 0; i < list.count && !err; i++) {
        const struct alert *alert = &list.items[i];
        if (i >= cap && alert->state == ALERT_ENABLED) {
            err = alert_set_state(db, alert->no, ALERT_CAPPED, now_ms, fail);
            ret->capped++;
        } else if (i < cap && alert->state == ALERT_CAPPED) {
            err = alert_set_state(db, alert->no, ALERT_ENABLED, now_ms, fail);
            ret->resumed++;
        }
    }
    return err;
}

enum err alerts_fit_cap(
    struct db *db, const struct account_config *config, const struct account *account,
    int64_t now_ms, struct alerts_effect *ret, struct fail *fail)
{
    struct arena arena;
    arena_init(&arena);
    enum err err = fit(db, account, now_ms, &arena, ret, fail);
    const struct plan_info *plan = plan_info(account->plan);
    struct str word = arena_fmt(
        &arena,
        "the %.*s plan, which allows %u alerts. Paused now, the newest ones: %lld. Active again:"
        " %lld",
        STR_ARG(plan->name), plan->alerts, (long long)ret->capped, (long long)ret->resumed);
    if (!err && (ret->capped || ret->resumed))
        err = letter_to_owner(db, config, account, LETTER_ALERTS_CAPPED, word, now_ms, fail);
    arena_finish(&arena);
    return err;
}

/* --- pausing, resuming, ending */

static enum err pause(
    struct db *db, const struct actor *actor, struct str id, int64_t now_ms, struct arena *arena,
    struct fail *fail)
{
    struct alert alert;
    struct account account;
    enum err err = take(db, actor, id, arena, &alert, &account, fail);
    if (!err && alert.state != ALERT_ENABLED && alert.state != ALERT_CAPPED)
        err = fail_set(fail, ERR_REFUSED, "the alert is not active");
    if (!err)
        err = alert_set_state(db, alert.no, ALERT_PAUSED, now_ms, fail);
    return err ? err : note(db, actor, ACTION_ALERT_PAUSE, account.id, id, STR_NULL, now_ms, fail);
}

enum err alerts_pause(
    struct db *db, const struct actor *actor, struct str id, int64_t now_ms, struct fail *fail)
{
    struct arena arena;
    arena_init(&arena);
    enum err err = pause(db, actor, id, now_ms, &arena, fail);
    arena_finish(&arena);
    return err;
}

static enum err check_fits(
    struct db *db, const struct account *account, int64_t no, struct arena *arena,
    struct fail *fail)
{
    struct alert_list list;
    enum err err = alert_list(db, account->no, arena, &list, fail);
    if (err)
        return err;
    for (size_t i = 0; i < list.count && i < plan_info(account->plan)->alerts; i++)
        if (list.items[i].no == no)
            return OK;
    return cap_fail(account, fail);
}

static enum err resume(
    struct db *db, const struct account_config *config, const struct actor *actor, struct str id,
    int64_t now_ms, struct arena *arena, struct fail *fail)
{
    struct alert alert;
    struct account account;
    enum err err = take(db, actor, id, arena, &alert, &account, fail);
    if (!err && alert.state == ALERT_ENABLED)
        err = fail_set(fail, ERR_REFUSED, "the alert is active");
    if (!err)
        err = check_fits(db, &account, alert.no, arena, fail);
    if (!err && alert.state == ALERT_REFUSED)
        err = alert_refused_forget(db, account.no, fail);
    if (!err)
        err = alert_set_state(db, alert.no, ALERT_ENABLED, now_ms, fail);
    if (!err)
        err = alerts_ask_once(db, config, &account, now_ms, fail);
    return err ? err : note(db, actor, ACTION_ALERT_RESUME, account.id, id, STR_NULL, now_ms, fail);
}

enum err alerts_resume(
    struct db *db, const struct account_config *config, const struct actor *actor, struct str id,
    int64_t now_ms, struct fail *fail)
{
    struct arena arena;
    arena_init(&arena);
    enum err err = resume(db, config, actor, id, now_ms, &arena, fail);
    arena_finish(&arena);
    return err;
}

static enum err end_one(
    struct db *db, const struct actor *actor, const struct alert *alert,
    const struct account *account, int64_t now_ms, struct arena *arena, struct fail *fail)
{
    struct alerts_effect effect;
    enum err err = alert_set_state(db, alert->no, ALERT_ENDED, now_ms, fail);
    if (!err)
        err = fit(db, account, now_ms, arena, &effect, fail);
    return err ? err
               : note(db, actor, ACTION_ALERT_END, account->id, alert->id, STR_NULL, now_ms, fail);
}

enum err alerts_end(
    struct db *db, const struct actor *actor, struct str id, int64_t now_ms, struct fail *fail)
{
    struct arena arena;
    struct alert alert;
    struct account account;
    arena_init(&arena);
    enum err err = take(db, actor, id, &arena, &alert, &account, fail);
    if (!err)
        err = end_one(db, actor, &alert, &account, now_ms, &arena, fail);
    arena_finish(&arena);
    return err;
}

/* --- links in e-mails */

static enum err no_link(struct fail *fail)
{
    return fail_set(
        fail, ERR_NOT_FOUND,
        "this link is not valid, or its alert was deleted: your alerts are at /account/alerts");
}

static enum err check_token(
    struct db *db, int64_t account_no, struct str id, struct str token, struct arena *arena,
    struct fail *fail)
{
    struct alert_person person;
    bool found = false;
    enum err err = alert_person_find(db, account_no, arena, &found, &person, fail);
    if (err)
        return err;
    return found && alert_end_token_valid(person.end_key, id, token) ? OK : no_link(fail);
}

static enum err find_all(
    struct db *db, struct str id, struct arena *arena, struct alerts_link *ret, struct fail *fail)
{
    struct account account;
    struct alert_list list = {0};
    enum err err = account_find_id(db, id, arena, &account, fail);
    if (!err)
        err = alert_list(db, account.no, arena, &list, fail);
    if (err)
        return err == ERR_NOT_FOUND ? no_link(fail) : err;
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
    struct db *db, struct str id, struct str token, struct arena *arena, struct alerts_link *ret,
    struct fail *fail)
{
    enum err err;
    *ret = (struct alerts_link){.all = str_starts(id, STR("acc_"))};
    if (ret->all) {
        err = find_all(db, id, arena, ret, fail);
    } else {
        err = alert_find(db, id, arena, &ret->alert, fail);
        ret->account_no = ret->alert.account_no;
        ret->account_id = ret->alert.account_id;
        ret->ended = ret->alert.state == ALERT_ENDED;
    }
    if (err)
        return err == ERR_NOT_FOUND ? no_link(fail) : err;
    return check_token(db, ret->account_no, id, token, arena, fail);
}

static enum err end_all(
    struct db *db, const struct account *account, int64_t now_ms, struct arena *arena,
    struct fail *fail)
{
    const struct actor visitor = ACTOR_VISITOR;
    struct alert_list list;
    enum err err = alert_list(db, account->no, arena, &list, fail);
    for (size_t i = 0; i < list.count && !err; i++)
        err = alert_set_state(db, list.items[i].no, ALERT_ENDED, now_ms, fail);
    return err ? err
               : action_log_account(
                     db, &visitor, ACTION_ALERTS_END_ALL, account->id, STR_NULL, now_ms, fail);
}

static enum err end_link(
    struct db *db, struct str id, struct str token, int64_t now_ms, struct arena *arena,
    struct fail *fail)
{
    const struct actor visitor = ACTOR_VISITOR;
    struct alerts_link link;
    struct account account;
    enum err err = alerts_link_find(db, id, token, arena, &link, fail);
    if (!err)
        err = account_lock_row(db, link.account_no, arena, &account, fail);
    if (!err)
        err = alerts_link_find(db, id, token, arena, &link, fail); /* under the lock */
    if (err || link.ended)
        return err;
    return link.all ? end_all(db, &account, now_ms, arena, fail)
                    : end_one(db, &visitor, &link.alert, &account, now_ms, arena, fail);
}

enum err alerts_link_end(
    struct db *db, struct str id, struct str token, int64_t now_ms, struct fail *fail)
{
    struct arena arena;
    arena_init(&arena);
    enum err err = end_link(db, id, token, now_ms, &arena, fail);
    arena_finish(&arena);
    return err;
}
