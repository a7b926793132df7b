/* Helpers for jansson values that use struct str and struct buf. */
#pragma once

#include <jansson.h>

#include "base/buf.h"

/* The text of a JSON string. Null for any other value and for NULL. */
static inline struct str json_text(const json_t *value)
{
    return json_is_string(value) ? str_of(json_string_value(value), json_string_length(value))
                                 : STR_NULL;
}

/* Returns a new reference, to be released with json_decref; NULL for NULL. The cast is safe:
 * jansson changes only the reference count. */
static inline json_t *json_keep(const json_t *value)
{
    return json_incref((json_t *)(uintptr_t)value);
}

void json_put(struct buf *b, const json_t *value); /* appends JSON without white space */

/* Appends a result with a list as a table: a line of the names of columns, a line for each element
 * of `data`, and one for each other member. Columns without any value are left out. */
void json_put_table(struct buf *b, const json_t *result);
