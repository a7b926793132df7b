/* Invented companies: data/demo_companies.csv, built in, each in one industry of the project's.
 * Their symbols are not those of listed companies, now or earlier (a test compares them). */
#pragma once

#include "base/mem.h"
#include "store/ticker.h"

struct demo_companies {
    struct ticker *items;
    size_t count;
};

/* In the arena. A list that is not well formed is a mistake of the build (asserted). */
void demo_companies_read(struct arena *arena, struct demo_companies *ret);
