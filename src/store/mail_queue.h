/*
 * Mail that is to be sent: rows, written in the transaction of what they tell of and sent by
 * whichever server has a mail server (mail/sender.h). A row is claimed for a lease before it is
 * sent; a claim moves due_at to the end of the lease, so that what nobody ended falls due by itself
 * and is then sent again.
 *
 * All functions are called inside a write transaction.
 */
#pragma once

#include "base/instant.h"
#include "base/mem.h"
#include "store/db/db.h"

enum {
    MAIL_QUEUE_LEASE_MS = 2 * MINUTE_MS, /* well over the time that one mail is given */
    MAIL_QUEUE_TRIES_MAX = 5,
    MAIL_QUEUE_KEPT_DAYS = 30, /* after it was sent or given up */
};

/* Due at once. */
enum err mail_queue_put(
    struct db *db, struct str to, struct str subject, struct str body, int64_t now_ms,
    struct fail *fail) MUST_CHECK;

struct mail_queue_claimed {
    int64_t no;
    int64_t tries; /* before this one */
    struct str to, subject, body;
};

/* Claims the mail that has been due longest. *ret_found false: none is, and nothing is written.
 * node: this server's name for leases. Strings live in the arena. */
enum err mail_queue_claim(
    struct db *db, struct str node, int64_t now_ms, struct arena *arena,
    struct mail_queue_claimed *ret, bool *ret_found, struct fail *fail) MUST_CHECK;

/* It has been sent. Doing it twice changes nothing. */
enum err mail_queue_sent(struct db *db, int64_t no, int64_t now_ms, struct fail *fail) MUST_CHECK;

/* It was not sent. It is due again 1 minute, 10 minutes, 1 hour and 6 hours after the failed try;
 * after the fifth it is given up, and the error stays. Nothing changes when the lease is no longer
 * the node's. */
enum err mail_queue_failed(
    struct db *db, int64_t no, struct str node, struct str error, int64_t now_ms,
    bool *ret_given_up, struct fail *fail) MUST_CHECK;

/* Leases of a server that is starting: whatever it had in hand is due again. */
enum err mail_queue_end_leases(struct db *db, struct str node, int64_t now_ms, struct fail *fail)
    MUST_CHECK;

/* Rows that ended more than MAIL_QUEUE_KEPT_DAYS ago are deleted, at most `limit` of them. */
enum err mail_queue_prune(
    struct db *db, int64_t now_ms, int64_t limit, int64_t *ret_count, struct fail *fail) MUST_CHECK;
