/*
 * A value of a view. Private to src/html and its tests.
 */
#pragma once

#include "html/view.h"

enum view_kind {
    VIEW_NULL,
    VIEW_BOOL,
    VIEW_INT,
    VIEW_STR,
    VIEW_TYPED, /* text, printed in a form */
    VIEW_HTML,
    VIEW_OBJECT,
    VIEW_LIST,
};

struct view {
    struct arena *arena;
    struct str name; /* in an object; null in a list and at the root */
    struct view *next;
    enum view_kind kind;
    union {
        bool yes;
        int64_t number;
        struct str text; /* of VIEW_STR, VIEW_TYPED and VIEW_HTML; never null */
        struct {
            struct view *first, *last;
        } children;
    };
};

/* A value without a name. */
struct view *view_node(struct arena *arena, enum view_kind kind);

/* A new last member of an object (`name` is borrowed) or item of a list. */
struct view *view_add(struct view *to, struct str name, enum view_kind kind);

/* NULL: no such member, or not an object. */
const struct view *view_find(const struct view *object, struct str name);
