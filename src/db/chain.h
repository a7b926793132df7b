/*
 * The chain over publications (docs/adr/0022-chain-over-publications.md): one entry for each
 * publication, each later change of a published row, and each correction. An entry's hash covers
 * the hash of the previous entry, so the last hash covers everything that was ever published.
 *
 * Call the functions that append inside a transaction that holds publication_lock.
 */
#pragma once

#include "base/crypto.h"
#include "db/db.h"

enum chain_noun {
    CHAIN_PUBLICATION, /* the digest is that of its content: chain_content */
    CHAIN_TRADE,       /* the new digest of a row; `before` has the previous one */
    CHAIN_FILING,
    CHAIN_CORRECTION,
    CHAIN_DAMAGE, /* a trade did not match its digest: `before` is that digest, `digest` is computed
                     from its columns; an entry CHAIN_TRADE for the withdrawal follows */
    CHAIN_FILING_DAMAGE,
    CHAIN_NOUN_COUNT
};

struct str chain_noun_name(enum chain_noun noun);

struct chain_entry {
    int64_t no;
    enum chain_noun noun;
    int64_t row_no;
    bool has_before;
    uint8_t before[SHA256_SIZE];
    uint8_t digest[SHA256_SIZE];
    uint8_t hash[SHA256_SIZE];
};

/* The hash that the entry must have after one with the hash `previous`: zeros before the first. */
void chain_hash(
    const struct chain_entry *entry, const uint8_t previous[static SHA256_SIZE],
    uint8_t ret[static SHA256_SIZE]);

/* `before` is NULL for a new publication or correction. ERR_CORRUPT: the last entry is missing. */
enum err chain_append(
    struct db *db, enum chain_noun noun, int64_t row_no, const uint8_t *before,
    const uint8_t digest[static SHA256_SIZE], struct fail *fail);

/* The content of a publication: the digest of its own row, then the numbers and digests of the
 * filings and trades that it made public, as of that time. `entry_no` is the number of its entry:
 * later entries record the earlier digests of rows. 0: there is no entry yet. ERR_NOT_FOUND: no
 * such publication. */
enum err chain_content(
    struct db *db, int64_t publication_no, int64_t entry_no, uint8_t ret[static SHA256_SIZE],
    struct fail *fail);

/* Appends the entry of a publication whose rows are written: all but the digests of its filings,
 * which this function writes. */
enum err chain_add_publication(struct db *db, int64_t publication_no, struct fail *fail);

/* Appends the entry of a correction. */
enum err chain_add_correction(struct db *db, int64_t correction_no, struct fail *fail);

/* Appends an entry about a publication or a correction whose instants were moved
 * (store/public/redate.h); `before` has what the entry before it says. Nothing if it has none. */
enum err chain_renew(struct db *db, enum chain_noun noun, int64_t row_no, struct fail *fail);

/* The last entry; number 0 and hash zeros: none. ERR_CORRUPT: the counter names an entry that is
 * missing. */
struct chain_head {
    int64_t no;
    uint8_t hash[SHA256_SIZE];
};

enum err chain_head(struct db *db, struct chain_head *ret, struct fail *fail);
