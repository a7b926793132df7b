/* Addresses with a query. */
#pragma once

#include "base/mem.h"

struct link_param {
    struct str name;
    struct str value; /* null: left out */
};

/* "/admin/log?action=key.mint&cursor=..." in the arena: names and values percent-encoded, `path` as
 * it is. */
struct str link_make(
    struct arena *arena, struct str path, const struct link_param *params, size_t count);
