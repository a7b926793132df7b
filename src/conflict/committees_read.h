/*
 * The two files of committees as values, without the store. The values are consistent: every seat
 * names a listed committee, a member has at most one seat on each, and subcommittees follow their
 * parent. An entry that would break this, or that is not an entry, is left out and named: the
 * published lists have such entries, and the others are right. Strings live in the arena.
 */
#pragma once

#include "base/err.h"
#include "base/import_file.h"
#include "base/intmap.h"
#include "base/json_in.h"
#include "store/public/committee.h"

/* A member with a seat, imported or not. */
struct committees_member {
    struct committees_member *next; /* in the order of first mention */
    struct str id, name;
    size_t seats;
    const struct committee *latest; /* the committee of this member's last seat so far */
    bool known;                     /* to the store; set by the import */
};

struct committees_seat {
    const struct committee *committee;
    struct committees_member *member;
    enum chamber chamber;
    enum seat_role role;
    struct str side;          /* majority, minority; null: not stated */
    int rank;                 /* 0: not stated */
    struct str title_unknown; /* null: no title, or a known one */
};

/* An entry that was left out. */
struct committees_odd {
    struct committees_odd *next; /* in the files' order */
    struct str committee;        /* id; null: not known */
    struct str what;             /* with the place */
    size_t seats;                /* that went with it */
};

struct committees_read {
    struct arena *arena;
    struct committees_odd *odd, **odd_end;
    size_t odd_count;
    struct committee *committees;
    size_t committee_count, subcommittee_count; /* the first counts both kinds */
    struct committees_seat *seats;              /* in the file's order */
    size_t seat_count;
    struct committees_member *members, **members_end;
    size_t member_count;
    struct intmap by_id, by_member; /* by committees_key */
};

void committees_read_init(struct committees_read *r, struct arena *arena);
void committees_read_finish(struct committees_read *r);

/* Reads both files. ERR_INVALID names the file and the place: it is not such a file, or nothing is
 * left of it. */
enum err committees_read(
    struct committees_read *r, const struct import_file *index,
    const struct import_file *membership, struct fail *fail) MUST_CHECK;

/* A short id as a number, unique for each id. */
uint64_t committees_key(struct str id);
