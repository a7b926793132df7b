/*
 * Ticker symbols in the feed: from the imported lists and from trades, with the entry of the
 * imported lists and the counts of their trades, including dated predecessors. A symbol has an
 * index from 1, which posting keys use.
 */
#pragma once

#include "base/rcu.h"
#include "feed/name_order.h"
#include "feed/renames.h"
#include "feed/tally.h"
#include "rule/cursor.h"

/* The entry of the imported lists; fields may be null. */
struct symbol_company {
    struct str name, industry, source;
};

struct symbol {
    uint32_t index;
    struct str text;
    bool renamed;                             /* it has successors on some days; writer only */
    _Atomic(struct symbol_company *) company; /* one block with its strings, immutable; or NULL */
    struct tally tally;
    _Atomic uint32_t politicians; /* with visible trades in it */
    char *line;                   /* writer only: its line of name_order.h; NULL: not made yet */
    size_t line_n, name_n;
};

struct symbols {
    const struct renames *renames;
    struct rcumap *by_text;
    struct symbol **by_index; /* writer only; [0] is unused */
    uint32_t n, capacity;
    _Atomic(struct name_order *) order; /* all symbols, bytewise, as of the last symbols_sort; items
                                           are const struct symbol */
    bool unsorted;                      /* writer only: a symbol was added or changed since */
    struct rcu_retired *retired;
};

/* The renames outlive the symbols and are complete before the first symbol is added. */
void symbols_init(struct symbols *s, const struct renames *renames, struct rcu_retired *retired);
void symbols_finish(struct symbols *s);

/* Readers and writer. */
struct symbol *symbols_find(const struct symbols *s, struct str text); /* NULL: unknown */

const struct name_order *symbols_order(const struct symbols *s);

/* As for people (people.h). */
struct cursor symbols_order_cursor(const struct name_order *order, uint32_t i, enum name_rank rank);
uint32_t symbols_order_after(
    const struct name_order *order, const struct cursor *cursor, enum name_rank *ret_rank);

/* Writer only. */
struct symbol *symbols_get(struct symbols *s, struct str text); /* created if missing */
void symbols_set_company(struct symbols *s, struct symbol *symbol, struct symbol_company company);
/* Rebuilds the order if it is out of date. */
void symbols_sort(struct symbols *s);
