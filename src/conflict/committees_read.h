/*
 * The two files of committees as values, without the store. The values are consistent: every seat
 * names a listed committee, a member has at most one seat on each, and subcommittees follow their
 * parent. Strings live in the arena.
 */
#pragma once

#include "base/err.h"
#include "base/import_file.h"
#include "base/intmap.h"
#include "store/committee.h"

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

struct committees_read {
    struct arena *arena;
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

/* Reads both files. ERR_INVALID names the file and the place. */
enum err committees_read(
    struct committees_read *r, const struct import_file *index,
    const struct import_file *membership, struct fail *fail) MUST_CHECK;

/* The steps of committees_read, in this order. */
enum err committees_read_index(
    struct committees_read *r, const struct import_file *file, struct fail *fail) MUST_CHECK;
enum err committees_read_membership(
    struct committees_read *r, const struct import_file *file, struct str index_name,
    struct fail *fail) MUST_CHECK;

/* Four capital letters, followed by two digits for a subcommittee. */
bool committees_id_valid(struct str id, bool subcommittee);

/* A short id as a number, unique for each id. */
uint64_t committees_key(struct str id);

/* The role of a title, null for none. Returns false for an unknown title, which counts as
 * member. */
bool committees_role(struct str title, enum seat_role *ret);
