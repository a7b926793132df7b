/*
 * Publications: the moments at which trades became public (decision 1). In one write transaction:
 *
 *     publication_begin        takes the lock that orders publications; number and instant
 *     publication_add_filing   for each filing, new or with further rows
 *     trade_insert             for each trade, with the instant that add_filing gave
 *     publication_finish       counts, entry of the chain over publications, entries of the
 * sequence of changes, correction entry of a backfill, change notice: last of all
 *
 * Live instants grow strictly, also when the clock steps back and with several writers.
 */
#pragma once

#include "db/db.h"

enum publication_kind { PUBLICATION_LIVE, PUBLICATION_BACKFILL };

struct publication {
    int64_t no;
    enum publication_kind kind;
    struct str by;       /* borrowed from publication_begin's caller */
    int64_t at;          /* live: disclosed_at of all its trades; backfill: when it ran */
    int64_t first_live;  /* instant of the first live publication; INSTANT_NONE: none yet */
    int64_t range_start; /* disclosed_at of its oldest and newest filing; INSTANT_NONE: none yet */
    int64_t range_end;
    int64_t filings;
};

/* Locks out all other publications, corrections and withdrawals until the transaction ends. Take it
 * before comparing with public trades. It must be the first statement of the transaction, so that
 * all callers wait in the same order. publication_begin takes the same lock. */
enum err publication_lock(struct db *db, struct fail *fail);

/* `by`: e-mail address of the person who vouches or publishes. */
enum err publication_begin(
    struct db *db, enum publication_kind kind, struct str by, int64_t now_ms,
    struct publication *ret, struct fail *fail);

/* Makes the filing public unless it is already. *ret_disclosed_at is the instant for its new
 * trades. ERR_REFUSED: a backfill of a filing that was filed at or after the first live
 * publication, or in the future; the transaction can continue without that filing. */
enum err publication_add_filing(
    struct db *db, struct publication *publication, int64_t filing_no, int64_t filed_at,
    int64_t *ret_disclosed_at, struct fail *fail);

/* The same for a new filing that filing_insert_all inserts, published at *ret_at. */
enum err publication_admit(
    struct publication *publication, int64_t filed_at, int64_t *ret_at, struct fail *fail);
/* And for the filing that it amends. *ret_no: its number. */
enum err publication_amend(
    struct db *db, const struct publication *publication, struct str filing_id, int64_t *ret_no,
    struct fail *fail);

/* The same rule without the database, for checking beforehand. */
bool publication_takes(const struct publication *publication, int64_t filed_at);

/* `trades`: the number inserted. The notice is `trades` with the publication's number, or `feed`
 * for a backfill; *ret_seq is its number. */
enum err publication_finish(
    struct db *db, const struct publication *publication, int64_t trades, int64_t *ret_seq,
    struct fail *fail);

/* The number of trades that all publications made public, as their rows say. */
enum err publication_trades(struct db *db, int64_t *ret, struct fail *fail);
