/*
 * Parses an HTML page into a tree (libxml2) and walks it. Only confined children use it
 * (docs/adr/0013-extraction.md).
 */
#pragma once

#include <libxml/tree.h>

#include "base/mem.h"

/* NULL: not HTML, or over the parser's limits. Free it with xmlFreeDoc. */
xmlDoc *html_tree_parse(struct str html);

/* Returns the next element `name` after `at` inside `root`, in document order; NULL: none. Start
 * with `at` NULL. */
xmlNode *html_tree_next(xmlNode *root, xmlNode *at, const char *name);

/* Returns the next child element `name` after `before`; NULL: none. Start with `before` NULL. */
xmlNode *html_tree_child(xmlNode *parent, xmlNode *before, const char *name);

/* Reports whether the attribute `class` of the element holds the word. */
bool html_tree_has_class(const xmlNode *element, const char *word);

/* All text below the node, with white space (no-break spaces too) folded.
 * Elements of class `skip_class` are left out (NULL: none). Never null. */
struct str html_tree_text(const xmlNode *node, const char *skip_class, struct arena *arena);
