/*
 * Facts of 256 rows as bit slices (docs/adr/0027-bit-slices.md). Each row has a code of SLICES
 * bits, in which each field has its place; slice k has bit k of all 256 codes. A test of a field
 * reads only the slices of this field, and decides 64 rows with one operation per bit.
 *
 * Values of a field that seldom occur share a code: days before 1900 and after 2258, and parties
 * from the 15th on. The slices then keep a row that the test of its value may refuse.
 *
 * One writer changes a code while readers read it, bit by bit. A reader that meets a change gets
 * every row of the 256, and one that does not may read a row just before it changes. So a row that
 * passes is compared by its record before a page shows it.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum slice_field {
    SLICE_LIVE,   /* 1: not withdrawn */
    SLICE_SIGNAL, /* enum signal_mark; 0: no conflict signal */
    SLICE_SIDE,
    SLICE_OWNER,
    SLICE_ASSET_TYPE,
    SLICE_BRACKET,
    SLICE_PARTY, /* number in parties.h; the last code is shared */
    SLICE_STATE, /* slices_state */
    SLICE_DAY,   /* slices_day, or 0: no trade date; the first and the last code are shared */
    SLICE_LATE,  /* series_facts.late */
    SLICE_FIELD_COUNT
};

enum { SLICES = 52, SLICE_ROWS = 256, SLICE_WORDS = SLICE_ROWS / 64 };

/* Where the day is in a code, and what a value of slices_day has more than its code. */
enum { SLICE_DAY_SHIFT = 35, SLICE_DAY_BITS = 17, SLICE_DAYS_SKIPPED = 693595 };

struct slices {
    _Atomic uint32_t version; /* odd: a code is changing */
    _Atomic uint64_t words[SLICES][SLICE_WORDS];
};

/* The bits of a value in a code. The value must fit the field, unless values share its last code.
 */
uint64_t slices_code(enum slice_field field, uint64_t value);

/* The value of the field in a code; days and parties that share a code come out as the first and
 * the last one. */
struct slice_place {
    uint32_t shift;
    uint64_t mask;
};
struct slice_place slices_place(enum slice_field field);

/* Whether the code of a row has a value that others share. */
bool slices_code_is_shared(uint64_t code);

uint64_t slices_state(const char letters[static 2]); /* 0: not two capital letters */
uint64_t slices_day(int32_t day);                    /* at least 1 */

/* Writer only: sets the code of a row that no reader looks at yet. */
void slices_put(struct slices *s, uint32_t row, uint64_t code);
/* Writer only: replaces the code of a row. */
void slices_change(struct slices *s, uint32_t row, uint64_t from, uint64_t to);

enum slice_compare {
    SLICE_IN,       /* value is a set: bit v for the value v, of fields of at most 4 bits */
    SLICE_EQUAL,    /* the field has the value */
    SLICE_AT_LEAST, /* the value or more */
    SLICE_AT_MOST,  /* the value or less, and not 0 */
};

struct slice_test {
    enum slice_field field;
    enum slice_compare compare;
    uint64_t value;
};

/* A bit for each row. */
struct slice_mask {
    uint64_t words[SLICE_WORDS];
};

/* The rows that may pass all tests, and do unless slice_test_is_shared says otherwise of one of
 * them. False: a code changed meanwhile, and the rows are not known. */
bool slices_read(
    const struct slices *s, const struct slice_test *tests, size_t n, struct slice_mask *ret);

/* The rows that may pass all tests; false: none. All rows, if a code changes meanwhile. */
bool slices_match(
    const struct slices *s, const struct slice_test *tests, size_t n, struct slice_mask *ret);

/* Fetches what slices_match will read. */
void slices_prefetch(const struct slices *s, const struct slice_test *test);

/* The same test for one value. */
bool slice_test_passes(const struct slice_test *test, uint64_t value);

/* Whether values that pass share a code with values that do not. */
bool slice_test_is_shared(const struct slice_test *test);
