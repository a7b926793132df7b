/*
 * The table of subcommands: name, options, operands, help and function; commands_<group>.c has the
 * rows of each group.
 */
#pragma once

#include "cmd/term/command.h"

/* All commands by group; those with the same first word are neighbours. NULL: i is past the last.
 */
const struct command *command_at(size_t i);
size_t commands_count(void);

/* The options that every command has. */
extern const struct option commands_common[];
extern const size_t commands_common_count;

/* Returns the command that the arguments begin with, and the number of words in its name. NULL:
 * unknown command. */
const struct command *command_find(int argc, char **argv, int *ret_words);

void command_help(const struct command *command, FILE *to, enum colour_when when);
/* First steps, and all commands by group. */
void commands_help(FILE *to);
/* Lists the commands whose first word is `word` (`keys`). False: there are none. */
bool commands_help_of(struct str word, FILE *to);

/* What a terminal shows if this command, a list, has printed nothing. NULL: nothing. */
const char *command_empty(const struct command *command);

/* The command whose name is most like these words. NULL: none is like them. */
const char *command_like(int argc, char **argv);
