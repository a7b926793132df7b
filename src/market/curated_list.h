/*
 * Reads the curated lists of data/, which are embedded at build time. A malformed list is a mistake
 * of the build: a unit test reads the same bytes. Fields live as long as the arena.
 */
#pragma once

#include <assert.h>

#include "base/csv_in.h"
#include "rule/model.h"

/* Opens a list after its header; returns room for its records. */
static inline void *curated_open(
    struct csv_in *csv, struct arena *arena, struct str text, int columns, size_t record_size)
{
    size_t lines = 1;
    for (size_t i = 0; i < text.n; i++)
        lines += text.p[i] == '\n';
    csv_in_init(csv, text, arena);
    bool header = csv_in_next(csv);
    assert(header && csv->count == columns);
    return arena_alloc(arena, record_size * lines);
}

static inline bool curated_next(struct csv_in *csv, int columns)
{
    bool found = csv_in_next(csv);
    assert(!csv->error && (!found || csv->count == columns));
    return found;
}

/* DAY_NONE: an empty field. */
static inline int32_t curated_day(struct str field)
{
    int32_t day = DAY_NONE;
    bool good = field.n == 0 || day_parse(field, &day);
    assert(good);
    return day;
}

/* 0: an empty field. */
static inline int64_t curated_number(struct str field)
{
    int64_t number = 0;
    bool good = field.n == 0 || str_to_i64(field, &number);
    assert(good);
    return number;
}

/* The place of the field among the names. */
static inline int curated_word(struct str field, const struct str *names, int count)
{
    int word = 0;
    while (word < count && !str_eq(names[word], field))
        word++;
    assert(word < count);
    return word;
}
