/* Sizes, times and counts in words, as admins read them on pages and in `stockact status`. */
#pragma once

#include "base/mem.h"

/* "512 bytes", "1.4 GiB" */
struct str words_bytes(struct arena *arena, int64_t bytes);

/* The largest unit alone, rounded down: "40 seconds", "1 minute", "3 hours", "12 days"; or
 * "less than a second". */
struct str words_duration(struct arena *arena, int64_t ms);

/* "3,120" */
struct str words_number(struct arena *arena, int64_t n);

struct str words_seconds(struct arena *arena, int64_t ms); /* "4.2"; negative: null */

/* "1 e-mail", "3,120 e-mails" */
struct str words_count(struct arena *arena, int64_t n, const char *one, const char *many);
