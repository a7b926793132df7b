/* Invented companies from the built-in data/demo_companies.csv, each in one of the project's
 * industries. No listed company has or had one of their symbols (a test compares them). */
#pragma once

#include "base/mem.h"
#include "store/public/ticker.h"

struct demo_companies {
    struct ticker *items;
    size_t count;
};

/* In the arena. A malformed list is a build error (asserted). */
void demo_companies_read(struct arena *arena, struct demo_companies *ret);
