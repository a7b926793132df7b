/*
 * Dated predecessors of symbols (decision 13): a trade in FB before 2022-06-09 is also found under
 * META. They are in data/ticker_renames.csv, which is embedded. Renames follow one another by their
 * dates (VIAB, VIAC, PARA).
 */
#pragma once

#include "base/err.h"
#include "core/model.h"

struct rename {
    struct str old;
    struct str new;
    int32_t before; /* first day on which `old` no longer stands for `new` */
};

struct renames {
    struct rename *items; /* sorted by old; strings borrowed */
    size_t n;
};

enum { RENAMES_CHAIN_MAX = 8 };

extern const char ticker_renames_csv[]; /* data/ticker_renames.csv */
extern const size_t ticker_renames_csv_size;

/* Lines of old,new,effective,source after a header line; strings borrow from the text. ERR_INVALID:
 * a line is not that, a symbol is not in normal form, or a chain comes back to where it began. */
enum err renames_parse(struct str csv, struct renames *ret, struct fail *fail) MUST_CHECK;
void renames_finish(struct renames *r);

/* Whether the symbol was ever renamed. */
bool renames_has(const struct renames *r, struct str symbol);

/* The symbols that are found when a trade on that day was in `symbol`, itself first; returns how
 * many. */
size_t renames_successors(
    const struct renames *r, struct str symbol, int32_t day,
    struct str ret[static RENAMES_CHAIN_MAX]);
