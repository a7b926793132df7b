/* What the files of the table share: its groups, and options that several groups have. Private to
 * src/cmd. */
#pragma once

#include "cmd/commands.h"
#include "config/values.h"

/* The options of a command, and one of them that several have. */
#define OPTIONS(...)                                                                               \
    .options = (const struct option[]){__VA_ARGS__},                                               \
    .option_count = sizeof((const struct option[]){__VA_ARGS__}) / sizeof(struct option)
#define OPTION(...)                                                                                \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

/* The commands of one file, commands_<name>.c, under the title that the overview shows. */
struct command_group {
    const char *title;
    const struct command *commands;
    size_t count;
};

#define COMMAND_GROUP(title_, table)                                                               \
    {                                                                                              \
        .title = (title_), .commands = (table), .count = sizeof(table) / sizeof *(table)           \
    }

extern const struct command_group commands_start;
extern const struct command_group commands_data;
extern const struct command_group commands_review;
extern const struct command_group commands_accounts;
extern const struct command_group commands_webhooks;
extern const struct command_group commands_alerts;
extern const struct command_group commands_operation;

/* All groups, in the order of the overview. NULL: i is past the last. */
const struct command_group *command_group_at(size_t i);

#define EMAIL_OPTION                                                                               \
    OPTION("email", "e-mail address of the account", "EMAIL", value_is_email, REQUIRED)
#define BY_OPTION                                                                                  \
    OPTION("by", "your e-mail address; it is recorded", "EMAIL", value_is_email, REQUIRED)
#define AT_OPTION                                                                                  \
    OPTION(                                                                                        \
        "at", "the time now, if the clock is wrong or refused; needs --reason", "TIME",            \
        value_is_instant)
#define BEFORE_OPTION                                                                              \
    OPTION("before", "continue a list: only smaller numbers", "NUMBER", value_is_count)
#define LIMIT_OPTION OPTION("limit", "number of lines (default 100)", "NUMBER", value_is_count)
/* Why it is done; `must`: REQUIRED, or 0. */
#define REASON_OPTION(why, must) OPTION("reason", why, "TEXT", value_is_text, must)
