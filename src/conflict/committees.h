/*
 * `committees import`: imports the committees of Congress and their rosters from two files of the
 * congress-legislators data set (committees-current.json, committee-membership-current.json), as
 * the version of one day (decision 32; store/public/committee.h).
 *
 * Both files are read and checked before anything is written; then one transaction imports all of
 * them or nothing. Entries that are no valid seats or committees are left out and reported. So are
 * seats of members who were not imported: import the same files again once those are known.
 */
#pragma once

#include "base/import_file.h"
#include "base/intmap.h"
#include "base/json_in.h"
#include "store/public/committee.h"

struct db;
struct progress_hook;

struct committees_import {
    struct import_file index;      /* the committees and their subcommittees */
    struct import_file membership; /* the seats of each committee */
    int32_t as_of;                 /* the day on which the files were current */
    int64_t now_ms;
    const struct progress_hook *progress; /* gets the seats; NULL: none */
};

struct committees_report {
    size_t committees, subcommittees;
    size_t seats, members;                  /* imported seats, and their members */
    size_t seats_left_out, members_unknown; /* seats not imported, and their members */
    size_t entries_left_out;                /* entries of either file that are not valid */
    size_t titles_unknown; /* seats with an unknown title, which counts as member */
    bool unchanged;        /* the version of that day already has this content */
    int64_t change_seq;    /* of the change notice that running servers must apply; 0: none */
};

/* A remark for the operator: an unknown member, an entry that was left out, or an unknown title.
 * Valid during the call only. */
struct committees_remark {
    struct str committee; /* id; null: not about one committee */
    struct str member;    /* id; null: not known */
    struct str name;      /* as in the file; null: not stated */
    size_t seats;         /* number of seats concerned */
    struct str what;
};

typedef void committees_remark_fn(void *ctx, const struct committees_remark *remark);

/* Calls `remark` after everything is imported: members, then entries, then titles. ERR_INVALID
 * names the file and the place. ERR_REFUSED: the database holds invented data, or knows none of the
 * members. */
enum err committees_import(
    struct db *db, const struct committees_import *in, committees_remark_fn *remark, void *ctx,
    struct committees_report *ret, struct fail *fail);

/*
 * The two files of committees as values, without the store. The values are consistent: every seat
 * names a listed committee, a member has at most one seat on each, and subcommittees follow their
 * parent. An entry that would break this, or that is not an entry, is left out and named: the
 * published lists have such entries, and the others are right. Strings live in the arena.
 */

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
    const struct import_file *membership, struct fail *fail);

/* A short id as a number, unique for each id. */
uint64_t committees_key(struct str id);
