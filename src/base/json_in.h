/*
 * JSON that is read where it lies: a value is the piece of the text that it stands in, and nothing
 * is built. For texts of which little is looked at, and much is handed on as it came.
 *
 *     if (json_in_check(text)) {
 *         struct str rows = json_in_member(text, STR("data")), row;
 *         while (json_in_next(&rows, &row)) ...
 *     }
 *
 * Everything but the check wants a text that it has found right, or a value that came out of one.
 * A value has no white space around it; its first character says what it is: { [ " t f n, and for
 * a number - or a digit. The null string stands for a value that is not there.
 */
#pragma once

#include "base/buf.h"

enum { JSON_IN_DEPTH_MAX = 64 };

/* Whether it is one value by RFC 8259: UTF-8, no half of a surrogate pair, containers within
 * containers to the depth above. A name may be in an object twice; json_in_members minds it. */
bool json_in_check(struct str text);

/* Whether a value begins so. */
static inline bool json_in_is(struct str value, char first)
{
    return value.n > 0 && value.p[0] == first;
}

/* The members of these names, at most 32; null where an object has none of the name, or two, which
 * readers take for different ones, and where it is no object. A name that is written with escapes
 * is not found. */
void json_in_members(
    struct str object, const struct str *names, size_t count, struct str *ret_values);
struct str json_in_member(struct str object, struct str name);

/* Takes the next element off *array; false when there is none, or it is no array. */
bool json_in_next(struct str *array, struct str *ret_element);

/* Puts what a string says; false, and nothing, for any other value. */
bool json_in_text(struct str value, struct buf *to);
