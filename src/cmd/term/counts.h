/* The counts of an import: fields in a pipe and with --json, a list in words on a terminal. */
#pragma once

#include "cmd/term/out.h"

struct count_line {
    const char *name; /* of the field */
    int64_t value;
    const char *one, *many; /* the words after the number: "symbol added", "symbols added" */
    enum out_mood mood;     /* of a value above 0 */
};

/* What a terminal shows beside the counts; each may be NULL. */
struct counts_words {
    const char *title;      /* "Seats as of 2025-06-01" */
    const char *unchanged;  /* set: nothing was new, said in a sentence */
    const char *next, *why; /* the next command, and what it does */
};

/* On a terminal prints the title, the counts above 0, and the next command; the first count always.
 * Otherwise nothing: false. */
bool counts_page(
    struct out *out, const struct counts_words *words, const struct count_line *counts, size_t n);

/* The counts as fields of the block that was begun. */
void counts_fields(struct out *out, const struct count_line *counts, size_t n);

/* counts_page, or a block of these fields alone. */
void counts_print(
    struct out *out, const struct counts_words *words, const struct count_line *counts, size_t n);
