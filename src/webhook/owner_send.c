/* Tests and replays by owners; see owner_send.h. */
#include "webhook/owner_send.h"

#include "store/account/account.h"
#include "store/row/change.h"
#include "webhook/owner_note.h"
#include "webhook/trial.h"

/* The endpoint, if something can be sent to it. */
static enum err find_to_send(
    struct db *db, const struct actor *actor, struct str id, struct arena *arena,
    struct endpoint *ret, struct fail *fail)
{
    struct account account;
    enum err err = owner_find(db, actor, id, arena, ret, fail);
    if (!err)
        err = account_find_id(db, ret->account_id, arena, &account, fail);
    if (!err && account.disabled_at != INSTANT_NONE)
        err = fail_set(
            fail, ERR_REFUSED, "the account of %.*s is disabled: nothing is sent to it",
            STR_ARG(id));
    return err;
}

/* --- a test */

enum err owner_test(
    struct db *db, const struct actor *actor, struct str endpoint_id, int64_t now_ms,
    char ret_id[static DELIVERY_ID_MAX], struct fail *fail)
{
    struct arena arena;
    struct endpoint endpoint;
    struct account account;
    arena_init(&arena);
    enum err err = find_to_send(db, actor, endpoint_id, &arena, &endpoint, fail);
    if (!err)
        err = account_lock_no(db, endpoint.account_no, &arena, &account, fail);
    if (!err)
        err = delivery_test(
            db, endpoint_id, trial_body(endpoint_id, now_ms, &arena), now_ms, ret_id, fail);
    if (!err)
        err =
            owner_note(db, actor, ACTION_ENDPOINT_TEST, &endpoint, str_from(ret_id), now_ms, fail);
    arena_finish(&arena);
    return err;
}

enum err owner_test_note(
    struct db *db, const struct actor *actor, struct str endpoint_id, int64_t now_ms,
    struct fail *fail)
{
    struct arena arena;
    struct endpoint endpoint;
    arena_init(&arena);
    enum err err = owner_find(db, actor, endpoint_id, &arena, &endpoint, fail);
    if (!err)
        err = owner_note(
            db, actor, ACTION_ENDPOINT_TEST, &endpoint, STR("sent by the command"), now_ms, fail);
    arena_finish(&arena);
    return err;
}

/* --- one again */

static enum err replay(
    struct db *db, const struct actor *actor, struct str delivery_id, int64_t now_ms,
    struct arena *arena, struct fail *fail)
{
    struct endpoint endpoint;
    struct str endpoint_id;
    enum err err = delivery_endpoint(db, delivery_id, arena, &endpoint_id, fail);
    if (!err)
        err = find_to_send(db, actor, endpoint_id, arena, &endpoint, fail);
    if (err == ERR_NOT_FOUND)
        return fail_set(fail, ERR_NOT_FOUND, "there is no delivery \"%.*s\"", STR_ARG(delivery_id));
    if (!err)
        err = delivery_replay(db, delivery_id, now_ms, fail);
    return err ? err
               : action_log_add(
                     db, actor, ACTION_DELIVERY_REPLAY, endpoint.account_id, STR("delivery"),
                     delivery_id, STR_NULL, now_ms, fail);
}

enum err owner_replay(
    struct db *db, const struct actor *actor, struct str delivery_id, int64_t now_ms,
    struct fail *fail)
{
    struct arena arena;
    arena_init(&arena);
    enum err err = replay(db, actor, delivery_id, now_ms, &arena, fail);
    arena_finish(&arena);
    return err;
}

/* --- many again */

static struct delivery_matching matching_of(
    const struct endpoint *endpoint, const struct owner_replays *which)
{
    return (struct delivery_matching){
        .endpoint_no = endpoint->no,
        .state = which->state,
        .since = which->since,
        .until = which->until,
    };
}

enum err owner_replays_count(
    struct db *db, const struct actor *actor, struct str endpoint_id,
    const struct owner_replays *which, int64_t *ret, struct fail *fail)
{
    struct arena arena;
    struct endpoint endpoint;
    arena_init(&arena);
    enum err err = owner_find(db, actor, endpoint_id, &arena, &endpoint, fail);
    if (!err) {
        const struct delivery_matching matching = matching_of(&endpoint, which);
        err = delivery_count_matching(db, &matching, ret, fail);
    }
    arena_finish(&arena);
    return err;
}

static enum err start(
    struct db *db, const struct actor *actor, const struct endpoint *endpoint,
    const struct owner_replays *which, int64_t now_ms, int64_t *ret, struct arena *arena,
    struct fail *fail)
{
    const struct delivery_matching matching = matching_of(endpoint, which);
    enum err err = delivery_replay_start(db, &matching, now_ms, ret, fail);
    if (err || *ret == 0)
        return err;
    struct str detail = arena_fmt(
        arena, "%lld %.*s deliveries", (long long)*ret, STR_ARG(delivery_state_name(which->state)));
    err = owner_note(db, actor, ACTION_DELIVERY_REPLAY_MANY, endpoint, detail, now_ms, fail);
    return err ? err : change_add(db, STR("endpoint"), endpoint->id, NULL, fail);
}

enum err owner_replay_many(
    struct db *db, const struct actor *actor, struct str endpoint_id,
    const struct owner_replays *which, int64_t now_ms, int64_t *ret, struct fail *fail)
{
    struct arena arena;
    struct endpoint endpoint;
    arena_init(&arena);
    *ret = 0;
    enum err err = find_to_send(db, actor, endpoint_id, &arena, &endpoint, fail);
    if (!err)
        err = start(db, actor, &endpoint, which, now_ms, ret, &arena, fail);
    arena_finish(&arena);
    return err;
}
