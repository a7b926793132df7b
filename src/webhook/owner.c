/* Actions of owners on their endpoints; see owner.h. */
#include "webhook/owner.h"

#include "base/hidden.h"
#include "rule/event_type.h"
#include "store/account/account.h"
#include "webhook/owner_note.h"
#include "webhook/secret_check.h"

/* --- who may, and the log */

enum err owner_find(
    struct db *db, const struct actor *actor, struct str id, struct arena *arena,
    struct endpoint *ret, struct fail *fail)
{
    enum err err = endpoint_find(db, id, arena, ret, fail);
    if (!err && actor->kind != ACTOR_KIND_OPERATOR && ret->account_no != actor->account_no)
        err = fail_set(fail, ERR_NOT_FOUND, "there is no endpoint \"%.*s\"", STR_ARG(id));
    return err;
}

/* Read again under the lock: a transaction that was waited for may have changed it. */
enum err owner_take(
    struct db *db, const struct actor *actor, struct str id, struct arena *arena,
    struct endpoint *ret, struct account *ret_account, struct fail *fail)
{
    enum err err = owner_find(db, actor, id, arena, ret, fail);
    if (!err)
        err = account_lock_row(db, ret->account_no, arena, ret_account, fail);
    return err ? err : endpoint_find(db, id, arena, ret, fail);
}

enum err owner_note(
    struct db *db, const struct actor *actor, enum action action, const struct endpoint *endpoint,
    struct str detail, int64_t now_ms, struct fail *fail)
{
    return action_log_add(
        db, actor, action, endpoint->account_id, STR("endpoint"), endpoint->id, detail, now_ms,
        fail);
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
    struct db *db, const struct seal_key *key, const struct actor *actor,
    const struct owner_new *add, const struct account *account, const struct target *target,
    struct str description, const struct secret *secret, int64_t now_ms, struct arena *arena,
    struct str *ret_id, struct fail *fail)
{
    char id[ENDPOINT_ID_SIZE];
    uint8_t sealed[SECRET_SEALED_SIZE];
    struct endpoint endpoint;
    endpoint_id_make(id);
    *ret_id = arena_str(arena, str_of(id, sizeof id));
    secret_seal(key, *ret_id, secret, sealed);
    enum err err = endpoint_add(
        db, account->email, *ret_id, target->url, str_of((const char *)sealed, sizeof sealed),
        now_ms, fail);
    if (!err && !str_is_null(add->events))
        err = endpoint_set_events(db, *ret_id, add->events, now_ms, fail);
    if (!err && !str_is_null(description))
        err = endpoint_set_address(db, *ret_id, target->url, description, now_ms, fail);
    if (!err)
        err = endpoint_find(db, *ret_id, arena, &endpoint, fail);
    return err ? err
               : owner_note(db, actor, ACTION_ENDPOINT_ADD, &endpoint, target->host, now_ms, fail);
}

enum err owner_add(
    struct db *db, const struct seal_key *key, const struct actor *actor,
    const struct owner_new *add, const struct destination_rules *rules, int64_t now_ms,
    struct arena *arena, struct owner_added *ret, struct fail *fail)
{
    struct account account;
    struct target target;
    struct secret secret;
    struct str id, description;
    enum err err = destination_parse(rules, add->url, arena, &target, fail);
    if (!err && !str_is_null(add->events))
        err = check_events(add->events, fail);
    if (!err)
        err = owner_check_description(add->description, &description, fail);
    if (!err)
        err = account_lock_row(db, add->account_no, arena, &account, fail);
    if (err)
        return err;
    secret_make(&secret);
    err = insert(
        db, key, actor, add, &account, &target, description, &secret, now_ms, arena, &id, fail);
    if (!err)
        *ret = (struct owner_added){.id = id, .url = target.url, .secret = secret};
    secret_finish(&secret);
    return err;
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

static enum err change(
    struct db *db, const struct actor *actor, struct str id, struct str url, struct str text,
    const struct destination_rules *rules, int64_t now_ms, struct arena *arena, struct fail *fail)
{
    struct endpoint endpoint;
    struct account account;
    struct target target = {.url = STR_NULL};
    struct str description;
    enum err err = owner_take(db, actor, id, arena, &endpoint, &account, fail);
    if (!err && !str_is_null(url))
        err = destination_parse(rules, url, arena, &target, fail);
    if (!err)
        err = owner_check_description(
            str_is_null(text) ? endpoint.description : text, &description, fail);
    if (err)
        return err;
    struct str detail = change_detail(&endpoint, &target, description, arena);
    err = endpoint_set_address(
        db, id, str_is_null(url) ? endpoint.url : target.url, description, now_ms, fail);
    return err ? err
               : owner_note(
                     db, actor, ACTION_ENDPOINT_CHANGE, &endpoint, detail.n ? detail : STR_NULL,
                     now_ms, fail);
}

enum err owner_change(
    struct db *db, const struct actor *actor, struct str id, struct str url, struct str description,
    const struct destination_rules *rules, int64_t now_ms, struct fail *fail)
{
    struct arena arena;
    arena_init(&arena);
    enum err err = change(db, actor, id, url, description, rules, now_ms, &arena, fail);
    arena_finish(&arena);
    return err;
}

enum err owner_set_events(
    struct db *db, const struct actor *actor, struct str id, struct str events, int64_t now_ms,
    struct fail *fail)
{
    struct arena arena;
    struct endpoint endpoint;
    struct account account;
    arena_init(&arena);
    enum err err = owner_take(db, actor, id, &arena, &endpoint, &account, fail);
    if (!err)
        err = check_events(events, fail);
    if (!err)
        err = endpoint_set_events(db, id, events, now_ms, fail);
    if (!err)
        err = owner_note(db, actor, ACTION_ENDPOINT_SET_EVENTS, &endpoint, events, now_ms, fail);
    arena_finish(&arena);
    return err;
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
    struct db *db, const struct account *account, int64_t now_ms, struct arena *arena,
    struct owner_plan_effect *ret, struct fail *fail)
{
    uint32_t cap = plan_info(account->plan)->webhook_endpoints;
    struct endpoint_list all;
    enum err err = endpoint_list(db, account->email, arena, &all, fail);
    if (err)
        return err;
    *ret = (struct owner_plan_effect){list_of(arena, all.count), list_of(arena, all.count)};
    for (size_t i = 0; i < all.count && !err; i++) {
        const struct endpoint *endpoint = &all.items[i];
        bool fits = i < cap;
        if (!fits && endpoint->is.state == ENDPOINT_ENABLED) {
            err = endpoint_do(db, endpoint->id, ENDPOINT_PAUSE, now_ms, fail);
            keep(&ret->paused, endpoint);
        } else if (fits && endpoint->is.state == ENDPOINT_PAUSED) {
            err = endpoint_do(db, endpoint->id, ENDPOINT_RESUME, now_ms, fail);
            keep(&ret->resumed, endpoint);
        }
    }
    return err;
}

enum err owner_set_plan(
    struct db *db, struct str email, enum plan plan, int64_t now_ms, struct arena *arena,
    struct owner_plan_effect *ret, struct fail *fail)
{
    struct account account;
    enum err err = account_set_plan(db, email, plan, fail); /* locks the account */
    if (!err)
        err = account_find(db, email, arena, &account, fail);
    return err ? err : fit_cap(db, &account, now_ms, arena, ret, fail);
}

/* True if the endpoint is one of the oldest that the account's plan allows. */
static enum err check_fits(
    struct db *db, const struct account *account, const struct endpoint *endpoint,
    struct arena *arena, struct fail *fail)
{
    const struct plan_info *plan = plan_info(account->plan);
    struct endpoint_list all;
    enum err err = endpoint_list(db, account->email, arena, &all, fail);
    if (err)
        return err;
    for (size_t i = 0; i < all.count && i < plan->webhook_endpoints; i++)
        if (all.items[i].no == endpoint->no)
            return OK;
    return fail_set(
        fail, ERR_LIMIT, "the %.*s plan allows %u webhook endpoints, and there are older ones",
        STR_ARG(plan->name), plan->webhook_endpoints);
}

/* --- enabling, disabling, removing */

static enum err enable(
    struct db *db, const struct actor *actor, struct str id, const struct destination_rules *rules,
    int64_t now_ms, struct arena *arena, struct fail *fail)
{
    struct endpoint endpoint;
    struct account account;
    struct target target;
    enum err err = owner_take(db, actor, id, arena, &endpoint, &account, fail);
    if (!err)
        err = destination_parse(rules, endpoint.url, arena, &target, fail);
    if (!err)
        err = account_lock(db, endpoint.account_email, arena, &account, fail);
    if (!err && endpoint.is.state != ENDPOINT_PAUSED) /* endpoint_do rejects a paused one */
        err = check_fits(db, &account, &endpoint, arena, fail);
    if (!err)
        err = secret_check_kept(&endpoint, fail);
    if (!err)
        err = endpoint_do(db, id, ENDPOINT_ENABLE, now_ms, fail);
    return err ? err
               : owner_note(db, actor, ACTION_ENDPOINT_ENABLE, &endpoint, STR_NULL, now_ms, fail);
}

enum err owner_enable(
    struct db *db, const struct actor *actor, struct str id, const struct destination_rules *rules,
    int64_t now_ms, struct fail *fail)
{
    struct arena arena;
    arena_init(&arena);
    enum err err = enable(db, actor, id, rules, now_ms, &arena, fail);
    arena_finish(&arena);
    return err;
}

enum err owner_disable(
    struct db *db, const struct actor *actor, struct str id, int64_t now_ms, struct fail *fail)
{
    struct arena arena;
    struct endpoint endpoint;
    struct account account;
    arena_init(&arena);
    enum err err = owner_take(db, actor, id, &arena, &endpoint, &account, fail);
    if (!err)
        err = endpoint_do(db, id, ENDPOINT_DISABLE, now_ms, fail);
    if (!err)
        err = owner_note(db, actor, ACTION_ENDPOINT_DISABLE, &endpoint, STR_NULL, now_ms, fail);
    arena_finish(&arena);
    return err;
}

static enum err remove_and_fit(
    struct db *db, const struct actor *actor, struct str id, int64_t now_ms, struct arena *arena,
    struct fail *fail)
{
    struct endpoint endpoint;
    struct account account;
    struct owner_plan_effect effect;
    enum err err = owner_take(db, actor, id, arena, &endpoint, &account, fail);
    if (!err)
        err = endpoint_do(db, id, ENDPOINT_DELETE, now_ms, fail);
    if (!err)
        err = owner_note(db, actor, ACTION_ENDPOINT_REMOVE, &endpoint, STR_NULL, now_ms, fail);
    /* While the account is disabled, none of its endpoints gets deliveries. */
    if (err || account.disabled_at != INSTANT_NONE)
        return err;
    return fit_cap(db, &account, now_ms, arena, &effect, fail);
}

enum err owner_remove(
    struct db *db, const struct actor *actor, struct str id, int64_t now_ms, struct fail *fail)
{
    struct arena arena;
    arena_init(&arena);
    enum err err = remove_and_fit(db, actor, id, now_ms, &arena, fail);
    arena_finish(&arena);
    return err;
}
