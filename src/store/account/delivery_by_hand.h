/*
 * What a person sends: one delivery again, many again, or a test. The dispatchers send it, also to
 * an endpoint that is disabled, and its outcome neither counts as a failure nor ends a streak of
 * failures (decision 45). Call these functions inside a write transaction, except the counts.
 */
#pragma once

#include "store/account/delivery.h"

/* Replays one delivery: six more attempts, the first at once. The id stays, so that a receiver can
 * recognise a delivery that it already has. Writes the change notice `endpoint`. ERR_NOT_FOUND: no
 * such delivery, or its endpoint is deleted. ERR_REFUSED: it is in flight, was replayed less than
 * DELIVERY_PAUSE_MS ago, is a test, or its endpoint is paused. */
enum err delivery_replay(struct db *db, struct str id, int64_t now_ms, struct fail *fail);

/* The deliveries of an endpoint in one state that ended from `since` until before `until`. */
struct delivery_matching {
    int64_t endpoint_no;
    enum delivery_state state; /* failed or expired */
    int64_t since, until;
};

enum err delivery_count_matching(
    struct db *db, const struct delivery_matching *matching, int64_t *ret, struct fail *fail);

/* Has them replayed by the servers, in batches. *ret_matched is their number; nothing is written
 * for 0. Those that end after now_ms are not among them. ERR_REFUSED: an earlier replay of the
 * endpoint is not complete, or the endpoint is paused or deleted. The caller adds the notice. */
enum err delivery_replay_start(
    struct db *db, const struct delivery_matching *matching, int64_t now_ms, int64_t *ret_matched,
    struct fail *fail);

/* Replays at most `limit` deliveries of the oldest replay that is not complete. The caller keeps
 * other servers out. *ret_more: call it again. */
enum err delivery_replay_step(
    struct db *db, int64_t limit, int64_t now_ms, bool *ret_more, struct fail *fail);

/* True if a replay is not complete. */
enum err delivery_replay_is_open(struct db *db, bool *ret, struct fail *fail);

/* The latest replay of many of an endpoint, for pages. */
struct delivery_bulk {
    struct delivery_matching matching;
    int64_t matched, replayed;
    int64_t created_at, ended_at; /* INSTANT_NONE: under way; created_at: there was none */
};

enum err delivery_bulk_find(
    struct db *db, int64_t endpoint_no, struct delivery_bulk *ret, struct fail *fail);

enum { DELIVERY_ID_MAX = 40 };

/* Queues a test request, which is sent once, before what is due. `body` is its content. Writes the
 * change notice `endpoint`. ERR_NOT_FOUND: no such endpoint. ERR_REFUSED: a test of the endpoint is
 * on its way, or was sent less than DELIVERY_PAUSE_MS ago, or the account's endpoints got
 * DELIVERY_TESTS_MAX tests in the last minute; the caller has locked the account. */
enum err delivery_test(
    struct db *db, struct str endpoint_id, struct str body, int64_t now_ms,
    char ret_id[static DELIVERY_ID_MAX], struct fail *fail);
