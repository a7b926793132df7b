/* Values of jansson, with text and buffers as the rest of the code has them. */
#pragma once

#include <jansson.h>

#include "base/buf.h"

/* The text of a JSON string; the null string for any other value and for NULL. */
static inline struct str json_text(const json_t *value)
{
    return json_is_string(value) ? str_of(json_string_value(value), json_string_length(value))
                                 : STR_NULL;
}

/* A reference to be given back by json_decref; NULL: NULL. Counting it does not change the value,
 * although jansson asks for one that may be changed. */
static inline json_t *json_keep(const json_t *value)
{
    return json_incref((json_t *)(uintptr_t)value);
}

void json_put(struct buf *b, const json_t *value); /* as JSON, without white space */
