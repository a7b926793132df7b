/*
 * Things with names, in order, and the folded words of their names in one text, so that a search
 * scans one block of memory. Immutable once readers see it.
 *
 * A line has the words of all names (base/fold.h), separated by spaces: those of the thing's own
 * name first, then those of its other names.
 */
#pragma once

#include <stddef.h>

#include "base/str.h"

struct name_order {
    uint32_t n;
    const void **items;
    uint32_t *line_at; /* n + 1 offsets into `lines`; each line ends with a line feed */
    uint16_t *name_n;  /* bytes of a line that are the thing's own name */
    char *lines;
};

/* One block for n items and this much text, line feeds included; for mem_free. The caller sets
 * `items` and then adds each line in order. */
struct name_order *name_order_create(uint32_t n, size_t text_n);
void name_order_add(struct name_order *order, uint32_t i, struct str line, size_t name_n);

/* How well searched words fit a line, the best first. */
enum name_rank {
    NAME_EXACT,  /* they are the thing's own name */
    NAME_PREFIX, /* its own name begins with them */
    NAME_WORDS,  /* each is a word of a name */
    NAME_STARTS, /* each begins a word */
    NAME_PARTS,  /* each is part of a word */
    NAME_ALIKE,  /* each is one of these, or a word with a typing error, or one that sounds alike */
    NAME_RANK_COUNT
};

/* The first place at or after `from` with exactly this rank; n: none. NAME_ALIKE compares with
 * every line, the others search the text. `words` is not empty. */
uint32_t name_order_find(
    const struct name_order *order, uint32_t from, struct str words, enum name_rank rank);
