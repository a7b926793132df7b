/* What owners do with secrets of endpoints; see owner.h. */
#include "webhook/owner.h"

#include <assert.h>

#include "webhook/owner_parts.h"
#include "webhook/secret_check.h"

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
