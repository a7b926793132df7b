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

#include "base/err.h"
#include "base/import_file.h"
#include "base/instant.h"

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
    struct committees_report *ret, struct fail *fail) MUST_CHECK;
