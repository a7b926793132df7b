/* Actions of owners on their endpoints; see owner.h. */
#include "webhook/owner.h"

#include <assert.h>

#include "core/event_type.h"
#include "store/account.h"
#include "webhook/secret_check.h"

/* --- adding */

enum err owner_add(
    struct db *db, const struct seal_key *key, struct str email, struct str url,
    const struct destination_rules *rules, int64_t now_ms, struct arena *arena,
    struct owner_added *ret, struct fail *fail)
{
    struct target target;
    struct secret secret;
    char id[ENDPOINT_ID_SIZE];
    uint8_t sealed[SECRET_SEALED_SIZE];
    enum err err = destination_parse(rules, url, arena, &target, fail);
    if (err)
        return err;
    endpoint_id_make(id);
    secret_make(&secret);
    secret_seal(key, str_of(id, sizeof id), &secret, sealed);
    err = endpoint_add(
        db, email, str_of(id, sizeof id), target.url, str_of((const char *)sealed, sizeof sealed),
        now_ms, fail);
    if (!err)
        *ret = (struct owner_added){
            .id = arena_str(arena, str_of(id, sizeof id)), .url = target.url, .secret = secret};
    secret_finish(&secret);
    return err;
}

enum err owner_set_events(
    struct db *db, struct str id, struct str events, int64_t now_ms, struct fail *fail)
{
    if (!event_types_are_valid(events))
        return fail_set(fail, ERR_INVALID, "\"%.*s\" is not a list of events", STR_ARG(events));
    return endpoint_set_events(db, id, events, now_ms, fail);
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
    struct db *db, struct str id, int64_t now_ms, struct arena *arena, struct fail *fail)
{
    struct endpoint endpoint;
    struct account account;
    enum err err = endpoint_find(db, id, arena, &endpoint, fail);
    if (!err)
        err = account_lock(db, endpoint.account_email, arena, &account, fail);
    if (!err && endpoint.is.state != ENDPOINT_PAUSED) /* endpoint_do rejects a paused one */
        err = check_fits(db, &account, &endpoint, arena, fail);
    return err ? err : endpoint_do(db, id, ENDPOINT_ENABLE, now_ms, fail);
}

enum err owner_enable(struct db *db, struct str id, int64_t now_ms, struct fail *fail)
{
    struct arena arena;
    arena_init(&arena);
    enum err err = enable(db, id, now_ms, &arena, fail);
    arena_finish(&arena);
    return err;
}

enum err owner_disable(struct db *db, struct str id, int64_t now_ms, struct fail *fail)
{
    return endpoint_do(db, id, ENDPOINT_DISABLE, now_ms, fail);
}

static enum err remove_and_fit(
    struct db *db, struct str id, int64_t now_ms, struct arena *arena, struct fail *fail)
{
    struct endpoint endpoint;
    struct account account;
    struct owner_plan_effect effect;
    enum err err = endpoint_find(db, id, arena, &endpoint, fail);
    if (!err)
        err = endpoint_do(db, id, ENDPOINT_DELETE, now_ms, fail);
    if (err)
        return err;
    err = account_lock(db, endpoint.account_email, arena, &account, fail);
    if (err == ERR_REFUSED) /* the account is disabled: none of its endpoints gets deliveries */
        return OK;
    return err ? err : fit_cap(db, &account, now_ms, arena, &effect, fail);
}

enum err owner_remove(struct db *db, struct str id, int64_t now_ms, struct fail *fail)
{
    struct arena arena;
    arena_init(&arena);
    enum err err = remove_and_fit(db, id, now_ms, &arena, fail);
    arena_finish(&arena);
    return err;
}

/* --- a new secret */

static enum err rotate(
    struct db *db, const struct seal_key *key, struct str id, int64_t grace_hours, int64_t now_ms,
    const struct secret *secret, struct arena *arena, struct fail *fail)
{
    struct endpoint endpoint;
    uint8_t sealed[SECRET_SEALED_SIZE];
    enum err err = endpoint_find(db, id, arena, &endpoint, fail);
    if (!err)
        err = secret_check(key, &endpoint, fail);
    if (err)
        return err;
    secret_seal(key, id, secret, sealed);
    return endpoint_rotate(
        db, id, str_of((const char *)sealed, sizeof sealed),
        grace_hours ? now_ms + grace_hours * HOUR_MS : INSTANT_NONE, now_ms, fail);
}

enum err owner_rotate(
    struct db *db, const struct seal_key *key, struct str id, int64_t grace_hours, int64_t now_ms,
    struct secret *ret, struct fail *fail)
{
    struct arena arena;
    struct secret secret;
    assert(grace_hours >= 0 && grace_hours <= DELIVERY_GRACE_HOURS_MAX);
    arena_init(&arena);
    secret_make(&secret);
    enum err err = rotate(db, key, id, grace_hours, now_ms, &secret, &arena, fail);
    if (!err)
        *ret = secret;
    secret_finish(&secret);
    arena_finish(&arena);
    return err;
}
