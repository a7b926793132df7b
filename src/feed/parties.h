/*
 * Party names as trades print them. Each has a number from 1, so that a row stores four bytes;
 * names that differ only in letter case have one number. There are a few dozen; names are never
 * removed.
 */
#pragma once

#include "base/buf.h"
#include "base/mem.h"
#include "base/rcu.h"

enum { PARTIES_MAX = 2047 };

struct parties {
    struct rcumap *by_text;
    struct arena arena;
    uint32_t n;
};

void parties_init(struct parties *p, struct rcu_retired *retired);
void parties_finish(struct parties *p);

/* Readers and writer: the party's number; 0: no trade has this party. */
uint32_t parties_find(const struct parties *p, struct str text);

/* Readers: appends the names, in no particular order. Leaves out those that would make the buffer
 * longer than size_max. */
void parties_put(const struct parties *p, struct buf *b, struct str between, size_t size_max);

/* Writer only: the party's number, new or existing. 0: null, or too many names. */
uint32_t parties_intern(struct parties *p, struct str text);
