/*
 * The mark of the master key: the database stores which key is its own, as a short name that is
 * derived from the key. The name says nothing about the key. A server refuses to start with another
 * key, and makes no new one for a database that has a mark (docs/operate.md).
 */
#pragma once

#include "db/db.h"

enum { KEY_MARK_KEY_SIZE = 32, KEY_MARK_SIZE = 16 /* hex digits */ };

struct key_mark {
    char text[KEY_MARK_SIZE + 1]; /* ends in NUL; empty: the database has no mark yet */
};

struct key_mark key_mark_of(const uint8_t key[static KEY_MARK_KEY_SIZE]);
bool key_mark_is(const struct key_mark *mark, const struct key_mark *other);

enum err key_mark_get(struct db *db, struct key_mark *ret, struct fail *fail);

/* Marks a database that has no mark yet. ERR_REFUSED: it has another one. */
enum err key_mark_claim(struct db *db, const struct key_mark *mark, struct fail *fail);

/* Inside a transaction that writes what this key sealed. Locks the mark until the transaction ends,
 * so that no `secret rotate` runs in between. ERR_REFUSED: the mark is another one by now. */
enum err key_mark_hold(struct db *db, const struct key_mark *mark, struct fail *fail);

/* Inside the transaction that seals everything again: replaces any mark, and locks it. */
enum err key_mark_set(struct db *db, const struct key_mark *mark, struct fail *fail);
