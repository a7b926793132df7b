/* The drill of `stockact backup --verify`. */
#pragma once

#include "cmd/term/command.h"

/* Restores the backup to a temporary place beside it, FILE.drill, checks that as `restore` does,
 * and removes it. Prints the result. ERR_CORRUPT: it failed the check, and the findings are
 * printed. */
enum err restore_drill(struct cmd *cmd, struct str file, struct fail *fail);
