/* Entries of the sequence of changes, read once for all people of a digest. */
#pragma once

#include "db/db.h"
#include "paper/cell/change.h"
#include "rule/lateness.h"

struct known_entry {
    struct change_entry change;
    int64_t trade_no; /* 0: it is about no trade */
    struct trade_report report;
    const int64_t *seqs; /* of the trade's entries up to this one */
    size_t seq_count;
};

struct entries;

struct entries *entries_create(struct db *db);
void entries_destroy(struct entries *entries); /* NULL is ignored */

/* *ret is valid until the next entries_trim. */
enum err entries_find(
    struct entries *entries, int64_t seq, const struct known_entry **ret,
    struct fail *fail) MUST_CHECK;

/* Forgets all entries if there are many. */
void entries_trim(struct entries *entries);
