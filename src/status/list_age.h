/*
 * The age of the lists that every judgement rests on: committee seats, members and symbols. A list
 * that is older than its bound misses what people filed since (docs/operate.md).
 */
#pragma once

#include "base/err.h"
#include "base/mem.h"

struct db;

enum list_kind { LIST_SEATS, LIST_MEMBERS, LIST_SYMBOLS, LIST_KIND_COUNT };

/* The day of each newest list, or of its import if it does not say its day; DAY_NONE: not known, or
 * the data is invented. */
struct list_ages {
    int32_t days[LIST_KIND_COUNT];
    bool of_import[LIST_KIND_COUNT];
};

struct list_bound {
    struct str name;    /* "committee seats" */
    struct str label;   /* "seats as of" */
    struct str json;    /* "seatsAsOf" */
    struct str command; /* imports a newer one */
    int32_t days_max;
};

const struct list_bound *list_bound_of(enum list_kind kind);

enum err list_ages_read(
    struct db *db, struct arena *arena, struct list_ages *ret, struct fail *fail);

/* "2026-04-22, 220 days ago"; "imported 2026-11-28, 0 days ago"; "not known". */
struct str list_age_text(
    struct arena *arena, const struct list_ages *ages, enum list_kind kind, int32_t today);

/* The list is older than its bound. */
bool list_is_old(const struct list_ages *ages, enum list_kind kind, int32_t today);
