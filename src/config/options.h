/*
 * Parses the command line by tables. The caller adds the options that the command has, and
 * options_parse fills in their values and collects the other arguments as operands. `--name VALUE`
 * and `--name=VALUE` are equal, `--` ends the options, options may follow operands, and an option
 * may be given once.
 */
#pragma once

#include "base/err.h"
#include "base/str.h"

struct option {
    const char *name; /* without the dashes: "email" */
    const char *help;
    const char *value; /* as printed in the help: "EMAIL"; NULL: a switch, which takes no value */
    bool (*valid)(struct str value); /* NULL: any non-empty text is valid */
    bool required;
};

enum { REQUIRED = true };

enum { OPTIONS_MAX = 64 };

struct options {
    const struct option *known[OPTIONS_MAX];
    struct str values[OPTIONS_MAX]; /* null: not given; for a switch, its name */
    size_t known_count;
    struct str *operands; /* point into argv */
    size_t operand_count;
};

void options_init(struct options *o);
void options_finish(struct options *o);

/* Adds options of a table; the table must outlive o. */
void options_know(struct options *o, const struct option *table, size_t count);
void options_know_one(struct options *o, const struct option *option);

/* ERR_INVALID: an option is unknown, given twice, without its value, or its `valid` returned false.
 * Required options are checked by options_check_required, so that `--help` works alone. */
enum err options_parse(struct options *o, int argc, char **argv, struct fail *fail);
enum err options_check_required(const struct options *o, struct fail *fail);

/* The value of an option that was added (asserted). Null: not given. */
struct str options_value(const struct options *o, const char *name);
/* Null also if no such option was added. */
struct str options_find(const struct options *o, const char *name);
bool options_knows(const struct options *o, const char *name);
bool options_given(const struct options *o, const char *name);
/* Of an option whose `valid` checked that it is a number. `none`: not given. */
int64_t options_i64(const struct options *o, const char *name, int64_t none);
