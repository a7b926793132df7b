/* Tests and replays by owners; see owner_send.h. */
#include "webhook/owner_send.h"

#include "store/row/change.h"
#include "webhook/trial.h"

/* The endpoint, if something can be sent to it. */
static enum err find_to_send(const struct act *act, struct str id, struct endpoint *ret)
{
    struct account account;
    TRY(owner_find(act, id, ret));
    TRY(account_find_id(act, ret->account_id, &account));
    if (account.disabled_at != INSTANT_NONE)
        return fail_set(
            act->fail, ERR_REFUSED, "the account of %.*s is disabled: nothing is sent to it",
            STR_ARG(id));
    return OK;
}

/* --- a test */

enum err owner_test(const struct act *act, void *work)
{
    struct owner_endpoint *is = work;
    struct account account;
    TRY(find_to_send(act, is->id, &is->endpoint));
    TRY(account_lock_no(act, is->endpoint.account_no, &account));
    TRY(delivery_test(
        act->db, is->id, trial_body(is->id, act->now_ms, act->arena), act->now_ms, is->delivery_id,
        act->fail));
    return owner_note(act, ACTION_ENDPOINT_TEST, &is->endpoint, str_from(is->delivery_id));
}

enum err owner_test_note(const struct act *act, void *work)
{
    struct owner_endpoint *is = work;
    TRY(owner_find(act, is->id, &is->endpoint));
    return owner_note(act, ACTION_ENDPOINT_TEST, &is->endpoint, STR("sent by the command"));
}

/* --- one again */

enum err owner_replay(const struct act *act, void *work)
{
    const struct str delivery_id = *(const struct str *)work;
    struct endpoint endpoint;
    struct str endpoint_id;
    enum err err = delivery_endpoint(act->db, delivery_id, act->arena, &endpoint_id, act->fail);
    if (!err)
        err = find_to_send(act, endpoint_id, &endpoint);
    if (err == ERR_NOT_FOUND)
        return fail_set(
            act->fail, ERR_NOT_FOUND, "there is no delivery \"%.*s\"", STR_ARG(delivery_id));
    if (!err)
        err = delivery_replay(act->db, delivery_id, act->now_ms, act->fail);
    return err ? err
               : action_log_add(
                     act, ACTION_DELIVERY_REPLAY, endpoint.account_id, STR("delivery"), delivery_id,
                     STR_NULL);
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

enum err owner_replays_count(const struct act *act, void *work)
{
    struct owner_replays *which = work;
    struct endpoint endpoint;
    TRY(owner_find(act, which->endpoint_id, &endpoint));
    const struct delivery_matching matching = matching_of(&endpoint, which);
    return delivery_count_matching(act->db, &matching, &which->count, act->fail);
}

enum err owner_replay_many(const struct act *act, void *work)
{
    struct owner_replays *which = work;
    struct endpoint endpoint;
    which->count = 0;
    TRY(find_to_send(act, which->endpoint_id, &endpoint));
    const struct delivery_matching matching = matching_of(&endpoint, which);
    enum err err = delivery_replay_start(act->db, &matching, act->now_ms, &which->count, act->fail);
    if (err || which->count == 0)
        return err;
    struct str detail = arena_fmt(
        act->arena, "%lld %.*s deliveries", (long long)which->count,
        STR_ARG(delivery_state_name(which->state)));
    TRY(owner_note(act, ACTION_DELIVERY_REPLAY_MANY, &endpoint, detail));
    return change_add(act->db, STR("endpoint"), endpoint.id, NULL, act->fail);
}
