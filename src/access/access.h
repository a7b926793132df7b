/*
 * API keys and the plans of their owners as memory knows them (spec 5, decisions 21, 27): the whole
 * table, found by SHA-256 without a lock. One writer (load, apply, flush: one thread at a time, or
 * locked here) and any number of readers between rcu_read_begin and rcu_read_end.
 *
 * A change of plan, a revocation and a disabled account count from the next look-up on; a key that
 * was found stays valid memory until the read ends.
 */
#pragma once

#include <stdatomic.h>

#include "base/err.h"
#include "core/api_key.h"
#include "core/plan.h"

struct db;
struct access;

struct access_account; /* the owner; shared by all of its keys */
struct access_use;     /* last use, on its way to the store */

struct access_key {
    int64_t key_no; /* counts limits; the same on every node and after a restart */
    const struct access_account *owner;
    struct access_use *use;
    char id[24];                          /* NUL-terminated */
    char prefix[API_KEY_PREFIX_SIZE + 1]; /* what logs may show */
    uint8_t sha256[SHA256_SIZE];
    _Atomic bool revoked; /* before this read; access_find gives none that are */
};

struct access *access_create(void);
void access_destroy(struct access *access); /* no reader may be left; NULL is fine */

/* All accounts and keys; before the first reader, or later to start over. */
enum err access_load(struct access *access, struct db *db, struct fail *fail) MUST_CHECK;

/* One change notice. Nouns `key` (key id) and `account` (account id) are read again; others are
 * none of ours. */
enum err access_apply(
    struct access *access, struct db *db, struct str noun, struct str key,
    struct fail *fail) MUST_CHECK;

/* Inside a read: the key with this text, or NULL. Malformed, unknown and revoked keys and those of
 * disabled accounts are all alike, in answer and in cost. */
const struct access_key *access_find(const struct access *access, struct str text);

/* The owner's plan as of now. */
enum plan access_key_plan(const struct access_key *key);

/* Notes the use of a key (spec 5, key lifecycle 3). Inside a read. */
void access_touch(struct access *access, const struct access_key *key, int64_t now_ms);

/* Writes last uses, at most once a minute per key; `all` writes every one that is not written yet
 * (at stop). Into the transaction that db is in, or one of its own. In the caller's one,
 * access_flush_done says how it ended; the next flush takes it for committed if nobody did. */
enum err access_flush(
    struct access *access, struct db *db, int64_t now_ms, bool all, struct fail *fail) MUST_CHECK;

/* After the caller's transaction has ended: with any error, what went into it is written with the
 * next flush. Any thread. */
void access_flush_done(struct access *access, enum err err);

size_t access_count(const struct access *access); /* keys, revoked ones too */
