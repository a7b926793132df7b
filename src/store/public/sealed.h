/*
 * Everything that is sealed with the master key (base/seal.h): secrets of
 * endpoints, secrets of second factors, and bodies of e-mails that have a secret link. An empty
 * value was erased, with the account or because its key was lost.
 */
#pragma once

#include "base/seal.h"
#include "db/db.h"

/* The purposes of the keys. They are stored by what they sealed: never change them. */
#define SEALED_ENDPOINT "endpoint secret"
#define SEALED_FACTOR "second factor"
#define SEALED_MAIL "mail body"

struct sealed_counts {
    int64_t endpoints, factors, mails;
    int64_t unreadable; /* of all kinds: sealed with a key that was lost before */
};

/* Counts what is sealed: all zeros if a lost key would cost nothing. */
enum err sealed_count(struct db *db, struct sealed_counts *ret, struct fail *fail);

/* ERR_REFUSED: the secret of an endpoint or of a second factor was sealed with another key; the
 * reason says what to do. */
enum err sealed_check(struct db *db, struct str master_key, struct fail *fail);

/* Inside a transaction: seals everything with the master key `to` instead of `from`. Second factors
 * whose setup is not complete are set up again by their owners, and counts of callers without a key
 * begin again: their addresses are stored only as hashes under the old key. */
enum err sealed_renew(
    struct db *db, struct str from, struct str to, struct sealed_counts *ret, struct fail *fail);

/* The same, because the key of some or all of it is lost: erases what `from` (null: no key) does
 * not open, and counts it in *ret_lost. */
enum err sealed_rescue(
    struct db *db, struct str from, struct str to, struct sealed_counts *ret,
    struct sealed_counts *ret_lost, struct fail *fail);
