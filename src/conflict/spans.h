/*
 * `committees import --spans`: imports committee seats over time from a file in the form of
 * data/seats.csv, which script/update-seats makes (decision 32). The imported spans replace those
 * of an earlier import, and count instead of the lists that ship with the program on the days that
 * they cover (store/public/roster.h).
 */
#pragma once

#include "conflict/spans_read.h"

struct db;
struct progress_hook;

struct spans_import {
    struct import_file seats;
    struct import_file names; /* null text: the names that ship with the program */
    int32_t today;
    spans_odd_fn *odd; /* called for each line that is left out */
    void *ctx;
    const struct progress_hook *progress; /* gets the seats; NULL: none */
};

struct spans_report {
    int32_t first, last; /* days of the first and last list that the spans come from */
    size_t lists;
    size_t seats, members; /* seats: counted once for each Congress */
    size_t lines_left_out;
    bool unchanged;
    int64_t change_seq; /* of the change notice that running servers must apply; 0: none */
};

/* ERR_INVALID names the file. ERR_REFUSED: the database holds invented data. */
enum err spans_import(
    struct db *db, const struct spans_import *in, struct spans_report *ret, struct fail *fail);
