/* Prints a draft: one line of a list, or all of it with its rows as printed and as read, the effect
 * of publishing, and its history. */
#pragma once

#include "cmd/term/out.h"
#include "review/desk/desk.h"

/* A draft_visit callback; ctx is the struct out. */
enum err review_show_line(void *ctx, const struct draft *draft);

enum err review_show(
    struct out *out, struct db *db, const struct desk_view *view, struct fail *fail);
