/*
 * Members of Congress, with their terms of service and the other names they are printed under. A
 * slug never changes (decision 7). Functions that write are called inside a write transaction; the
 * caller adds one change notice `member` at the end of an import.
 */
#pragma once

#include "db/db.h"
#include "market/member_term.h"

/* Reports are still due, and some are late, after leaving. */
enum { MEMBER_AFTER_TERM_DAYS = 366 };

/* A way to write the member's name. `last` is null in a first name that goes with any last name. */
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
    int32_t listed_on;         /* newest list of sitting members that has this one, or DAY_NONE */
    struct member_term *terms; /* oldest first; terms without a start come first */
    size_t term_count;
    struct member_name *names;
    size_t name_count;
};

struct member_list {
    struct member *items; /* by no */
    size_t count;
};

enum member_outcome { MEMBER_ADDED, MEMBER_CHANGED, MEMBER_UNCHANGED };

/* Makes the stored member (found by id) equal to *member, including terms and names. A stored slug
 * stays; a new member gets member->slug, or <slug>-<id> in lower case if that is taken. The same id
 * may come twice in one transaction: the last one counts. */
enum err member_put(
    struct db *db, const struct member *member, enum member_outcome *ret, struct fail *fail);

/* Loads everything, some ten megabytes for all members since 1789, into the arena. */
enum err member_load(
    struct db *db, struct arena *arena, struct member_list *ret, struct fail *fail);

/* member_terms_end of all members; returns their terms, in the arena. */
struct member_terms *member_end_terms(const struct member_list *members, struct arena *arena);

/* Finds a member by id or slug, without terms and names. ERR_NOT_FOUND: none. */
enum err member_find(
    struct db *db, struct str slug_or_id, struct arena *arena, struct member *ret,
    struct fail *fail);

/* The same, with terms and names. */
enum err member_read(
    struct db *db, struct str slug_or_id, struct arena *arena, struct member *ret,
    struct fail *fail);

/* By the whole displayed name, in any ASCII letter case, without birthday, terms and other names.
 * ERR_NOT_FOUND: none, or several. */
enum err member_find_name(
    struct db *db, struct str name, struct arena *arena, struct member *ret, struct fail *fail);

/* Members whose displayed name has these words or parts of words in this order, in any ASCII letter
 * case, with no more than member_find_name gives; by name, at most `limit`. */
enum err member_search(
    struct db *db, struct str words, int64_t limit, struct arena *arena, struct member_list *ret,
    struct fail *fail);

/* The displayed name of the member with that number. ERR_NOT_FOUND: none. */
enum err member_name_of(
    struct db *db, int64_t no, struct arena *arena, struct str *ret, struct fail *fail);

/* The day of the newest list of sitting members; DAY_NONE: none was imported. */
enum err member_listed_on(struct db *db, int32_t *ret, struct fail *fail);

enum err member_count(struct db *db, int64_t *ret, struct fail *fail);

/* The term that ended last; NULL: no terms. */
const struct member_term *member_term_latest(const struct member *member);

/* The member's term in that chamber on that day, or the last one that had ended by then. Strings
 * live in the arena. ERR_NOT_FOUND: no term had begun. */
enum err member_term_at(
    struct db *db, struct str id, enum chamber chamber, int32_t day, struct arena *arena,
    struct member_term *ret, struct fail *fail);

/* Reports whether a filing of that day may be the member's: a term in that chamber had begun, and
 * had not ended more than MEMBER_AFTER_TERM_DAYS before. A day that a term does not state is no
 * hindrance. DAY_NONE: of any day. */
enum err member_may_file(
    struct db *db, struct str id, enum chamber chamber, int32_t day, bool *ret, struct fail *fail);
