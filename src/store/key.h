/*
 * API keys (spec 5). Only their SHA-256 is stored; the plaintext exists once, in the response to
 * minting. Functions that mint or revoke write the change notice `key` (key: the key's id); call
 * them inside a write transaction.
 */
#pragma once

#include "base/crypto.h"
#include "base/mem.h"
#include "core/api_key.h"
#include "core/plan.h"
#include "store/db/db.h"

enum { KEY_NAME_SIZE_MAX = 100, KEY_ID_SIZE = 20 };

struct key {
    int64_t no;
    struct str id; /* "key_" + 16 hex digits */
    uint8_t sha256[SHA256_SIZE];
    struct str prefix; /* first 12 characters of the plaintext */
    struct str name;
    int64_t created_at;
    int64_t last_used_at; /* INSTANT_NONE: never */
    int64_t revoked_at;   /* INSTANT_NONE: active */
    int64_t account_no;
    struct str account_id;
    enum plan plan;        /* the owner's */
    bool account_disabled; /* the owner is disabled */
};

/* Mints a key and writes its plaintext to `plaintext`, which the caller must wipe. ERR_LIMIT: the
 * plan's cap of active keys is reached, checked under a lock on the account. ERR_REFUSED: the
 * account is disabled. ERR_INVALID: the name is empty, too long or has control characters.
 * ERR_NOT_FOUND: no such account. Strings in *ret live in the arena. */
enum err key_mint(
    struct db *db, struct str email, struct str name, int64_t now_ms, struct arena *arena,
    char plaintext[static API_KEY_SIZE], struct key *ret, struct fail *fail) MUST_CHECK;

/* Like key_mint, with a given plaintext (demonstration data, tests). ERR_EXISTS: in use. */
enum err key_add(
    struct db *db, struct str email, struct str name, struct str plaintext, int64_t now_ms,
    struct arena *arena, struct key *ret, struct fail *fail) MUST_CHECK;

/* ERR_NOT_FOUND: no such key. Revoking a revoked key changes nothing. */
enum err key_revoke(struct db *db, struct str id, int64_t now_ms, struct fail *fail) MUST_CHECK;

/* Never moves backwards. Writes no change notice. */
enum err key_touch(struct db *db, int64_t no, int64_t used_at, struct fail *fail) MUST_CHECK;

enum err key_find(
    struct db *db, struct str id, struct arena *arena, struct key *ret,
    struct fail *fail) MUST_CHECK;

struct key_list {
    struct key *items;
    size_t count;
};

/* Newest first, including revoked keys. */
enum err key_list(
    struct db *db, int64_t account_no, struct arena *arena, struct key_list *ret,
    struct fail *fail) MUST_CHECK;

/* Visits every key, including revoked ones. Strings are valid during the call. */
typedef void key_visit(void *ctx, const struct key *key);
enum err key_each(struct db *db, key_visit *visit, void *ctx, struct fail *fail) MUST_CHECK;
