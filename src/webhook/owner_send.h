/*
 * What an owner has sent by hand: a test, one delivery again, or many again. The rules are those of
 * store/account/delivery_by_hand.h; who may, and the log, are as in webhook/owner.h. The
 * dispatchers of running servers do the sending.
 */
#pragma once

#include "webhook/owner.h"

/* Over a struct owner_endpoint.
 *
 * Test: queues one signed test request. ERR_REFUSED: see delivery_test; or the account is disabled.
 *
 * Test note: records a test that a command sends by itself (webhook/trial.h); also if the account
 * is disabled. */
act_run owner_test, owner_test_note;

/* Over the id of a delivery, a struct str: that one again. ERR_NOT_FOUND, ERR_REFUSED: see
 * delivery_replay; or the account is disabled. */
act_run owner_replay;

struct owner_replays {
    struct str endpoint_id;
    enum delivery_state state; /* failed or expired */
    int64_t since, until;      /* when they ended: from `since`, before `until` */
    int64_t count;             /* of those that match; then of those that are sent again */
};

/* Over a struct owner_replays. The first only reads. The second has the servers replay them, in
 * batches. ERR_REFUSED: see delivery_replay_start; or the account is disabled. */
act_run owner_replays_count, owner_replay_many;
