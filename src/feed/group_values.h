/*
 * The values that trades have in a dimension of groups, numbered from 1 as they are found. A field
 * of the row's key (series_key) finds the number of most rows in an array. What it does not tell is
 * read row by row: a new value, a date or lateness that only the record has, the topic of a signal.
 * Private to src/feed.
 */
#pragma once

#include "feed/walk.h"
#include "noun/group.h"

enum { GROUP_VALUES_MAX = 64 /* that one trade can have */ };

struct group_row {
    uint32_t listed;
    uint64_t code, who; /* as series_key has them, or as the record tells this reader */
    uint32_t ordinal;
    uint32_t day; /* slices_day; 0: not stated */
};

static inline uint32_t group_day_code(uint64_t code)
{
    return code >> SLICE_DAY_SHIFT & ((1 << SLICE_DAY_BITS) - 1);
}

/* Such a day; DAY_NONE: not stated. */
int32_t group_day(uint32_t day);

/* Replaces what the words of an odd row cannot tell. */
void group_row_read(struct group_row *row, const struct walk *w);

struct group_values {
    enum group_dimension dimension; /* GROUP_NONE: one group of all */
    struct slice_place place;       /* of the field */
    bool of_who, of_listed;         /* else of the code */
    bool by_date, by_list;          /* the field is not the key of the value */
    uint32_t *by_field, *by_key;    /* numbers; one array unless by_date or by_list */
    uint32_t field_end, key_end;
    uint32_t count;
    size_t room;
    uint32_t *by_tail, *lists; /* of signals: a place in `lists`, where the numbers of rows with
                                * that tail begin with how many; 0: not known yet */
    uint32_t tail_end, list_end, lists_n;
    uint32_t *keys;   /* of a number */
    uint32_t *newest; /* ordinal of the trade that it was found by; rows come newest first */
};

void group_values_init(struct group_values *v, enum group_dimension dimension);
void group_values_finish(struct group_values *v);

/* The number of a row that is not odd; 0: group_values_of knows. */
static inline uint32_t group_values_at(
    const struct group_values *v, uint64_t code, uint64_t who, uint32_t listed)
{
    uint64_t field = (v->of_who      ? who
                      : v->of_listed ? listed
                                     : code) >>
                         v->place.shift &
                     v->place.mask;
    return field < v->field_end ? v->by_field[field] : 0;
}

/* The numbers of a row; returns how many, at least one. */
size_t group_values_of(
    struct group_values *v, const struct edition *e, const struct walk *w,
    const struct group_row *row, uint32_t ret[static GROUP_VALUES_MAX]);

/* What a number lists for. Reads the trade `newest` for what only its JSON says. */
void group_values_text(
    const struct group_values *v, const struct edition *e, const struct walk *w, uint32_t number,
    uint32_t newest, struct arena *arena, struct group_value *ret);
