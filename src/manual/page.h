/* The generated sections of manual pages, in roff with the man macros. */
#pragma once

#include "cmd/commands.h"
#include "manual/template.h"

void page_commands(struct buf *to, const struct template_values *values);

/* The whole page of one command, stockact-keys-mint(1). */
void page_command(
    struct buf *to, const struct command *command, const struct template_values *values);
/* "stockact-keys-mint" */
void page_name(struct buf *to, const struct command *command);

void page_settings(struct buf *to, const struct template_values *values);
void page_test_settings(struct buf *to, const struct template_values *values);
void page_tools(struct buf *to, const struct template_values *values);
void page_environment(struct buf *to, const struct template_values *values);
