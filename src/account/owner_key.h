/*
 * What owners do with their API keys (spec 5, decision 22): mint, rename, revoke. Call these inside
 * a write transaction; each writes a row of the action log. An owner reaches only their own keys:
 * another's is ERR_NOT_FOUND, like one that does not exist, after the same look-up.
 */
#pragma once

#include "store/account/action_log.h"
#include "store/account/key.h"

/* What an action on a key is about, and what comes of it. */
struct owner_key {
    int64_t account_no; /* of a new key; 0: of the account of `email` */
    struct str email;
    struct str id; /* of a key there is */
    struct str name;
    enum key_kind kind;           /* of a new key */
    char plaintext[API_KEY_SIZE]; /* of a new key; the caller wipes it */
    struct key key;               /* afterwards, in the arena */
};

/* Each over a struct owner_key. Mint: errors as in key_mint. Rename: ERR_INVALID, not a name.
 * Revoking a revoked key changes nothing. */
act_run owner_key_mint, owner_key_rename, owner_key_revoke;

/* Also outside of a transaction. */
enum err owner_key_find(const struct act *act, struct str id, struct key *ret);
