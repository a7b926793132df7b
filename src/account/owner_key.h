/*
 * What owners do with their API keys (spec 5, decision 22): mint, rename, revoke. Call these inside
 * a write transaction; each writes a row of the action log. An owner reaches only their own keys:
 * another's is ERR_NOT_FOUND, like one that does not exist, after the same look-up.
 */
#pragma once

#include "store/account/action_log.h"
#include "store/account/key.h"

/* Mints a key for the account and writes its plaintext, which the caller must
 * wipe. Errors: see key_mint. */
enum err owner_key_mint(
    struct db *db, const struct actor *actor, int64_t account_no, struct str name, int64_t now_ms,
    struct arena *arena, char plaintext[static API_KEY_SIZE], struct key *ret,
    struct fail *fail) MUST_CHECK;

/* ERR_INVALID: not a name. */
enum err owner_key_rename(
    struct db *db, const struct actor *actor, struct str id, struct str name, int64_t now_ms,
    struct arena *arena, struct key *ret, struct fail *fail) MUST_CHECK;

/* Revoking a revoked key changes nothing. */
enum err owner_key_revoke(
    struct db *db, const struct actor *actor, struct str id, int64_t now_ms, struct arena *arena,
    struct key *ret, struct fail *fail) MUST_CHECK;

/* Also outside of a transaction. */
enum err owner_key_find(
    struct db *db, const struct actor *actor, struct str id, struct arena *arena, struct key *ret,
    struct fail *fail) MUST_CHECK;
