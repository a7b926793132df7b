/*
 * API keys (spec 5). Only their SHA-256 is stored; the plaintext exists once, in the response to
 * minting. Functions that mint or revoke write the change notice `key` (key: the key's id); call
 * them inside a write transaction.
 */
#pragma once

#include "rule/api_key.h"
#include "rule/plan.h"
#include "store/row/act.h"

enum { KEY_NAME_SIZE_MAX = 100, KEY_ID_SIZE = 20, KEY_IDLE_DAYS = 30 };

struct key {
    int64_t no;
    struct str id; /* "key_" + 16 hex digits */
    uint8_t sha256[SHA256_SIZE];
    struct str prefix; /* first 12 characters of the plaintext */
    enum key_kind kind;
    struct str name;
    int64_t created_at;
    int64_t last_used_at;     /* INSTANT_NONE: never */
    struct str last_used_for; /* path as in the reference; null: never, or no such path */
    int64_t revoked_at;       /* INSTANT_NONE: active */
    int64_t account_no;
    struct str account_id;
    enum plan plan;        /* the owner's */
    bool account_disabled; /* the owner is disabled */
    bool damaged;          /* the columns of the key, or of its owner, do not give their digest */
};

/* Active, and not used for KEY_IDLE_DAYS, nor created in that time. */
bool key_is_idle(const struct key *key, int64_t now_ms);

/* Mints a key and writes its plaintext to `plaintext`, which the caller must wipe. ERR_LIMIT: the
 * plan's cap of active keys of the kind is reached, checked under a lock on the account.
 * ERR_REFUSED: the account is disabled. ERR_INVALID: the name is empty, too long or has control
 * characters. ERR_NOT_FOUND: no such account. Strings in *ret live in the arena. */
enum err key_mint(
    const struct act *act, struct str email, enum key_kind kind, struct str name,
    char plaintext[static API_KEY_SIZE], struct key *ret);

/* Like key_mint, with a given plaintext (demonstration data, tests). ERR_EXISTS: in use. */
enum err key_add(
    const struct act *act, struct str email, struct str name, struct str plaintext,
    struct key *ret);

/* ERR_INVALID: not a name, see key_mint. ERR_NOT_FOUND: no such key. Writes no change notice: names
 * are not held in memory. */
enum err key_rename(const struct act *act, struct str id, struct str name);

/* ERR_NOT_FOUND: no such key. Revoking a revoked key changes nothing. */
enum err key_revoke(const struct act *act, struct str id);

/* Never moves backwards. Writes no change notice. `path`: what it was used for; null: unknown. */
enum err key_touch(struct db *db, int64_t no, int64_t used_at, struct str path, struct fail *fail);

/* After columns of the account's keys were set. */
enum err key_seal_all(const struct act *act, int64_t account_no);

enum err key_find(const struct act *act, struct str id, struct key *ret);

struct key_list {
    struct key *items;
    size_t count;
};

/* The active keys of an account of this kind (KEY_KIND_COUNT: of each), newest first. The plan's
 * cap bounds their number. */
enum err key_list_active(
    const struct act *act, int64_t account_no, enum key_kind kind, struct key_list *ret);

/* A page of its revoked keys, of which there can be many: at most `limit`, newest first. */
struct key_edge {
    int64_t before_no; /* those with smaller numbers; 0: from the newest */
    int64_t after_no;  /* not 0: the next ones with larger numbers instead */
};
enum err key_list_revoked(
    const struct act *act, int64_t account_no, const struct key_edge *edge, int64_t limit,
    struct key_list *ret);

/* Visits all keys of an account, active ones first, then newest first. Strings are valid during the
 * call, which may run queries. An error of `visit` ends the walk. */
typedef enum err key_of_account_visit(void *ctx, const struct key *key, struct fail *fail);
enum err key_each_of_account(
    const struct act *act, int64_t account_no, key_of_account_visit *visit, void *ctx);

/* Visits every key, including revoked ones. Strings are valid during the call. */
typedef void key_visit(void *ctx, const struct key *key);
enum err key_each(struct db *db, key_visit *visit, void *ctx, struct fail *fail);

/* Empties the names of the keys of an account that is being deleted. */
enum err key_erase_names(const struct act *act, int64_t account_no);
