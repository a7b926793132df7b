/*
 * A map from 64-bit keys to pointers, in one thread: open addressing, never smaller. Keys are
 * spread here, so that they may be running numbers; who has texts hashes them first and compares
 * what is found.
 */
#pragma once

#include <stdint.h>

#include "base/mem.h"

struct intmap {
    struct intmap_slot {
        uint64_t key;
        void *value; /* NULL: free */
    } * slots;
    size_t mask, used;
};

void intmap_init(struct intmap *t);
void intmap_finish(struct intmap *t);
void *intmap_get(const struct intmap *t, uint64_t key);       /* NULL: not there */
void intmap_put(struct intmap *t, uint64_t key, void *value); /* value is not NULL; replaces */
