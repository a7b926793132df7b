/*
 * What an owner has sent by hand: a test, one delivery again, or many again. The rules are those of
 * store/account/delivery_by_hand.h; who may, and the log, are as in webhook/owner.h. The
 * dispatchers of running servers do the sending.
 */
#pragma once

#include "store/account/delivery_by_hand.h"
#include "webhook/owner.h"

/* Queues one signed test request. ERR_REFUSED: see delivery_test; or the account is disabled. */
enum err owner_test(
    struct db *db, const struct actor *actor, struct str endpoint_id, int64_t now_ms,
    char ret_id[static DELIVERY_ID_MAX], struct fail *fail) MUST_CHECK;

/* Records a test that a command sends by itself (webhook/trial.h); also if the account is disabled.
 */
enum err owner_test_note(
    struct db *db, const struct actor *actor, struct str endpoint_id, int64_t now_ms,
    struct fail *fail) MUST_CHECK;

/* One delivery again. ERR_NOT_FOUND, ERR_REFUSED: see delivery_replay; or the account is disabled.
 */
enum err owner_replay(
    struct db *db, const struct actor *actor, struct str delivery_id, int64_t now_ms,
    struct fail *fail) MUST_CHECK;

struct owner_replays {
    enum delivery_state state; /* failed or expired */
    int64_t since, until;      /* when they ended: from `since`, before `until` */
};

/* The number of deliveries that owner_replay_many would replay. Reads only. */
enum err owner_replays_count(
    struct db *db, const struct actor *actor, struct str endpoint_id,
    const struct owner_replays *which, int64_t *ret, struct fail *fail) MUST_CHECK;

/* Has the servers replay them, in batches; *ret is their number. ERR_REFUSED: see
 * delivery_replay_start; or the account is disabled. */
enum err owner_replay_many(
    struct db *db, const struct actor *actor, struct str endpoint_id,
    const struct owner_replays *which, int64_t now_ms, int64_t *ret, struct fail *fail) MUST_CHECK;
