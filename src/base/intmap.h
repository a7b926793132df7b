/*
 * A single-threaded map from 64-bit keys to pointers: open addressing, never shrinks. The map
 * spreads keys, so that they may be consecutive numbers. To use texts as keys, hash them and
 * compare the value found.
 */
#pragma once

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
/* Declares an empty one, which is freed where its block ends. */
#define INTMAP_SCOPED(name)                                                                        \
    struct intmap name __attribute__((cleanup(intmap_finish)));                                    \
    intmap_init(&(name))
void *intmap_get(const struct intmap *t, uint64_t key);       /* NULL: not found */
void intmap_put(struct intmap *t, uint64_t key, void *value); /* value is not NULL; replaces */
