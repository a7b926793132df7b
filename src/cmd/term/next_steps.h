/* What a page on a terminal ends with: the commands to run next. */
#pragma once

#include "base/mem.h"
#include "cmd/term/terminal.h"

struct next_step {
    struct str command;
    const char *why; /* what it does; NULL: nothing is said */
};

/* The review desk of the server with this address, where an operator has set it. */
struct next_step next_steps_desk(struct arena *arena, struct str base_url);

/* "Next" and the commands, with what each does beside it. */
void next_steps_put(
    struct buf *to, const struct terminal *t, const struct next_step *steps, size_t count);

/* The same line by line, for long commands: what it does above each. A command is never wrapped,
 * because it is to be copied. */
void next_steps_title(struct buf *to, const struct terminal *t);
void next_steps_put_below(struct buf *to, const struct terminal *t, const struct next_step *step);
