/*
 * The self-checks of a document: facts that must agree when it was read right, such as the number
 * of rows that it prints (docs/sources.md). A failed one sends the document to a person.
 *
 * Stored with a draft as a JSON array of {"name", "passed", "detail"}.
 */
#pragma once

#include "base/err.h"
#include "base/json_out.h"
#include "base/mem.h"

struct self_check {
    struct str name; /* "status_lines_equal_rows", "filing_id_printed", "rows_total", ... */
    bool passed;
    struct str detail; /* "7 rows, 8 status lines" */
};

enum { SELF_CHECKS_MAX = 16 };

/* Writes the array. */
void self_check_put(struct json_out *j, const struct self_check *checks, size_t count);

/* Reads the array; texts live in the arena. ERR_CORRUPT: not such an array, or more than
 * SELF_CHECKS_MAX. */
enum err self_check_parse(
    struct str json, struct arena *arena, struct self_check ret[static SELF_CHECKS_MAX],
    size_t *ret_count, struct fail *fail) MUST_CHECK;
