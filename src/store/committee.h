/*
 * Committees and who sat on them, one version per day of which a list was imported (decision 32).
 * Versions are never merged: what a list does not have was not there on its day. Functions that
 * write are called inside a write transaction; the caller adds one change notice `member` when all
 * of an import is in.
 */
#pragma once

#include "base/crypto.h"
#include "base/mem.h"
#include "core/committee.h"
#include "store/db/db.h"

struct committee {
    struct str id;
    struct str name;
    enum chamber chamber; /* CHAMBER_NONE: a joint one */
    struct str parent;    /* id; null: it is no subcommittee */
};

/* As that version lists it, parents first. ERR_NOT_FOUND: no such parent in the version.
 * ERR_EXISTS: it is listed already. */
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

/* Makes the version of that day, empty; *ret_no 0, and nothing done: it is there with this very
 * content. One of another content is replaced. */
enum err committee_version_begin(
    struct db *db, int32_t as_of, const uint8_t sha256[static SHA256_SIZE], int64_t now_ms,
    int64_t *ret_no, struct fail *fail) MUST_CHECK;

/* ERR_NOT_FOUND: no such committee in the version, or no such member. ERR_EXISTS: the member has
 * that seat. */
enum err committee_seat_add(
    struct db *db, int64_t version_no, const struct committee_seat_new *seat,
    struct fail *fail) MUST_CHECK;

/* The newest version's day; DAY_NONE: none yet. */
enum err committee_newest(struct db *db, int32_t *ret_as_of, struct fail *fail) MUST_CHECK;

/* The days of all versions, ascending, in the arena. */
enum err committee_days(
    struct db *db, struct arena *arena, int32_t **ret, size_t *ret_count,
    struct fail *fail) MUST_CHECK;

/* One member's seats in all versions, by version and id. `version` indexes committee_days of the
 * same snapshot. */
enum err committee_seats_of(
    struct db *db, int64_t member_no, struct arena *arena, struct seat **ret, size_t *ret_count,
    struct fail *fail) MUST_CHECK;

typedef void committee_visit(void *ctx, struct str member_id, const struct seat *seat);

/* Every seat of the newest version, by member and committee id; strings are valid in the call. */
enum err committee_each_today(struct db *db, committee_visit *visit, void *ctx, struct fail *fail)
    MUST_CHECK;
