/*
 * Symbols with their company and industry, and the dated symbols they had before (META was FB until
 * 2022-06-09). The caller adds one change notice `ticker` at the end of an import.
 */
#pragma once

#include "base/mem.h"
#include "core/model.h"
#include "store/db/db.h"

struct ticker {
    int64_t no;
    struct str symbol;   /* normal form (ticker_normalize) */
    struct str company;  /* null: not known */
    struct str industry; /* null: not known */
    struct str source;   /* where company and industry come from; null: not stated */
};

/* `symbol` was the symbol of today's `ticker` on the days from..to (DAY_NONE: open). */
struct ticker_alias {
    struct str symbol;
    struct str ticker;
    int32_t from;
    int32_t to;
};

struct ticker_list {
    struct ticker *items; /* by symbol */
    size_t count;
    struct ticker_alias *aliases; /* by symbol */
    size_t alias_count;
};

/* Inserts or replaces the symbol's row. */
enum err ticker_put(struct db *db, const struct ticker *ticker, struct fail *fail) MUST_CHECK;
/* ERR_NOT_FOUND: the ticker does not exist. */
enum err ticker_alias_put(struct db *db, const struct ticker_alias *alias, struct fail *fail)
    MUST_CHECK;

/* ERR_NOT_FOUND: none. Strings live in the arena. */
enum err ticker_find(
    struct db *db, struct str symbol, struct arena *arena, struct ticker *ret,
    struct fail *fail) MUST_CHECK;

enum err ticker_load(struct db *db, struct arena *arena, struct ticker_list *ret, struct fail *fail)
    MUST_CHECK;

/* A current symbol; NULL: none. */
const struct ticker *ticker_list_find(const struct ticker_list *list, struct str symbol);
/* True for a current or an earlier symbol. */
bool ticker_list_knows(const struct ticker_list *list, struct str symbol);
