/*
 * Party names as trades print them. Each has a number from 1, so that a row stores four bytes.
 * There are a few dozen; names are never removed.
 */
#pragma once

#include "base/mem.h"
#include "base/rcumap.h"

struct parties {
    struct rcumap *by_text;
    struct arena arena;
    uint32_t n;
};

void parties_init(struct parties *p, struct rcu_retired *retired);
void parties_finish(struct parties *p);

/* Readers and writer: the party's number; 0: no trade has this party. */
uint32_t parties_find(const struct parties *p, struct str text);

/* Writer only: the party's number, new or existing; null: 0. */
uint32_t parties_intern(struct parties *p, struct str text);
