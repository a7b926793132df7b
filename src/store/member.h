/*
 * Members of Congress with their terms of service and the other names they are printed under. A
 * slug, once given, stays with its member (decision 7). Functions that write are called inside a
 * write transaction; the caller adds one change notice `member` when all of an import is in.
 */
#pragma once

#include "base/mem.h"
#include "core/model.h"
#include "store/db/db.h"

#define MEMBER_DISTRICT_NONE (-1)

struct member_term {
    enum chamber chamber;
    struct str state; /* two letters */
    int district;     /* 0: at large; MEMBER_DISTRICT_NONE: Senate, or not known */
    struct str party; /* null: not stated */
    int32_t start;    /* DAY_NONE: not stated */
    int32_t end;      /* DAY_NONE: not stated */
};

/* A way the member is written. `last` is null in a first name that goes with any last name. */
struct member_name {
    struct str first;
    struct str last;
};

struct member {
    int64_t no;
    struct str id;   /* Bioguide id; demo-NNNN for invented ones */
    struct str slug; /* unique */
    struct str name; /* as displayed */
    struct str first;
    struct str last;
    int32_t birthday;          /* DAY_NONE: not stated */
    struct member_term *terms; /* oldest first, those without a start before the others */
    size_t term_count;
    struct member_name *names;
    size_t name_count;
};

struct member_list {
    struct member *items; /* by no */
    size_t count;
};

enum member_outcome { MEMBER_ADDED, MEMBER_CHANGED, MEMBER_UNCHANGED };

/* Makes the stored member (found by id) equal to *member, terms and names included. A slug that is
 * stored stays; a new member takes member->slug, or <slug>-<id> where another one has it.
 * Each id at most once in one transaction is not required: the last one stands. */
enum err member_put(
    struct db *db, const struct member *member, enum member_outcome *ret,
    struct fail *fail) MUST_CHECK;

/* Everything, some ten megabytes for all members since 1789, in the arena. */
enum err member_load(struct db *db, struct arena *arena, struct member_list *ret, struct fail *fail)
    MUST_CHECK;

/* By id or slug, without terms and names. ERR_NOT_FOUND: none. */
enum err member_find(
    struct db *db, struct str slug_or_id, struct arena *arena, struct member *ret,
    struct fail *fail) MUST_CHECK;

/* The displayed name of the one with that number. ERR_NOT_FOUND: none. */
enum err member_name_of(
    struct db *db, int64_t no, struct arena *arena, struct str *ret, struct fail *fail) MUST_CHECK;

enum err member_count(struct db *db, int64_t *ret, struct fail *fail) MUST_CHECK;

/* The term that ended last; NULL: the member has none. */
const struct member_term *member_term_latest(const struct member *member);

/* The term of that member (by id) in that chamber on that day, or the one that ended last before
 * it. Strings live in the arena. ERR_NOT_FOUND: none that began by then. */
enum err member_term_at(
    struct db *db, struct str id, enum chamber chamber, int32_t day, struct arena *arena,
    struct member_term *ret, struct fail *fail) MUST_CHECK;
