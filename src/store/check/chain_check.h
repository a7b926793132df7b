/*
 * Verifies the chain over publications (db/chain.h): the hash of each entry follows from the
 * entry before, no entry is missing, and what it vouches for is still in the rows. A row's columns
 * are compared with its digest elsewhere: by each read of a published row, and by check_rows.
 *
 * A server verifies the entries since the last checkpoint, the row `chain` of the table meta.
 */
#pragma once

#include "db/chain.h"
#include "store/check/check_found.h"

struct progress_hook;

/* Verifies the entries after `after`: zeros for all. Adds to *findings. *ret_head is the last entry
 * there is. `progress` (may be NULL) receives the entries. */
enum err chain_check(
    struct db *db, const struct chain_head *after, check_found *found, void *ctx,
    const struct progress_hook *progress, int64_t *findings, struct chain_head *ret_head,
    struct fail *fail);

/* Compares an entry with a head that was noted earlier: the entry must still have that hash. */
enum err chain_check_head(
    struct db *db, const struct chain_head *noted, check_found *found, void *ctx, int64_t *findings,
    struct fail *fail);

/* The same with the checkpoint. */
enum err chain_check_checkpoint(
    struct db *db, check_found *found, void *ctx, int64_t *findings, struct fail *fail);

/* Verifies the entries since the checkpoint, and moves it to the last entry if nothing was found.
 * Begins and ends its transactions. */
enum err chain_check_new(
    struct db *db, check_found *found, void *ctx, int64_t *findings, struct fail *fail);

enum { CHAIN_HEAD_TEXT_SIZE = 20 + 1 + 2 * SHA256_SIZE };

/* NUMBER:HASH */
struct str chain_head_print(const struct chain_head *head, char ret[static CHAIN_HEAD_TEXT_SIZE]);
bool chain_head_parse(struct str text, struct chain_head *ret);
