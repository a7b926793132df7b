/*
 * Renews the digest of a published row that this program changes, and appends the change to the
 * chain over publications (db/chain.h). Call the two functions around the UPDATE, inside a
 * transaction that holds publication_lock. The first one compares the row with its digest: a change
 * of a damaged row would make the damage look published. Private to src/store/public.
 */
#pragma once

#include "base/crypto.h"
#include "db/db.h"

/* What may have happened to the row. */
enum reseal_allows {
    RESEAL_WHOLE,         /* nothing. ERR_CORRUPT: it is damaged */
    RESEAL_DAMAGED,       /* anything: the chain says that it was damaged */
    RESEAL_NEVER_DAMAGED, /* nothing, and it was not damaged when it was withdrawn. ERR_REFUSED */
};

struct reseal {
    int64_t no; /* 0: there is no such row, or it was never published */
    uint8_t before[SHA256_SIZE];
};

enum err reseal_trade_begin(
    struct db *db, struct str id, enum reseal_allows allows, struct reseal *ret, struct fail *fail);
/* The same by number, and RESEAL_WHOLE. */
enum err reseal_trade_begin_no(struct db *db, int64_t no, struct reseal *ret, struct fail *fail);
enum err reseal_trade_end(struct db *db, const struct reseal *r, struct fail *fail);

enum err reseal_filing_begin(
    struct db *db, struct str id, enum reseal_allows allows, struct reseal *ret, struct fail *fail);
/* The same by number, and RESEAL_WHOLE. */
enum err reseal_filing_begin_no(struct db *db, int64_t no, struct reseal *ret, struct fail *fail);
enum err reseal_filing_end(struct db *db, const struct reseal *r, struct fail *fail);
