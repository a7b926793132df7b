/*
 * Change notices tell servers to update their memory from the store. A transaction that changes
 * data that servers keep in memory adds one notice as its last statement. `seq` comes from one
 * counter row whose lock is held until the commit, so seq is in commit order and no reader can see
 * a number before a smaller one.
 *
 * Nouns and keys: `trades` publication number, `trade` trade id (corrected, withdrawn or
 * reinstated), `filing` filing id (the same of a filing and all its trades), `findings` lines of
 * the history of findings (changed signals of public trades; finding_key), `feed` (rebuild),
 * `known` a member's id, or nothing for all (store/public/known.h), `key` key id, `account` account
 * id, `member`, `ticker`, `endpoint` endpoint id.
 */
#pragma once

#include "db/db.h"

/* ret_seq may be NULL. A second call in one transaction is fine: it holds the lock already. */
enum err change_add(
    struct db *db, struct str noun, struct str key, int64_t *ret_seq, struct fail *fail);

typedef void change_visit(void *ctx, int64_t seq, struct str noun, struct str key);

/* The newest number; 0: none yet. Read it in the snapshot that memory is loaded from. */
enum err change_last(struct db *db, int64_t *ret, struct fail *fail);

/* Visits the notices with seq > after, in order. *ret_last is the last one visited, or `after`.
 * ERR_CORRUPT: notices after `after` were pruned, or the database is older than `after` (it was
 * restored): reload memory from the store. The visit may query db. */
enum err change_read(
    struct db *db, int64_t after, change_visit *visit, void *ctx, int64_t *ret_last,
    struct fail *fail);

/* Returns when the database may hold new notices (another process committed), when wake_fd becomes
 * readable (it is not read; -1: none), or after timeout_ms. db must not be in a transaction. */
enum err change_wait(struct db *db, int wake_fd, int timeout_ms, struct fail *fail);

/* Deletes all but the newest `keep` notices. */
enum err change_prune(struct db *db, int64_t keep, struct fail *fail);

/* Call after the commit: waits until every running server has applied `seq`. ERR_TIMEOUT names in
 * *fail the server that has not; the write itself is durable. */
enum err change_wait_nodes(struct db *db, int64_t seq, int timeout_ms, struct fail *fail);
