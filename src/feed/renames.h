/*
 * Dated predecessors of symbols (decision 13): a trade in FB before 2022-06-09 is also found under
 * META. The embedded data/ticker_renames.csv lists them. Renames are followed in date order (VIAB,
 * VIAC, PARA).
 */
#pragma once

#include "rule/model.h"

struct rename {
    struct str old;
    struct str new;
    int32_t since;  /* first day on which `old` meant that company; DAY_NONE: any day before */
    int32_t before; /* first day on which it no longer does */
};

struct renames {
    struct rename *items; /* sorted by old; strings borrowed */
    size_t n;
};

enum { RENAMES_CHAIN_MAX = 8 };

extern const char ticker_renames_csv[]; /* data/ticker_renames.csv */
extern const size_t ticker_renames_csv_size;

/* Parses lines of old,new,since,effective,source after a header line; strings borrow from the text.
 * ERR_INVALID: a malformed line, a symbol that is not in normal form, or a cycle of renames. */
enum err renames_parse(struct str csv, struct renames *ret, struct fail *fail);
void renames_finish(struct renames *r);

/* Returns true if the symbol was ever renamed. */
bool renames_has(const struct renames *r, struct str symbol);

/* The symbols that became this one, in order of the day, at most RENAMES_CHAIN_MAX; returns their
 * number. Predecessors of theirs are not among them. */
size_t renames_of(
    const struct renames *r, struct str symbol, const struct rename *ret[static RENAMES_CHAIN_MAX]);

/* The renames of this symbol, in order of the new one. */
const struct rename *renames_from(const struct renames *r, struct str symbol, size_t *ret_count);

/* All symbols that find a trade in `symbol` on that day, starting with `symbol` itself; returns
 * their number. */
size_t renames_successors(
    const struct renames *r, struct str symbol, int32_t day,
    struct str ret[static RENAMES_CHAIN_MAX]);
