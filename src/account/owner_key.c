/* An owner's API keys; see owner_key.h. */
#include "account/owner_key.h"

#include "base/instant.h"
#include "store/account/account.h"

/* The log has the key's first 12 characters. Its name may be anything, also an e-mail address. */
static enum err note(
    struct db *db, const struct actor *actor, enum action action, const struct key *key,
    int64_t now_ms, struct fail *fail)
{
    return action_log_add(
        db, actor, action, key->account_id, STR("key"), key->id, key->prefix, now_ms, fail);
}

enum err owner_key_find(
    struct db *db, const struct actor *actor, struct str id, struct arena *arena, struct key *ret,
    struct fail *fail)
{
    enum err err = key_find(db, id, arena, ret, fail);
    bool may = actor->kind == ACTOR_KIND_OPERATOR ||
               (actor->kind == ACTOR_KIND_ACCOUNT && !err && ret->account_no == actor->account_no);
    if (!err && !may)
        return fail_set(fail, ERR_NOT_FOUND, "there is no key \"%.*s\"", STR_ARG(id));
    return err;
}

enum err owner_key_mint(
    struct db *db, const struct actor *actor, int64_t account_no, struct str name, int64_t now_ms,
    struct arena *arena, char plaintext[static API_KEY_SIZE], struct key *ret, struct fail *fail)
{
    struct account account;
    enum err err = account_lock_row(db, account_no, arena, &account, fail);
    if (!err)
        err = key_mint(db, account.email, name, now_ms, arena, plaintext, ret, fail);
    return err ? err : note(db, actor, ACTION_KEY_MINT, ret, now_ms, fail);
}

enum err owner_key_rename(
    struct db *db, const struct actor *actor, struct str id, struct str name, int64_t now_ms,
    struct arena *arena, struct key *ret, struct fail *fail)
{
    enum err err = owner_key_find(db, actor, id, arena, ret, fail);
    if (!err)
        err = key_rename(db, id, name, fail);
    if (!err && !str_eq(ret->name, name))
        err = note(db, actor, ACTION_KEY_RENAME, ret, now_ms, fail);
    return err ? err : key_find(db, id, arena, ret, fail);
}

enum err owner_key_revoke(
    struct db *db, const struct actor *actor, struct str id, int64_t now_ms, struct arena *arena,
    struct key *ret, struct fail *fail)
{
    enum err err = owner_key_find(db, actor, id, arena, ret, fail);
    if (err || ret->revoked_at != INSTANT_NONE)
        return err;
    err = key_revoke(db, id, now_ms, fail);
    if (!err)
        err = note(db, actor, ACTION_KEY_REVOKE, ret, now_ms, fail);
    return err ? err : key_find(db, id, arena, ret, fail);
}
