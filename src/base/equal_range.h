/* Search in a sorted table of constants that has several records for a key. */
#pragma once

#include <stddef.h>

#include "base/str.h"

/* The first of the records with that key, and their number in *ret_count; 0: none, and the result
 * is where they would be. The records are sorted by their key, a struct str that is their first
 * member. */
const void *equal_range(
    const void *records, size_t count, size_t record_size, struct str key, size_t *ret_count);
