/* What the commands of reviewers share. */
#pragma once

#include "cmd/operate/store_access.h"
#include "review/desk/blind.h"
#include "review/desk/desk.h"

/* A command of a reviewer: its desk, for the person in `--by`, and memory that lives as long. */
struct review {
    struct cmd *cmd;
    struct out *out;
    const struct str *operands;
    struct str reason; /* of --reason; null: not given */
    struct desk desk;
    struct arena arena;
};

/* Opens the database, runs fn, and closes it. */
enum err review_run(struct cmd *cmd, review_fn *fn, struct fail *fail);

/* store_access_overrule_clock; the desk has that time too. */
enum err review_overrule_clock(struct review *r, struct fail *fail);

/* The number between `least` and 9999 of a text: `name` is how the help calls it. */
enum err review_read_number(
    struct str text, const char *name, int least, int *ret, struct fail *fail);

/* On a terminal: the command that publishes the accepted draft. */
void review_put_publish(struct review *r, const struct draft *draft);

/* Sets the fields of a row that is typed blind from the operands FIELD=VALUE, from `first` on.
 * A field that is not given is not stated on the page. Strings live in the arena. */
enum err review_read_blind(
    const struct options *options, size_t first, struct arena *arena, struct blind_row *ret,
    struct fail *fail);

/* Splits an operand FIELD=VALUE, with a field of such a row. */
enum err review_split_field(
    struct str operand, enum blind_field *ret, struct str *ret_value, struct fail *fail);
