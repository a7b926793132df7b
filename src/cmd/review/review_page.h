/*
 * A draft as a page on a terminal, to be worked from: what it is, its checks, every row with the
 * printed cells beside the values that were read, doubts in words, the effect of publishing, its
 * history, and the commands to run next. The values have the names that `review set` takes.
 */
#pragma once

#include "cmd/term/out.h"
#include "review/desk/desk.h"

enum err review_page(
    struct out *out, struct db *db, const struct desk_view *view, struct fail *fail);
