/*
 * Party names as trades print them, each with a number from 1, so that a row keeps four bytes of
 * its own. There are a few dozen; a name never leaves.
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

/* Readers and writer: its number; 0: no trade has this party. */
uint32_t parties_find(const struct parties *p, struct str text);

/* The writer: its number, new or not; null: 0. */
uint32_t parties_intern(struct parties *p, struct str text);
