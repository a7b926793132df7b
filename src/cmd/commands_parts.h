/* What the files of the table share: its groups, and options that several groups have. Private to
 * src/cmd. */
#pragma once

#include "cmd/commands.h"
#include "config/values.h"

#define OPTIONS(table) .options = (table), .option_count = sizeof(table) / sizeof *(table)

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
    {                                                                                              \
        .name = "email", .value = "EMAIL", .help = "e-mail address of the account",                \
        .required = true, .valid = value_is_email                                                  \
    }
#define BY_OPTION                                                                                  \
    {                                                                                              \
        .name = "by", .value = "EMAIL", .help = "your e-mail address; it is recorded",             \
        .required = true, .valid = value_is_email                                                  \
    }
#define AT_OPTION                                                                                  \
    {                                                                                              \
        .name = "at", .value = "TIME",                                                             \
        .help = "the time now, if the clock is wrong or refused; needs --reason",                  \
        .valid = value_is_instant                                                                  \
    }
#define BEFORE_OPTION                                                                              \
    {                                                                                              \
        .name = "before", .value = "NUMBER", .help = "continue a list: only smaller numbers",      \
        .valid = value_is_count                                                                    \
    }
#define LIMIT_OPTION                                                                               \
    {                                                                                              \
        .name = "limit", .value = "NUMBER", .help = "number of lines (default 100)",               \
        .valid = value_is_count                                                                    \
    }
