/*
 * All API keys and the plans of their owners, in memory (spec 5, decisions 21, 27). Look-ups by
 * SHA-256 take no lock: readers call access_find between rcu_read_begin and rcu_read_end. Loads,
 * notices and flushes lock the table themselves.
 *
 * A new plan, a revocation or a disabled account applies to the next look-up. A key that was found
 * remains valid memory until access_destroy: the table removes no key.
 */
#pragma once

#include <stdatomic.h>

#include "access/usage.h"
#include "rule/api_key.h"
#include "rule/plan.h"

struct db;
struct access;

struct access_account; /* the owner of keys; shared by them */
struct access_use;     /* the last use of a key, until it is stored */

struct access_key {
    int64_t key_no; /* identifies the key in limits, on every server and after a restart */
    const struct access_account *owner;
    struct access_use *use;
    struct key_usage *usage;
    char id[24];                          /* NUL-terminated */
    char prefix[API_KEY_PREFIX_SIZE + 1]; /* logs may contain it */
    uint8_t sha256[SHA256_SIZE];
    _Atomic bool revoked; /* access_find does not return revoked keys */
};

struct access *access_create(void);
void access_destroy(struct access *access); /* call it when no reader is left; NULL is ignored */

/* Loads all accounts and keys. A later call reloads them; readers may be active. */
enum err access_load(struct access *access, struct db *db, struct fail *fail);

/* Applies one change notice: reads the row again for the nouns `key` (a key id) and `account` (an
 * account id), ignores other nouns. */
enum err access_apply(
    struct access *access, struct db *db, struct str noun, struct str key, struct fail *fail);

/* Returns the key of this kind with this text; call it inside a read. NULL: the key is malformed,
 * unknown or revoked, or its account is disabled. All these cases take the same time. */
const struct access_key *access_find(
    const struct access *access, enum key_kind kind, struct str text);

/* False: the key was revoked since it was found, or its account is disabled. */
bool access_key_is_valid(const struct access_key *key);

/* The owner's current plan. */
enum plan access_key_plan(const struct access_key *key);

/* Records a use of the key (spec 5, key lifecycle 3). `path` is a constant text, the path as in the
 * reference; NULL: no such path. */
void access_touch(
    struct access *access, const struct access_key *key, int64_t now_ms, const char *path);

/* The counts of all keys. */
struct usage *access_usage(const struct access *access);

/* Writes last uses, at most once a minute per key; with `all`, every last use that is not written
 * yet (at the stop). If db is in a transaction, writes into it, and the caller reports its result
 * with access_flush_done; without such a report the next flush assumes that it was committed.
 * Otherwise uses its own transaction. */
enum err access_flush(
    struct access *access, struct db *db, int64_t now_ms, bool all, struct fail *fail);

/* Reports the result of the caller's transaction. After an error, the next flush writes the same
 * last uses again. Any thread. */
void access_flush_done(struct access *access, enum err err);

size_t access_count(const struct access *access); /* number of keys, including revoked ones */
