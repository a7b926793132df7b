/* The desk of a command that reviews. */
#pragma once

#include "cmd/operate/store_access.h"
#include "review/desk/blind.h"
#include "review/desk/desk.h"

/* Opens the command's database and fills in a desk for the person in `--by`. */
enum err review_desk_open(struct cmd *cmd, struct desk *ret, struct fail *fail);

/* Sets the fields of a row that is typed blind from the operands FIELD=VALUE, from `first` on.
 * A field that is not given is not stated on the page. Strings live in the arena. */
enum err review_read_blind(
    const struct options *options, size_t first, struct arena *arena, struct blind_row *ret,
    struct fail *fail);

/* Splits an operand FIELD=VALUE, with a field of such a row. */
enum err review_split_field(
    struct str operand, enum blind_field *ret, struct str *ret_value, struct fail *fail);
