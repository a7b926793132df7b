/* The addresses of the documentation. Private to src/site. */
#pragma once

#include "base/mem.h"
#include "edge/doc.h"

/* "/docs" or "/docs/NAME" */
static inline struct str docs_path(const struct doc *doc, struct arena *arena)
{
    return doc->name.n ? arena_fmt(arena, "/docs/%.*s", STR_ARG(doc->name)) : STR("/docs");
}
