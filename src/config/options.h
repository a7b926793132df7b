/*
 * The command line, read by tables. A command names the options that it knows; parsing fills in the
 * values and collects what is left as operands. `--name VALUE` and `--name=VALUE` mean the same,
 * `--` ends the options, an option may stand before or after operands, and none may come twice.
 */
#pragma once

#include "base/err.h"
#include "base/str.h"

struct option {
    const char *name;  /* without the dashes: "email" */
    const char *value; /* how the help shows the value: "EMAIL"; NULL for a switch without one */
    const char *help;
    bool required;
    bool (*valid)(struct str value); /* NULL: any text that is not empty */
};

enum { OPTIONS_MAX = 48 };

struct options {
    const struct option *known[OPTIONS_MAX];
    struct str values[OPTIONS_MAX]; /* null: not given; a switch that is given holds its name */
    size_t known_count;
    struct str *operands; /* point into argv */
    size_t operand_count;
};

void options_init(struct options *o);
void options_finish(struct options *o);

/* Adds options of a table; the table must outlive o. */
void options_know(struct options *o, const struct option *table, size_t count);
void options_know_one(struct options *o, const struct option *option);

/* ERR_INVALID with the reason: unknown, twice, without its value, or of a form that its `valid`
 * refuses. Required options are not looked at here, so that `--help` works alone. */
enum err options_parse(struct options *o, int argc, char **argv, struct fail *fail) MUST_CHECK;
enum err options_check_required(const struct options *o, struct fail *fail) MUST_CHECK;

/* The value; null when it was not given. The name must be known (asserted). */
struct str options_value(const struct options *o, const char *name);
bool options_knows(const struct options *o, const char *name);
bool options_given(const struct options *o, const char *name);
