/* What owners do with secrets of endpoints; see owner.h. */
#include "webhook/owner.h"

#include <assert.h>

#include "webhook/owner_note.h"
#include "webhook/secret_check.h"

static enum err rotate(
    struct db *db, const struct seal_key *key, const struct actor *actor, struct str id,
    int64_t grace_hours, bool force, int64_t now_ms, const struct secret *secret,
    struct arena *arena, struct fail *fail)
{
    struct endpoint endpoint;
    struct account account;
    uint8_t sealed[SECRET_SEALED_SIZE];
    enum err err = owner_take(db, actor, id, arena, &endpoint, &account, fail);
    if (err)
        return err;
    bool lost = secret_check_kept(&endpoint, NULL) != OK;
    err = lost ? OK : secret_check(key, &endpoint, fail);
    if (err && !force)
        return err;
    if (lost || err) /* there is no old secret to sign with */
        grace_hours = 0;
    secret_seal(key, id, secret, sealed);
    err = endpoint_rotate(
        db, id, str_of((const char *)sealed, sizeof sealed),
        grace_hours ? now_ms + grace_hours * HOUR_MS : INSTANT_NONE, force, now_ms, fail);
    struct str detail = arena_fmt(
        arena, "the old secret signs for %lld hours%s", (long long)grace_hours,
        force ? ", forced" : "");
    return err ? err
               : owner_note(db, actor, ACTION_ENDPOINT_ROTATE, &endpoint, detail, now_ms, fail);
}

enum err owner_rotate(
    struct db *db, const struct seal_key *key, const struct actor *actor, struct str id,
    int64_t grace_hours, bool force, int64_t now_ms, struct secret *ret, struct fail *fail)
{
    struct arena arena;
    struct secret secret;
    assert(grace_hours >= 0 && grace_hours <= DELIVERY_GRACE_HOURS_MAX);
    arena_init(&arena);
    secret_make(&secret);
    enum err err = rotate(db, key, actor, id, grace_hours, force, now_ms, &secret, &arena, fail);
    if (!err)
        *ret = secret;
    secret_finish(&secret);
    arena_finish(&arena);
    return err;
}

static enum err reveal(
    struct db *db, const struct seal_key *key, const struct actor *actor, struct str id,
    int64_t now_ms, struct secret *secret, struct arena *arena, struct fail *fail)
{
    struct endpoint endpoint;
    enum err err = owner_find(db, actor, id, arena, &endpoint, fail);
    if (!err)
        err = secret_check(key, &endpoint, fail);
    if (!err)
        err = secret_open(key, id, endpoint.secret_sealed, secret, fail);
    return err ? err
               : owner_note(db, actor, ACTION_ENDPOINT_REVEAL, &endpoint, STR_NULL, now_ms, fail);
}

enum err owner_reveal(
    struct db *db, const struct seal_key *key, const struct actor *actor, struct str id,
    int64_t now_ms, struct secret *ret, struct fail *fail)
{
    struct arena arena;
    struct secret secret = {{0}};
    arena_init(&arena);
    enum err err = reveal(db, key, actor, id, now_ms, &secret, &arena, fail);
    if (!err)
        *ret = secret;
    secret_finish(&secret);
    arena_finish(&arena);
    return err;
}

enum err owner_end_overlap(
    struct db *db, const struct actor *actor, struct str id, int64_t now_ms, struct fail *fail)
{
    struct arena arena;
    struct endpoint endpoint;
    struct account account;
    arena_init(&arena);
    enum err err = owner_take(db, actor, id, &arena, &endpoint, &account, fail);
    if (!err)
        err = endpoint_end_overlap(db, id, now_ms, fail);
    if (!err)
        err = owner_note(db, actor, ACTION_ENDPOINT_END_OVERLAP, &endpoint, STR_NULL, now_ms, fail);
    arena_finish(&arena);
    return err;
}
