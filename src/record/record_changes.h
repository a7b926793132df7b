/*
 * changes-DAY.jsonl.gz: how the lines of each file of the snapshot of DAY become those of this one.
 * Who has that snapshot and the changes has this one, byte for byte but for the compression.
 *
 * A row replaces `drop` lines of the file of DAY, from line `at` on (0 is the first), by the lines
 * `add`. Rows of a file are in order, and `at` always counts the lines of the file of DAY.
 */
#pragma once

#include "noun/field.h"
#include "record/record_file.h"

extern const struct shape_object shape_hunk;

/* Of all files that from->done names. */
enum err record_changes_put(
    struct record_file *file, const struct record_from *from, struct fail *fail);
