/* The party and state of a filer at the filing date, as published (decision 7). */
#pragma once

#include "rule/model.h"

struct db;

struct office {
    struct str party; /* null: not known */
    struct str state;
    bool has_term; /* a term had begun */
};

/* Of the term that the member served in the chamber then; strings live in the arena.
 * `printed_state` is the state on the document, for a member without such a term; null: none. */
enum err office_at(
    struct db *db, struct str politician_id, enum chamber chamber, int64_t filed_at,
    struct str printed_state, struct arena *arena, struct office *ret, struct fail *fail);
