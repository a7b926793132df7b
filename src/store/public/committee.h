/*
 * Imported lists of committee seats: one version for each day (decision 32). store/public/roster.h
 * joins them with the lists that ship with the program. Functions that write are called inside a
 * write transaction; the caller adds one change notice `member` at the end of an import.
 */
#pragma once

#include "base/crypto.h"
#include "db/db.h"
#include "market/committee.h"

struct committee {
    struct str id;
    struct str name;
    enum chamber chamber; /* CHAMBER_NONE: a joint committee */
    struct str parent;    /* id; null: not a subcommittee */
};

/* Adds a committee to the version, with the name and parent that it has there; parents must be
 * added first. ERR_NOT_FOUND: the version lacks the parent. ERR_EXISTS: the version has the
 * committee. */
enum err committee_list(
    struct db *db, int64_t version_no, const struct committee *committee, struct fail *fail);

struct committee_seat_new {
    struct str committee; /* id */
    struct str member;    /* id */
    enum chamber chamber;
    enum seat_role role;
    struct str side; /* majority, minority; null: not stated */
    int rank;        /* on that side, from 1; 0: not stated */
};

/* Creates an empty version for that day. If a version with the same content exists, does nothing
 * and sets *ret_no to 0. A version with other content is replaced. */
enum err committee_version_begin(
    struct db *db, int32_t as_of, const uint8_t sha256[static SHA256_SIZE], int64_t now_ms,
    int64_t *ret_no, struct fail *fail);

/* ERR_NOT_FOUND: no such committee in the version, or no such member. ERR_EXISTS: the member
 * already has that seat. */
enum err committee_seat_add(
    struct db *db, int64_t version_no, const struct committee_seat_new *seat, struct fail *fail);

/* *ret: a version of that day or of an earlier one lists the committee. */
enum err committee_was_listed(
    struct db *db, struct str id, int32_t day, bool *ret, struct fail *fail);

struct committee_version {
    int64_t no;
    int32_t day;
};

/* All versions, by day, in the arena. */
enum err committee_versions(
    struct db *db, struct arena *arena, struct committee_version **ret, size_t *ret_count,
    struct fail *fail);

/* One seat of a member in one version. */
struct committee_held {
    int64_t version_no;
    struct str member; /* id */
    struct str id;     /* of the committee */
    struct str name;   /* as the version lists it */
    struct str title;  /* committee_title of it */
    bool subcommittee;
    enum chamber chamber;
    enum seat_role role;
};

/* One member's seats in all versions, by day and id. */
enum err committee_seats_of(
    struct db *db, int64_t member_no, struct arena *arena, struct committee_held **ret,
    size_t *ret_count, struct fail *fail);

/* All seats of the versions from that day on, by member, day and committee id. */
enum err committee_seats_since(
    struct db *db, int32_t day, struct arena *arena, struct committee_held **ret, size_t *ret_count,
    struct fail *fail);

typedef void committee_listed_visit(void *ctx, int64_t version_no, struct str committee);

/* Visits every committee that has a seat in a version, by day and committee id; strings are valid
 * during the call. */
enum err committee_each_seated(
    struct db *db, committee_listed_visit *visit, void *ctx, struct fail *fail);

typedef void committee_seat_visit(
    void *ctx, struct str committee, struct str member, enum seat_role role);

/* Visits every seat of one version, by committee id; strings are valid during the call. */
enum err committee_each_seat(
    struct db *db, int64_t version_no, committee_seat_visit *visit, void *ctx, struct fail *fail);
