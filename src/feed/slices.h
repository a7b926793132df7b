/*
 * Facts of 256 rows as bit slices (docs/adr/0027-bit-slices.md). Each row has a code of SLICES
 * bits, in which each field has its place; slice k has bit k of all 256 codes. A test of a field
 * reads only the slices of this field, and decides 64 rows with one operation per bit.
 *
 * One writer changes a slice while readers read it. A reader may see one fact of a row before a
 * change and another after it: whoever shows a row compares its record, too.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum slice_field {
    SLICE_LIVE,   /* 1: not withdrawn */
    SLICE_SIGNAL, /* 1: with a conflict signal */
    SLICE_SIDE,
    SLICE_OWNER,
    SLICE_ASSET_TYPE,
    SLICE_BRACKET,
    SLICE_PARTY, /* number in parties.h */
    SLICE_STATE, /* slices_state */
    SLICE_DAY,   /* slices_day; 0: no trade date */
    SLICE_FIELD_COUNT
};

enum { SLICES = 60, SLICE_ROWS = 256, SLICE_WORDS = SLICE_ROWS / 64, SLICE_PARTY_MAX = 4095 };

struct slices {
    _Atomic uint64_t words[SLICES][SLICE_WORDS];
};

/* The bits of a value in a code. The value must fit the field. */
uint64_t slices_code(enum slice_field field, uint64_t value);

uint64_t slices_state(const char letters[static 2]); /* 0: not two capital letters */
uint64_t slices_day(int32_t day);

/* Writer only: replaces the code of a row, which is 0 at first. */
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

/* Clears the bits of rows that fail the test; false: none is left. */
bool slices_keep(const struct slices *s, const struct slice_test *test, struct slice_mask *mask);

/* Fetches what slices_keep will read. */
void slices_prefetch(const struct slices *s, const struct slice_test *test);

/* The same test for one code. */
bool slice_test_has(const struct slice_test *test, uint64_t code);
