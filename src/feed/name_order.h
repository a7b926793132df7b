/*
 * Things with names, in order, and the folded words of their names in one text, so that a search
 * scans one block of memory. Immutable once readers see it.
 *
 * A line has the words of all names (base/fold.h), separated by spaces: those of the thing's own
 * name first, then those of its other names.
 */
#pragma once

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

/* A place in the order, and how well it fits. */
struct name_hit {
    enum name_rank rank;
    uint32_t place;
};

/* A search by rank and then in order. */
struct name_search {
    struct str words;      /* empty: everything, in order, as NAME_EXACT */
    bool begins;           /* at the first hit; otherwise after `after` */
    struct name_hit after; /* its place is the first that is later in the order */
    bool (*keeps)(const void *item, void *ctx); /* leaves items out */
    void *ctx;
};

/* Finds at most `max` hits (at least 1). Places that are only alike are found if no kept place has
 * the words as parts. Scans the text once; likeness compares with every line. */
size_t name_order_search(
    const struct name_order *order, const struct name_search *search, size_t max,
    struct name_hit *ret);
