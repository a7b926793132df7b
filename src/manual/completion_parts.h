/* What the completions of all shells share. Private to src/manual. */
#pragma once

#include "cmd/commands.h"
#include "manual/template.h"

/* The first word of the name, and the second, which is null if there is none. */
struct str completion_first(const struct command *command, struct str *ret_second);

/* Whether the command is the first with its first word. The table lists those together. */
bool completion_begins_group(size_t c);

/* The alternatives of a value that are typed as shown (`scout|wolf`), each after a blank. Capitals
 * are placeholders, which are left out: EMAIL, HH:MM. True: one of them is FILE. */
bool completion_words_of(struct buf *to, const struct option *option);

/* Calls fn for each option of the command, the common ones and the settings that concern it. */
typedef void completion_option_fn(void *ctx, const struct option *option);
void completion_each_option(const struct command *command, completion_option_fn *fn, void *ctx);

/* Whether the operands are files. */
bool completion_takes_files(const struct command *command);

/* In words, for a first word that begins several commands: "create, invite, list". */
void completion_put_seconds(struct buf *to, size_t c);
