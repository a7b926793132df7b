/*
 * A map from 64-bit keys to pointers, in one thread: open addressing, never smaller. Keys are
 * spread here, so that they may be running numbers; who has texts hashes them first and compares
 * what is found.
 */
#pragma once

#include <stdint.h>

#include "base/mem.h"

struct table {
    struct table_slot {
        uint64_t key;
        void *value; /* NULL: free */
    } * slots;
    size_t mask, used;
};

void table_init(struct table *t);
void table_finish(struct table *t);
void *table_get(const struct table *t, uint64_t key);       /* NULL: not there */
void table_put(struct table *t, uint64_t key, void *value); /* value is not NULL; replaces */
