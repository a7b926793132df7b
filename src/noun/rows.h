/*
 * Writes the rows of tables of fields (noun/field.h): {TEXT("name", trade, name), SAYS("...")}.
 * The compiler checks that a member of the struct has the type that its row prints.
 */
#pragma once

#include "noun/field.h"

#define NAMED(text, what) .name = STR_INIT(text), .key = STR_INIT("\"" text "\":"), .kind = what
#define SAYS(text) .description = STR_INIT(text)
#define OR_NULL .nullable = true
#define URI .format = STR_INIT("uri")
#define CSV(text) .csv = STR_INIT(text)

/* The offset of a member, if it is of this type. */
#define PLACE(of, member, type)                                                                    \
    (offsetof(struct of, member) +                                                                 \
     0 * sizeof(char                                                                               \
                    [__builtin_types_compatible_p(__typeof__(((struct of *)NULL)->member), type)   \
                         ? 1                                                                       \
                         : -1]))
#define TYPED(text, what, of, member, type) NAMED(text, what), .offset = PLACE(of, member, type)

#define TEXT(text, of, member) TYPED(text, SHAPE_STRING, of, member, struct str)
#define TEXT_OF(name, function) NAMED(name, SHAPE_TEXT_OF), .text = (function)
#define NUMBERED(text, of, member, before)                                                         \
    TYPED(text, SHAPE_NUMBERED, of, member, int64_t), .constant = STR_INIT(before)
#define LISTED(text, of, member, names)                                                            \
    NAMED(text, SHAPE_LISTED), .offset = offsetof(struct of, member), .list = (names)
#define DAY(text, of, member)                                                                      \
    TYPED(text, SHAPE_DAY, of, member, int32_t), .format = STR_INIT("date")
#define MONTH(text, of, member) TYPED(text, SHAPE_MONTH, of, member, int32_t)
#define INSTANT(text, of, member)                                                                  \
    TYPED(text, SHAPE_INSTANT, of, member, int64_t), .format = STR_INIT("date-time")
#define DIGEST(text, of, member) TYPED(text, SHAPE_DIGEST, of, member, uint8_t[32])
#define DOLLARS(text, of, member) TYPED(text, SHAPE_DOLLARS, of, member, int64_t)
#define COUNT(text, of, member) TYPED(text, SHAPE_COUNT, of, member, int64_t)
#define INTEGER(text, of, member) TYPED(text, SHAPE_INTEGER, of, member, int)
#define ORDINAL(text, of, member) TYPED(text, SHAPE_ORDINAL, of, member, int)
#define SECONDS(text, of, member) TYPED(text, SHAPE_SECONDS, of, member, int64_t)
#define SHARE(text, of, member) TYPED(text, SHAPE_SHARE, of, member, double), OR_NULL
#define BOOLEAN(text, of, member) TYPED(text, SHAPE_BOOLEAN, of, member, bool)
#define MAYBE(text, of, member) NAMED(text, SHAPE_MAYBE), .offset = offsetof(struct of, member)
#define JSON(text, of, member) TYPED(text, SHAPE_JSON, of, member, struct str)
#define JSON_OF(text, of, member, what) JSON(text, of, member), .object = (what)
#define JSON_LIST(text, of, member, what)                                                          \
    TYPED(text, SHAPE_JSON_LIST, of, member, struct str), .object = (what)

#define NAMES(text, of, member, count, names)                                                      \
    TYPED(text, SHAPE_NAMES, of, member, const int *), .count_at = PLACE(of, count, size_t),       \
                                                       .list = (names)
#define LIST(text, of, member, count, what)                                                        \
    NAMED(text, SHAPE_LIST), .offset = offsetof(struct of, member),                                \
                             .count_at = PLACE(of, count, size_t), .object = (what)
#define ROWS(text, of, member, what)                                                               \
    TYPED(text, SHAPE_ROWS, of, member, struct str), .object = (what)
#define OBJECT(text, of, member, what)                                                             \
    NAMED(text, SHAPE_OBJECT), .offset = offsetof(struct of, member), .object = (what)
#define SELF(text, what) NAMED(text, SHAPE_OBJECT), .object = (what) /* of the same struct */
#define INNER(text, function, what) NAMED(text, SHAPE_OBJECT), .inner = (function), .object = (what)
#define POINTER(text, of, member, what)                                                            \
    NAMED(text, SHAPE_POINTER), .offset = offsetof(struct of, member), .object = (what)

/* A member that other code prints. */
#define TOLD(what, text) NAMED(text, what), .told = true
#define TOLD_OBJECT(text, what) TOLD(SHAPE_OBJECT, text), .object = (what)
#define TOLD_LIST(text, what) TOLD(SHAPE_LIST, text), .object = (what)

/* The object shape_ID with the rows [from, to) of a table. */
#define SHAPE_PART(id, title, what, of, rows, from, to)                                            \
    const struct shape_object shape_##id = {                                                       \
        .name = STR_INIT(title),                                                                   \
        .description = STR_INIT(what),                                                             \
        .size = sizeof(struct of),                                                                 \
        .count = (to) - (from),                                                                    \
        .fields = (rows) + (from),                                                                 \
    }

/* The object shape_ID with all rows of the table ID_rows. */
#define SHAPE(id, title, what, of)                                                                 \
    SHAPE_PART(id, title, what, of, id##_rows, 0, sizeof id##_rows / sizeof *id##_rows)
#define SHAPE_TOLD(id, title, what) SHAPE(id, title, what, shape_field)
