/*
 * A list as a table with pages, for the partial `table`:
 *
 *     struct view *keys = table_begin(view, "keys", "Name|Key|#Requests", "You have no keys yet.");
 *     while (...) {
 *         struct view *row = table_row(keys);
 *         view_str(row, "name", name);
 *     }
 *     table_pages(keys, STR("/account/keys"), filters, 1, previous, next);
 *
 *     {{#keys}}{{<table}}
 *     {{$caption}}Keys{{/caption}}{{$row}}<td>{{name}}</td>{{/row}}
 *     {{/table}}{{/keys}}
 *
 * The view gets an object: columns (label, number), rows, any (there is a row), empty (the sentence
 * shown instead of an empty table), paged, previous, next (addresses).
 */
#pragma once

#include "html/link.h"
#include "html/view.h"

/* `columns`: the labels, with | between them; one with a # before it has numbers, digits below each
 * other. NULL: the page writes the head itself. */
struct view *table_begin(
    struct view *view, const char *name, const char *columns, const char *empty);

struct view *table_row(struct view *table);

/* Links to the pages before and after this one, by keyset cursor: `path` with the filters and one
 * of the two parameters. A null value: there is no such page. */
void table_pages(
    struct view *table, struct str path, const struct link_param *filters, size_t filter_count,
    struct link_param previous, struct link_param next);
