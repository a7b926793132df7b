/*
 * An HTML page as a tree, by libxml2: what the readers of pages ask of it. Only confined children
 * use it (docs/adr/0013-extraction.md).
 */
#pragma once

#include <libxml/tree.h>

#include "base/mem.h"
#include "base/str.h"

/* NULL: not HTML, or past the parser's bounds. Ended by xmlFreeDoc. */
xmlDoc *html_tree_parse(struct str html);

/* The next element called `name` after `at` inside `root`, in document order; NULL: none. `at` is
 * NULL for the first. */
xmlNode *html_tree_next(xmlNode *root, xmlNode *at, const char *name);

/* Elements called `name` that are children of the node, one after the other. */
xmlNode *html_tree_child(xmlNode *parent, xmlNode *before, const char *name);

/* Whether the attribute `class` of the element holds the word. */
bool html_tree_has_class(const xmlNode *element, const char *word);

/* All text below the node with white space folded (no-break spaces too), without control bytes;
 * `skip_class`: elements of that class are left out (NULL: none). Never null. */
struct str html_tree_text(const xmlNode *node, const char *skip_class, struct arena *arena);
