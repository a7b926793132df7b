/*
 * Shell completions, from the tables of commands and settings: branches of a `case` for bash and
 * zsh, lines of `complete` for fish. zsh and fish show the explanations too.
 */
#pragma once

#include "manual/template.h"

/* "") the first words of all commands; FIRST) the second words after it. */
void completion_words(struct buf *to, const struct template_values *values);

/* "COMMAND") its options and settings. */
void completion_options(struct buf *to, const struct template_values *values);

/* --OPTION) its values if the table lists them, FILE if it expects a file, otherwise nothing. An
 * option without a value has no branch. */
void completion_values(struct buf *to, const struct template_values *values);

/* FIRST) the second words after it with their summaries, as _describe takes them. */
void completion_zsh_words(struct buf *to, const struct template_values *values);
/* "COMMAND") its options and settings, as _arguments takes them. */
void completion_zsh_options(struct buf *to, const struct template_values *values);

/* One line for each command, and for each option and setting of it. */
void completion_fish(struct buf *to, const struct template_values *values);
