/*
 * Committee rosters over time: one version for each day of which a list was imported (decision 32).
 * Versions are never merged: a seat that a list lacks did not exist on its day. Functions that
 * write are called inside a write transaction; the caller adds one change notice `member` at the
 * end of an import.
 */
#pragma once

#include "base/crypto.h"
#include "base/mem.h"
#include "core/committee.h"
#include "store/db/db.h"

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
    struct db *db, int64_t version_no, const struct committee *committee,
    struct fail *fail) MUST_CHECK;

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
    int64_t *ret_no, struct fail *fail) MUST_CHECK;

/* ERR_NOT_FOUND: no such committee in the version, or no such member. ERR_EXISTS: the member
 * already has that seat. */
enum err committee_seat_add(
    struct db *db, int64_t version_no, const struct committee_seat_new *seat,
    struct fail *fail) MUST_CHECK;

/* The days of all versions, ascending, in the arena. */
enum err committee_days(
    struct db *db, struct arena *arena, int32_t **ret, size_t *ret_count,
    struct fail *fail) MUST_CHECK;

/* Loads one member's seats in all versions, by version and id. `version` indexes committee_days of
 * the same snapshot. */
enum err committee_seats_of(
    struct db *db, int64_t member_no, struct arena *arena, struct seat **ret, size_t *ret_count,
    struct fail *fail) MUST_CHECK;

typedef void committee_visit(void *ctx, struct str member_id, const struct seat *seat);

/* Visits every seat of the newest version, by member and committee id; strings are valid during the
 * call. */
enum err committee_each_today(struct db *db, committee_visit *visit, void *ctx, struct fail *fail)
    MUST_CHECK;
