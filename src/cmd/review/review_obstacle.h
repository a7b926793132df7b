/* The commands that remove what keeps a draft from being accepted. Private to src/cmd/review. */
#pragma once

#include "review/desk/desk.h"

/* "stockact review set-filer house-20990001 SLUG --by ann@example.org", in the arena; null: no
 * single command removes it. */
struct str review_obstacle_command(
    const struct obstacle *obstacle, struct str filing_id, struct str by, struct arena *arena);

/* The command that says that the page states no such value, in the arena; null: that is no answer
 * to this obstacle. */
struct str review_obstacle_answer(
    const struct obstacle *obstacle, struct str filing_id, struct str by, struct arena *arena);

/* After a refused acceptance: adds the command to the reason if an obstacle is what was refused.
 * Returns `err`. */
enum err review_obstacle_explain(
    struct db *db, struct str filing_id, struct str by, enum err err, struct fail *fail);
