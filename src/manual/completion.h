/* What a shell completes, as branches of a `case` of the shell. */
#pragma once

#include "manual/template.h"

/* "") the first words of all commands; FIRST) the second words behind it. */
void completion_words(struct buf *to, const struct template_values *values);

/* "COMMAND") its options and settings. */
void completion_options(struct buf *to, const struct template_values *values);

/* --OPTION) its values where they are listed in the table, FILE where it wants one, else nothing.
 * An option without a value has no branch. */
void completion_values(struct buf *to, const struct template_values *values);
