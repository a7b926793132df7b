/*
 * Invented filings with the mix of real ones: sides, brackets, owners and kinds of assets in about
 * the proportions of sources.md. Most filings are small and a few are large; some members file far
 * more often than others.
 */
#pragma once

#include "demo/dice.h"
#include "rule/draft.h"
#include "store/public/member.h"
#include "store/public/ticker.h"

/* Invented companies from the built-in data/demo_companies.csv, each in one of the project's
 * industries. No listed company has or had one of their symbols (a test compares them). */

struct demo_companies {
    struct ticker *items;
    size_t count;
};

/* In the arena. A malformed list is a build error (asserted). */
void demo_companies_read(struct arena *arena, struct demo_companies *ret);

enum { DEMO_FILING_ROWS_MAX = 200, DEMO_FILING_ID_SIZE_MAX = 40 };

struct demo_maker {
    struct dice dice;
    const struct member *people;
    size_t people_count;
    const struct demo_companies *companies;
    struct draft_document document;
    struct arena arena; /* of the last filing */
    /* The id of each member's last filing, for amendments; empty: none yet. */
    char (*last)[DEMO_FILING_ID_SIZE_MAX];
};

/* `people` and `companies` must outlive the maker. */
void demo_maker_init(
    struct demo_maker *m, uint64_t seed, const struct member *people, size_t people_count,
    const struct demo_companies *companies);
void demo_maker_finish(struct demo_maker *m);

/* The number of rows of the next filing in a sequence, 1 to DEMO_FILING_ROWS_MAX. */
int demo_filing_rows(struct dice *d);

/* Makes one filing, valid until the next; its id and URL contain `number`. */
void demo_maker_make(
    struct demo_maker *m, struct str number, int64_t filed_at, int rows, struct draft_filing *ret);

/* Invented members of Congress. No real member has had one of their names (a test compares them).
 * Places are real; districts and parties are random. */

enum { DEMO_SENATORS = 100, DEMO_MEMBERS = 420 };

/* Makes all members in the arena, the same for the same day. `as_of` dates their terms: most are in
 * office then, some left within the last three years. The first DEMO_SENATORS are in the Senate. */
struct member *demo_people(struct arena *arena, int32_t as_of);
