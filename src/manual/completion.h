/* Shell completions, as branches of a `case` of the shell. */
#pragma once

#include "manual/template.h"

/* "") the first words of all commands; FIRST) the second words after it. */
void completion_words(struct buf *to, const struct template_values *values);

/* "COMMAND") its options and settings. */
void completion_options(struct buf *to, const struct template_values *values);

/* --OPTION) its values if the table lists them, FILE if it expects a file, otherwise nothing. An
 * option without a value has no branch. */
void completion_values(struct buf *to, const struct template_values *values);
