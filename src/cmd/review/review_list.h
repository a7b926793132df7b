/* `review list` on a terminal: a line for each draft, its state and reason below it where they say
 * more, a count of each state with its meaning, and the next command. */
#pragma once

#include "cmd/term/out.h"
#include "store/desk/draft.h"

struct review_list;

struct review_list *review_list_create(void);
enum err review_list_add(void *ctx, const struct draft *draft); /* a draft_visit */
/* With `base_url` (null: not known) the next steps name the desk. */
void review_list_print(struct review_list *list, struct out *out, struct str base_url);
void review_list_destroy(struct review_list *list);
