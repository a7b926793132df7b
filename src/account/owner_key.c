/* An owner's API keys; see owner_key.h. */
#include "account/owner_key.h"

#include "base/instant.h"
#include "store/account/account.h"

/* The log has the key's first 12 characters. Its name may be anything, also an e-mail address. */
static enum err note(const struct act *act, enum action action, const struct key *key)
{
    return action_log_add(act, action, key->account_id, STR("key"), key->id, key->prefix);
}

enum err owner_key_find(const struct act *act, struct str id, struct key *ret)
{
    enum err err = key_find(act, id, ret);
    bool may = act->actor->kind == ACTOR_KIND_OPERATOR ||
               (act->actor->kind == ACTOR_KIND_ACCOUNT && !err &&
                ret->account_no == act->actor->account_no);
    if (!err && !may)
        return fail_set(act->fail, ERR_NOT_FOUND, "there is no key \"%.*s\"", STR_ARG(id));
    return err;
}

enum err owner_key_mint(const struct act *act, void *work)
{
    struct owner_key *is = work;
    struct account account = {.no = is->account_no};
    TRY(is->account_no ? OK : account_find(act, is->email, &account));
    TRY(account_lock_row(act, account.no, &account));
    TRY(key_mint(act, account.email, is->kind, is->name, is->plaintext, &is->key));
    return note(act, ACTION_KEY_MINT, &is->key);
}

/* A change would give its digest to whatever the row has. */
static enum err find_whole(const struct act *act, struct owner_key *is)
{
    TRY(owner_key_find(act, is->id, &is->key));
    return is->key.damaged
               ? fail_set(
                     act->fail, ERR_CORRUPT,
                     "key %.*s is damaged: its row, or that of its account, does not match its "
                     "digest. It opens nothing",
                     STR_ARG(is->id))
               : OK;
}

enum err owner_key_rename(const struct act *act, void *work)
{
    struct owner_key *is = work;
    TRY(find_whole(act, is));
    TRY(key_rename(act, is->id, is->name));
    if (!str_eq(is->key.name, is->name))
        TRY(note(act, ACTION_KEY_RENAME, &is->key));
    return key_find(act, is->id, &is->key);
}

enum err owner_key_revoke(const struct act *act, void *work)
{
    struct owner_key *is = work;
    enum err err = find_whole(act, is);
    if (err || is->key.revoked_at != INSTANT_NONE)
        return err;
    TRY(key_revoke(act, is->id));
    TRY(note(act, ACTION_KEY_REVOKE, &is->key));
    return key_find(act, is->id, &is->key);
}
