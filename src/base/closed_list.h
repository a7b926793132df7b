/*
 * A closed list is one macro with an ENTRY(constant, ...) a row: LIST(LIST_NAME) names the
 * constants in its enum, and LIST(LIST_ROW) fills the table of what belongs to each.
 */
#pragma once

#include <assert.h>

#include "base/str.h"

#define LIST_NAME(constant, ...) constant,
#define LIST_ROW(constant, ...) [constant] = {__VA_ARGS__},

/*
 * The functions of a closed list, an enum whose names stand in a table. Each macro defines one
 * function; `name` is the name of `value`, such as state_names[value], and `count` the number of
 * values.
 */

/* NOLINTBEGIN(bugprone-macro-parentheses): names of types and functions take none */

/* struct str FUNCTION(enum LIST value): its name. */
#define ENUM_NAME(function, list, name, count)                                                     \
    struct str function(enum list value)                                                           \
    {                                                                                              \
        assert(value < (count));                                                                   \
        return name;                                                                               \
    }

/* enum LIST FUNCTION(struct str text): the value from `first` on with this name; else `none`. */
#define ENUM_FROM(function, list, name, first, count, none)                                        \
    enum list function(struct str text)                                                            \
    {                                                                                              \
        for (enum list value = (enum list)(first); value < (count); value++)                       \
            if (str_eq(name, text))                                                                \
                return value;                                                                      \
        return (enum list)(none);                                                                  \
    }

/* bool FUNCTION(struct str text, enum LIST *ret): the same; false: there is none. */
#define ENUM_FIND(function, list, name, first, count)                                              \
    bool function(struct str text, enum list *ret)                                                 \
    {                                                                                              \
        enum list value = (enum list)(first);                                                      \
        while (value < (count) && !str_eq(name, text))                                             \
            value++;                                                                               \
        if (value < (count))                                                                       \
            *ret = value;                                                                          \
        return value < (count);                                                                    \
    }

/* NOLINTEND(bugprone-macro-parentheses) */
