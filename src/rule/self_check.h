/*
 * The self-checks of a document: facts that must agree when it was read right, such as the number
 * of rows that it prints (docs/sources.md). A failed one sends the document to a person.
 *
 * A check counts as passed only if it is recorded as passed under a known name: one that is missing
 * or unknown has failed (self_checks_complete). Stored with a draft as a JSON array of {"name",
 * "passed", "detail"}.
 */
#pragma once

#include "base/err.h"
#include "base/json_out.h"
#include "base/mem.h"

struct self_check {
    struct str name; /* one of the table in self_check.c */
    bool passed;
    struct str detail; /* "7 rows, 8 status lines" */
};

enum {
    SELF_CHECKS_READ_MAX = 16,   /* of one reading */
    SELF_CHECKS_NEEDED_MAX = 11, /* that one kind of document must have */
    SELF_CHECKS_LEDGER_MAX = 5,  /* hidden characters; against the file name and the index */
    SELF_CHECKS_STORED_MAX = SELF_CHECKS_READ_MAX + SELF_CHECKS_NEEDED_MAX + SELF_CHECKS_LEDGER_MAX,
    SELF_CHECKS_MAX = SELF_CHECKS_STORED_MAX + SELF_CHECKS_NEEDED_MAX,
};

/* The kinds of documents that have self-checks. */
enum self_check_document { SELF_CHECK_HOUSE, SELF_CHECK_SENATE, SELF_CHECK_INDEX };

/* Makes the checks those of such a document: an unknown check has failed, and a check that is
 * missing is added as failed. At most SELF_CHECKS_STORED_MAX before (asserted). */
void self_checks_complete(
    struct self_check checks[static SELF_CHECKS_MAX], size_t *count,
    enum self_check_document document);

/* Writes the array. */
void self_check_put(struct json_out *j, const struct self_check *checks, size_t count);

/* Reads the array; texts live in the arena. ERR_CORRUPT: not such an array, or more than
 * SELF_CHECKS_STORED_MAX. */
enum err self_check_parse(
    struct str json, struct arena *arena, struct self_check ret[static SELF_CHECKS_MAX],
    size_t *ret_count, struct fail *fail);
