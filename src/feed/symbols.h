/*
 * Ticker symbols as the feed knows them: those of the ticker tables and those in trades, with
 * company, industry and the counts of their trades, dated predecessors' included. A symbol has an
 * index, which posting keys use, from 1.
 */
#pragma once

#include "base/mem.h"
#include "base/rcumap.h"
#include "feed/renames.h"
#include "feed/tally.h"

struct symbol_company {
    struct str name;     /* or null */
    struct str industry; /* or null */
};

struct symbol {
    uint32_t index;
    struct str text;
    bool renamed;                             /* it has successors on some days; the writer's */
    _Atomic(struct symbol_company *) company; /* one block with its strings, const; or NULL */
    struct tally tally;
    _Atomic uint32_t politicians; /* with visible trades in it */
};

struct symbols {
    const struct renames *renames;
    struct rcumap *by_text;
    struct symbol **by_index; /* the writer's; [0] is not used */
    uint32_t n, capacity;
    struct rcu_retired *retired;
};

/* The renames outlive it and are complete before the first symbol. */
void symbols_init(struct symbols *s, const struct renames *renames, struct rcu_retired *retired);
void symbols_finish(struct symbols *s);

/* Readers and writer. */
struct symbol *symbols_find(const struct symbols *s, struct str text); /* NULL: unknown */

/* The writer. */
struct symbol *symbols_get(struct symbols *s, struct str text); /* made where there was none */
void symbols_set_company(struct symbols *s, struct symbol *symbol, struct symbol_company company);
