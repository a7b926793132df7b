/*
 * Which company held a symbol, and when: data/symbol_holders.csv, made by script/update-symbols
 * from dated copies of the SEC's list and from the newest listings, embedded at build time and
 * parsed at the first call. It has a name but no industry. market/company.h combines it with the
 * other lists. All strings live as long as the process.
 */
#pragma once

#include "rule/model.h"

struct symbol_holder {
    struct str symbol; /* normal form; the key of equal_range */
    int64_t cik;       /* the SEC's number of the company; 0: not known */
    int32_t from;      /* first list that shows it; DAY_NONE: it can be earlier than all lists */
    int32_t to;        /* last list that shows it; DAY_NONE: the newest */
    struct str company;
};

/* The holders of a symbol, in order of time; they share no day. *ret_count is 0 if there are none.
 */
const struct symbol_holder *symbol_holders_of(struct str symbol, size_t *ret_count);
/* All holders, by symbol and days; for tests. */
const struct symbol_holder *symbol_holders(size_t *ret_count);
/* The latest day on which the newest of the lists can have been made. */
int32_t symbol_holders_day(void);
