/*
 * Symbols with their company and industry. The caller adds one change notice `ticker` at the end of
 * an import. Earlier symbols are in data/ticker_renames.csv (feed/renames.h).
 */
#pragma once

#include "db/db.h"
#include "rule/model.h"

struct ticker {
    int64_t no;
    struct str symbol;   /* normal form (ticker_normalize) */
    struct str company;  /* null: not known */
    struct str industry; /* null: not known */
    struct str source;   /* where company and industry come from; null: not stated */
};

struct ticker_list {
    struct ticker *items; /* by symbol */
    size_t count;
};

/* Inserts or replaces the symbol's row. */
enum err ticker_put(struct db *db, const struct ticker *ticker, struct fail *fail);

/* ERR_NOT_FOUND: none. Strings live in the arena. */
enum err ticker_find(
    struct db *db, struct str symbol, struct arena *arena, struct ticker *ret, struct fail *fail);

enum err ticker_load(
    struct db *db, struct arena *arena, struct ticker_list *ret, struct fail *fail);

/* Symbols that begin with the text, in which `-` and `/` may stand for the dot before a class of
 * shares, and those whose company has all its words or parts of words in this order, in any ASCII
 * letter case; at most `limit`. Symbol and company alone are set. */
enum err ticker_search(
    struct db *db, struct str text, int64_t limit, struct arena *arena, struct ticker_list *ret,
    struct fail *fail);

/* NULL: none. */
const struct ticker *ticker_list_find(const struct ticker_list *list, struct str symbol);

enum err ticker_count(struct db *db, int64_t *ret, struct fail *fail);
