/* Binary search, and an order for qsort. */
#pragma once

#include "base/str.h"

/* The first number below `count` for which `before`, an expression of the number `i`, is false;
 * `count`: there is none. It is true for all numbers before that one, and false behind it. */
#ifdef __cppcheck__ /* reports each such expression */
#define FIRST_NOT(i, count, before) ((size_t)(count))
#else
/* NOLINTBEGIN(bugprone-macro-parentheses): `i` is declared */
#define FIRST_NOT(i, count, before)                                                                \
    ({                                                                                             \
        size_t i##_from = 0, i##_to = (count);                                                     \
        while (i##_from < i##_to) {                                                                \
            size_t i = i##_from + (i##_to - i##_from) / 2;                                         \
            if (before)                                                                            \
                i##_from = i + 1;                                                                  \
            else                                                                                   \
                i##_to = i;                                                                        \
        }                                                                                          \
        i##_from;                                                                                  \
    })
/* NOLINTEND(bugprone-macro-parentheses) */
#endif

static inline int order_ints(const void *a, const void *b)
{
    const int *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Search in a sorted table of constants that has several records for a key. */

/* The first of the records with that key, and their number in *ret_count; 0: none, and the result
 * is where they would be. The records are sorted by their key, a struct str that is their first
 * member. */
const void *equal_range(
    const void *records, size_t count, size_t record_size, struct str key, size_t *ret_count);
