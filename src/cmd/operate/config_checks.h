/* The checks of `stockact config check` that `stockact doctor` runs too. Private to
 * src/cmd/operate. */
#pragma once

#include "cmd/term/command.h"

/* `text` is valid during the call. */
typedef void config_said(void *ctx, const char *what, enum out_mood mood, struct str text);

/* All but those of the database, the port, mail and files of authorities, at which the doctor looks
 * closer. */
void config_checks_for_doctor(struct cmd *cmd, config_said *said, void *ctx);
