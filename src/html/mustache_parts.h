/* The tree of a template. Private to src/html. */
#pragma once

#include "html/mustache.h"

enum mustache_kind {
    MUSTACHE_TEXT,
    MUSTACHE_VALUE,
    MUSTACHE_RAW, /* a value, not escaped */
    MUSTACHE_SECTION,
    MUSTACHE_INVERTED,
    MUSTACHE_PARTIAL,
    MUSTACHE_PARENT, /* its children are the blocks that replace those of the target */
    MUSTACHE_BLOCK,
};

struct mustache_node {
    enum mustache_kind kind;
    unsigned line;
    struct str text;         /* of MUSTACHE_TEXT; otherwise the name */
    const struct str *parts; /* of a dotted name; none for "." */
    size_t part_count;
    struct str indent;             /* before each line of a partial, a parent or a block */
    const struct mustache *target; /* of a partial or parent; NULL: not in the set */
    struct mustache_node *children;
    struct mustache_node *next;
};

struct mustache {
    struct str name;
    struct mustache_node *nodes;
    struct mustache *next;
};

/* Parses `text`, which must live as long as the arena. */
enum err mustache_parse(
    struct arena *arena, struct str name, struct str text, struct mustache_node **ret_nodes,
    struct fail *fail);
