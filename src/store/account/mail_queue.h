/*
 * Queued mail: rows written in the transaction that causes the mail, and sent by any server that
 * has a mail server configured (mail/sender.h). A row is claimed for a lease before it is sent. A
 * claim moves due_at to the end of the lease, so a row without a result becomes due again and is
 * sent again.
 *
 * Functions that write are called inside a write transaction.
 */
#pragma once

#include "base/instant.h"
#include "base/seal.h"
#include "store/row/act.h"

enum {
    MAIL_QUEUE_LEASE_MS = 2 * MINUTE_MS, /* well over the time limit of one mail */
    MAIL_QUEUE_TRIES_MAX = 5,
    MAIL_QUEUE_KEPT_DAYS = 30, /* after it was sent or given up */
};

/* Queues a mail that is due at once. It belongs to the account with this address, if there is one.
 */
enum err mail_queue_put(
    struct db *db, struct str to, struct str subject, struct str body, int64_t now_ms,
    struct fail *fail);

struct mail_letter {
    struct str to, subject, body;
    struct str kind;                 /* "reset": for mail_queue_recent */
    int64_t account_no;              /* 0: that of the account with this address, if there is one */
    const struct seal_key *seal_key; /* the body has a secret link: seal it; NULL: it has none */

    /* Of an e-mail in bulk, which waits behind all others and whose body must be sealed: */
    bool bulk;
    struct str html;        /* the same as HTML; never null in bulk */
    struct str unsubscribe; /* address that ends such e-mails by one POST; never null in bulk */
    struct str stable_id;   /* which e-mail it is; null: no matter */
};

/* Like mail_queue_put. A sealed body is erased when the mail was sent. A second mail with the same
 * stable_id is not queued. */
enum err mail_queue_add(
    struct db *db, const struct mail_letter *letter, int64_t now_ms, struct fail *fail);

/* Queues the one mail of its kind that the account gets in an hour: it is due an hour after the
 * last was sent, and replaces the one that waits. body null: only removes the one that waits. */
enum err mail_queue_put_hourly(
    struct db *db, const struct mail_letter *letter, int64_t now_ms, struct fail *fail);

/* *ret: the address, in any letter case, got a mail of this kind at `since_ms` or later. A mail
 * from the future (the clock was set back) does not count. */
enum err mail_queue_recent(
    struct db *db, struct str to, struct str kind, int64_t since_ms, int64_t now_ms, bool *ret,
    struct fail *fail);

struct mail_queue_claimed {
    int64_t no;
    int64_t tries; /* before this try */
    struct str to, subject;
    struct str body;        /* empty if it is sealed */
    struct str body_sealed; /* null: it is not sealed */
    struct str stable_id;   /* null: none */
    bool bulk;
    struct str html, unsubscribe; /* of an e-mail in bulk, once its body was opened; else null */
};

/* Opens a sealed body into the arena. Does nothing without one. ERR_CORRUPT: it was sealed with
 * another master key. */
enum err mail_queue_open(
    const struct seal_key *key, struct mail_queue_claimed *mail, struct arena *arena,
    struct fail *fail);

/* One line of a list for people: what was sent, and when. */
struct mail_sent {
    struct str kind, subject; /* kind: null before there were kinds */
    int64_t created_at;
    int64_t ended_at; /* INSTANT_NONE: it waits */
    struct str error; /* of the last try; null: none */
};

struct mail_sent_list {
    struct mail_sent *items;
    size_t count;
};

/* Newest first. */
enum err mail_queue_list_of(
    struct db *db, int64_t account_no, struct arena *arena, struct mail_sent_list *ret,
    struct fail *fail);

/* Deletes all mail of the account, and all mail to the address, sent or not. */
enum err mail_queue_erase(struct db *db, int64_t account_no, struct str email, struct fail *fail);

/* Claims the mail that has been due longest, at most `limit`; mail in bulk only if no other is due.
 * `ret` has room for `limit`, and *ret_count is how many were claimed. node is this server's name
 * in leases, which are on the database's clock. Strings live in the arena. */
enum err mail_queue_claim(
    const struct act *act, struct str node, int64_t database_ms, size_t limit,
    struct mail_queue_claimed *ret, size_t *ret_count);

/* Records that it was sent. Doing it twice changes nothing. When the last mail to a deleted account
 * (kind `account_deleted`) was sent or given up, its address is erased. */
enum err mail_queue_sent(struct db *db, int64_t no, int64_t now_ms, struct fail *fail);

/* Records a failed try. The mail is due again 1 minute, 10 minutes, 1 hour and 6 hours after the
 * failed try; the fifth failure is final, and the error is kept. `refused`: the server refused the
 * recipient or the mail for good; for mail in bulk that is final, and the third in a row ends the
 * alerts of the account (store/account/alert.h). Nothing changes if the node no longer has the
 * lease. */
enum err mail_queue_failed(
    const struct act *act, int64_t no, struct str node, struct str error, bool refused,
    bool *ret_given_up);

/* Ends the leases of a server that is starting: its mail is due again. */
enum err mail_queue_end_leases(struct db *db, struct str node, int64_t now_ms, struct fail *fail);

/* --- for admins. The text of a mail is never shown: it may have a link that signs somebody in. */

enum mail_state {
    MAIL_WAITING,  /* not tried yet */
    MAIL_RETRYING, /* failed, and is due again */
    MAIL_GIVEN_UP, /* failed too often */
    MAIL_SENT,
    MAIL_STATE_COUNT
};

struct str mail_state_name(enum mail_state state);
bool mail_state_from_name(struct str name, enum mail_state *ret);

struct mail_row {
    int64_t no;
    enum mail_state state;
    struct str to, subject;
    struct str error; /* of the last try; null: none failed */
    int64_t tries;
    int64_t created_at;
    int64_t due_at;   /* INSTANT_NONE: it has ended */
    int64_t ended_at; /* INSTANT_NONE: it has not ended */
};

typedef void mail_visit(void *ctx, const struct mail_row *row);

/* Visits mail with no < before (INT64_MAX: from the newest), newest first, at most `limit`.
 * state NULL: mail that is not sent, in any of the other states. */
enum err mail_queue_each(
    struct db *db, const enum mail_state *state, int64_t before, int64_t limit, mail_visit *visit,
    void *ctx, struct fail *fail);

struct mail_counts {
    int64_t waiting, retrying, given_up;
    int64_t bulk;      /* of those that wait or are retried, the e-mails of alerts */
    int64_t oldest_at; /* when the oldest mail that waits or is retried was queued; INSTANT_NONE */
    struct str error;  /* of the newest mail that is retried or given up; null: none */
};

/* The error lives in the arena. */
enum err mail_queue_count(
    struct db *db, struct arena *arena, struct mail_counts *ret, struct fail *fail);

/* Makes a mail that is not sent due now, with all its tries. ERR_NOT_FOUND: no such mail.
 * ERR_REFUSED: it was sent, is being sent, or its address was erased. */
enum err mail_queue_retry(struct db *db, int64_t no, int64_t database_ms, struct fail *fail);
/* The same for all mail that was given up and still has an address. */
enum err mail_queue_retry_given_up(
    struct db *db, int64_t now_ms, int64_t *ret_count, struct fail *fail);
/* Deletes a mail that is not sent. ERR_NOT_FOUND, ERR_REFUSED: sent or being sent, as above. */
enum err mail_queue_drop(struct db *db, int64_t no, int64_t database_ms, struct fail *fail);

/* Deletes rows that ended more than MAIL_QUEUE_KEPT_DAYS ago, at most `limit` of them. */
enum err mail_queue_prune(
    struct db *db, int64_t now_ms, int64_t limit, int64_t *ret_count, struct fail *fail);
