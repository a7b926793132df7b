/*
 * `committees import`: the committees of Congress and who sits on them, out of two files of the
 * congress-legislators data set (committees-current.json, committee-membership-current.json), as
 * the version of one day (decision 32; store/committee.h).
 *
 * Both files are read and checked before anything is written; then one transaction takes in all of
 * them or nothing. A seat of a member who was not imported is left out and told of; importing the
 * same files again when its holder is known takes it in.
 */
#pragma once

#include "base/err.h"
#include "base/import_file.h"
#include "base/instant.h"

struct db;

struct committees_import {
    struct import_file index;      /* the committees and their subcommittees */
    struct import_file membership; /* the seats of each */
    int32_t as_of;                 /* the day on which they stood so */
    int64_t now_ms;
};

struct committees_report {
    size_t committees, subcommittees;
    size_t seats, members;                  /* taken in, and who holds them */
    size_t seats_left_out, members_unknown; /* not imported, and whose they are */
    size_t titles_unknown;                  /* seats whose title counts as none */
    bool unchanged;                         /* the day's version has this very content */
    int64_t change_seq; /* of the notice: what running servers must have taken in; 0: none */
};

/* What a person should look at: a member who is not known, or a title that is not. Valid during the
 * call only. */
struct committees_remark {
    struct str member; /* id */
    struct str name;   /* as the file has it; null: not stated */
    size_t seats;      /* concerned */
    struct str what;
};

typedef void committees_remark_fn(void *ctx, const struct committees_remark *remark);

/* `remark` is called when all is in, members first. ERR_INVALID names the file and the place;
 * ERR_REFUSED: a database of invented data, or one that knows none of the members. */
enum err committees_import(
    struct db *db, const struct committees_import *in, committees_remark_fn *remark, void *ctx,
    struct committees_report *ret, struct fail *fail) MUST_CHECK;
