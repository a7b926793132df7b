/*
 * Queued mail: rows written in the transaction that causes the mail, and sent by any server that
 * has a mail server configured (mail/sender.h). A row is claimed for a lease before it is sent. A
 * claim moves due_at to the end of the lease, so a row without a result becomes due again and is
 * sent again.
 *
 * All functions are called inside a write transaction.
 */
#pragma once

#include "base/instant.h"
#include "base/mem.h"
#include "store/db/db.h"

enum {
    MAIL_QUEUE_LEASE_MS = 2 * MINUTE_MS, /* well over the time limit of one mail */
    MAIL_QUEUE_TRIES_MAX = 5,
    MAIL_QUEUE_KEPT_DAYS = 30, /* after it was sent or given up */
};

/* Queues a mail that is due at once. */
enum err mail_queue_put(
    struct db *db, struct str to, struct str subject, struct str body, int64_t now_ms,
    struct fail *fail) MUST_CHECK;

struct mail_queue_claimed {
    int64_t no;
    int64_t tries; /* before this try */
    struct str to, subject, body;
};

/* Claims the mail that has been due longest. *ret_found is false, and nothing is written, if none
 * is due. node is this server's name in leases. Strings live in the arena. */
enum err mail_queue_claim(
    struct db *db, struct str node, int64_t now_ms, struct arena *arena,
    struct mail_queue_claimed *ret, bool *ret_found, struct fail *fail) MUST_CHECK;

/* Records that it was sent. Doing it twice changes nothing. */
enum err mail_queue_sent(struct db *db, int64_t no, int64_t now_ms, struct fail *fail) MUST_CHECK;

/* Records a failed try. The mail is due again 1 minute, 10 minutes, 1 hour and 6 hours after the
 * failed try; the fifth failure is final, and the error is kept. Nothing changes if the node no
 * longer has the lease. */
enum err mail_queue_failed(
    struct db *db, int64_t no, struct str node, struct str error, int64_t now_ms,
    bool *ret_given_up, struct fail *fail) MUST_CHECK;

/* Ends the leases of a server that is starting: its mail is due again. */
enum err mail_queue_end_leases(struct db *db, struct str node, int64_t now_ms, struct fail *fail)
    MUST_CHECK;

/* Deletes rows that ended more than MAIL_QUEUE_KEPT_DAYS ago, at most `limit` of them. */
enum err mail_queue_prune(
    struct db *db, int64_t now_ms, int64_t limit, int64_t *ret_count, struct fail *fail) MUST_CHECK;
