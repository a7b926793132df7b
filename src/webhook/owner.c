/* Actions of owners on their endpoints; see owner.h. */
#include "webhook/owner.h"

#include <assert.h>

#include "base/hidden.h"
#include "rule/event_type.h"

/* --- who may, and the log */

enum err owner_find(const struct act *act, struct str id, struct endpoint *ret)
{
    TRY(endpoint_find(act, id, ret));
    if (act->actor->kind != ACTOR_KIND_OPERATOR && ret->account_no != act->actor->account_no)
        return fail_set(act->fail, ERR_NOT_FOUND, "there is no endpoint \"%.*s\"", STR_ARG(id));
    return OK;
}

/* Read again under the lock: a transaction that was waited for may have changed it. */
static enum err owner_take(
    const struct act *act, struct owner_endpoint *is, struct account *ret_account)
{
    TRY(owner_find(act, is->id, &is->endpoint));
    TRY(account_lock_row(act, is->endpoint.account_no, ret_account));
    return endpoint_find(act, is->id, &is->endpoint);
}

enum err owner_note(
    const struct act *act, enum action action, const struct endpoint *endpoint, struct str detail)
{
    return action_log_add(act, action, endpoint->account_id, STR("endpoint"), endpoint->id, detail);
}

/* The same, and reads the endpoint again. */
static enum err owner_done(
    const struct act *act, struct owner_endpoint *is, enum action action, struct str detail)
{
    TRY(owner_note(act, action, &is->endpoint, detail));
    return endpoint_find(act, is->id, &is->endpoint);
}

/* --- adding and changing */

enum err owner_check_description(struct str text, struct str *ret, struct fail *fail)
{
    struct str trimmed = str_is_null(text) ? text : str_trim(text);
    *ret = trimmed.n ? trimmed : STR_NULL;
    if (trimmed.n > ENDPOINT_DESCRIPTION_MAX)
        return fail_set(
            fail, ERR_INVALID, "a description has at most %d bytes", ENDPOINT_DESCRIPTION_MAX);
    if (trimmed.n && !hidden_free_line(trimmed))
        return fail_set(fail, ERR_INVALID, "a description is one line without hidden characters");
    return OK;
}

static enum err check_events(struct str events, struct fail *fail)
{
    if (!event_types_are_valid(events))
        return fail_set(fail, ERR_INVALID, "\"%.*s\" is not a list of events", STR_ARG(events));
    return OK;
}

static enum err insert(
    const struct act *act, struct owner_endpoint *is, const struct account *account,
    const struct target *target, struct str description)
{
    char id[ENDPOINT_ID_SIZE];
    uint8_t sealed[SECRET_SEALED_SIZE];
    endpoint_id_make(id);
    is->id = arena_str(act->arena, str_of(id, sizeof id));
    secret_seal(is->key, is->id, &is->secret, sealed);
    TRY(endpoint_add(
        act, account->email, is->id, target->url, str_of((const char *)sealed, sizeof sealed)));
    if (!str_is_null(is->events))
        TRY(endpoint_set_events(act, is->id, is->events));
    if (!str_is_null(description))
        TRY(endpoint_set_address(act, is->id, target->url, description));
    TRY(endpoint_find(act, is->id, &is->endpoint));
    return owner_note(act, ACTION_ENDPOINT_ADD, &is->endpoint, target->host);
}

enum err owner_add(const struct act *act, void *work)
{
    struct owner_endpoint *is = work;
    struct account account;
    struct target target;
    struct str description;
    TRY(destination_parse(is->rules, is->url, act->arena, &target, act->fail));
    if (!str_is_null(is->events))
        TRY(check_events(is->events, act->fail));
    TRY(owner_check_description(is->description, &description, act->fail));
    TRY(account_lock_row(act, is->account_no, &account));
    secret_make(&is->secret);
    return insert(act, is, &account, &target, description);
}

/* "address example.org, description": what the log says of a change. */
static struct str change_detail(
    const struct endpoint *endpoint, const struct target *target, struct str description,
    struct arena *arena)
{
    bool moved = !str_is_null(target->url) && !str_eq(target->url, endpoint->url);
    bool described = !str_eq(description, endpoint->description);
    return arena_fmt(
        arena, "%s%.*s%s%s", moved ? "address " : "", (int)(moved ? target->host.n : 0),
        moved ? target->host.p : "", moved && described ? ", " : "",
        described ? "description" : "");
}

enum err owner_change(const struct act *act, void *work)
{
    struct owner_endpoint *is = work;
    const struct endpoint *old = &is->endpoint;
    struct account account;
    struct target target = {.url = STR_NULL};
    struct str description;
    TRY(owner_take(act, is, &account));
    if (!str_is_null(is->url))
        TRY(destination_parse(is->rules, is->url, act->arena, &target, act->fail));
    TRY(owner_check_description(
        str_is_null(is->description) ? old->description : is->description, &description,
        act->fail));
    struct str detail = change_detail(old, &target, description, act->arena);
    TRY(endpoint_set_address(
        act, is->id, str_is_null(is->url) ? old->url : target.url, description));
    return owner_done(act, is, ACTION_ENDPOINT_CHANGE, detail.n ? detail : STR_NULL);
}

enum err owner_set_events(const struct act *act, void *work)
{
    struct owner_endpoint *is = work;
    struct account account;
    TRY(owner_take(act, is, &account));
    TRY(check_events(is->events, act->fail));
    TRY(endpoint_set_events(act, is->id, is->events));
    return owner_done(act, is, ACTION_ENDPOINT_SET_EVENTS, is->events);
}

/* --- the plan's cap */

/* A list with room for `max`; keep() fills it. */
static struct endpoint_list list_of(struct arena *arena, size_t max)
{
    return (struct endpoint_list){.items = ARENA_ARRAY(arena, struct endpoint, max + 1)};
}

static void keep(struct endpoint_list *list, const struct endpoint *endpoint)
{
    list->items[list->count++] = *endpoint;
}

/* Pauses enabled endpoints above the cap and resumes paused ones below it. An endpoint disabled by
 * its owner or by ten failures stays disabled; enabling it checks the cap. */
static enum err fit_cap(
    const struct act *act, const struct account *account, struct owner_plan_effect *ret)
{
    uint32_t cap = plan_info(account->plan)->webhook_endpoints;
    struct endpoint_list all;
    enum err err = endpoint_list(act, account->email, &all);
    if (err)
        return err;
    *ret =
        (struct owner_plan_effect){list_of(act->arena, all.count), list_of(act->arena, all.count)};
    for (size_t i = 0; i < all.count && !err; i++) {
        const struct endpoint *endpoint = &all.items[i];
        bool fits = i < cap;
        if (!fits && endpoint->is.state == ENDPOINT_ENABLED) {
            err = endpoint_do(act, endpoint->id, ENDPOINT_PAUSE);
            keep(&ret->paused, endpoint);
        } else if (fits && endpoint->is.state == ENDPOINT_PAUSED) {
            err = endpoint_do(act, endpoint->id, ENDPOINT_RESUME);
            keep(&ret->resumed, endpoint);
        }
    }
    return err;
}

enum err owner_set_plan(
    const struct act *act, struct str email, enum plan plan, struct owner_plan_effect *ret)
{
    struct account account;
    TRY(account_set_plan(act, email, plan)); /* locks the account */
    TRY(account_find(act, email, &account));
    return fit_cap(act, &account, ret);
}

/* True if the endpoint is one of the oldest that the account's plan allows. */
static enum err check_fits(
    const struct act *act, const struct account *account, const struct endpoint *endpoint)
{
    const struct plan_info *plan = plan_info(account->plan);
    struct endpoint_list all;
    TRY(endpoint_list(act, account->email, &all));
    for (size_t i = 0; i < all.count && i < plan->webhook_endpoints; i++)
        if (all.items[i].no == endpoint->no)
            return OK;
    return fail_set(
        act->fail, ERR_LIMIT, "the %.*s plan allows %u webhook endpoints, and there are older ones",
        STR_ARG(plan->name), plan->webhook_endpoints);
}

/* --- enabling, disabling, removing */

enum err owner_enable(const struct act *act, void *work)
{
    struct owner_endpoint *is = work;
    const struct endpoint *endpoint = &is->endpoint;
    struct account account;
    struct target target;
    TRY(owner_take(act, is, &account));
    TRY(destination_parse(is->rules, endpoint->url, act->arena, &target, act->fail));
    TRY(account_lock(act, endpoint->account_email, &account));
    if (endpoint->is.state != ENDPOINT_PAUSED) /* endpoint_do rejects a paused one */
        TRY(check_fits(act, &account, endpoint));
    TRY(secret_check_kept(endpoint, act->fail));
    TRY(endpoint_do(act, is->id, ENDPOINT_ENABLE));
    return owner_done(act, is, ACTION_ENDPOINT_ENABLE, STR_NULL);
}

enum err owner_disable(const struct act *act, void *work)
{
    struct owner_endpoint *is = work;
    struct account account;
    TRY(owner_take(act, is, &account));
    TRY(endpoint_do(act, is->id, ENDPOINT_DISABLE));
    return owner_done(act, is, ACTION_ENDPOINT_DISABLE, STR_NULL);
}

enum err owner_remove(const struct act *act, void *work)
{
    struct owner_endpoint *is = work;
    struct account account;
    struct owner_plan_effect effect;
    enum err err = owner_take(act, is, &account);
    if (!err)
        err = endpoint_do(act, is->id, ENDPOINT_DELETE);
    if (!err)
        err = owner_note(act, ACTION_ENDPOINT_REMOVE, &is->endpoint, STR_NULL);
    /* While the account is disabled, none of its endpoints gets deliveries. */
    if (err || account.disabled_at != INSTANT_NONE)
        return err;
    return fit_cap(act, &account, &effect);
}

/* --- secrets */

enum err owner_rotate(const struct act *act, void *work)
{
    struct owner_endpoint *is = work;
    struct account account;
    uint8_t sealed[SECRET_SEALED_SIZE];
    int64_t grace_hours = is->grace_hours;
    assert(grace_hours >= 0 && grace_hours <= DELIVERY_GRACE_HOURS_MAX);
    TRY(owner_take(act, is, &account));
    bool lost = secret_check_kept(&is->endpoint, NULL) != OK;
    enum err err = lost ? OK : secret_check(is->key, &is->endpoint, act->fail);
    if (err && !is->force)
        return err;
    if (lost || err) /* there is no old secret to sign with */
        grace_hours = 0;
    secret_make(&is->secret);
    secret_seal(is->key, is->id, &is->secret, sealed);
    err = endpoint_rotate(
        act, is->id, str_of((const char *)sealed, sizeof sealed),
        grace_hours ? act->now_ms + grace_hours * HOUR_MS : INSTANT_NONE, is->force);
    struct str detail = arena_fmt(
        act->arena, "the old secret signs for %lld hours%s", (long long)grace_hours,
        is->force ? ", forced" : "");
    return err ? err : owner_done(act, is, ACTION_ENDPOINT_ROTATE, detail);
}

enum err owner_reveal(const struct act *act, void *work)
{
    struct owner_endpoint *is = work;
    TRY(owner_find(act, is->id, &is->endpoint));
    TRY(secret_check(is->key, &is->endpoint, act->fail));
    TRY(secret_open(is->key, is->id, is->endpoint.secret_sealed, &is->secret, act->fail));
    return owner_note(act, ACTION_ENDPOINT_REVEAL, &is->endpoint, STR_NULL);
}

enum err owner_end_overlap(const struct act *act, void *work)
{
    struct owner_endpoint *is = work;
    struct account account;
    TRY(owner_take(act, is, &account));
    TRY(endpoint_end_overlap(act, is->id));
    return owner_done(act, is, ACTION_ENDPOINT_END_OVERLAP, STR_NULL);
}
