/* The groups of subcommands as one table; see commands.h. */
#include "cmd/commands.h"

#include "cmd/commands_parts.h"

static const struct command_group *const groups[] = {
    &commands_start,    &commands_data,   &commands_review,    &commands_accounts,
    &commands_webhooks, &commands_alerts, &commands_operation,
};

enum { GROUPS_COUNT = sizeof groups / sizeof *groups };

const struct command_group *command_group_at(size_t i)
{
    return i < GROUPS_COUNT ? groups[i] : NULL;
}

size_t commands_count(void)
{
    size_t count = 0;
    for (size_t i = 0; i < GROUPS_COUNT; i++)
        count += groups[i]->count;
    return count;
}

const struct command *command_at(size_t i)
{
    size_t group = 0;
    while (group < GROUPS_COUNT && i >= groups[group]->count)
        i -= groups[group++]->count;
    return group < GROUPS_COUNT ? &groups[group]->commands[i] : NULL;
}
