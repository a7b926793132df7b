/* How a draft is printed: one line of a list, or all of it with its rows, what was printed beside
 * what is read from it, what publishing would do, and its history. */
#pragma once

#include "cmd/out.h"
#include "review/desk.h"

/* A draft_visit; ctx is the struct out. */
enum err review_show_line(void *ctx, const struct draft *draft);

enum err review_show(
    struct out *out, struct db *db, const struct desk_view *view, struct fail *fail) MUST_CHECK;
