/* Members to choose from by any part of their name, for forms. */
#pragma once

#include "db/db.h"
#include "rule/model.h"

enum { MEMBER_PICK_WORDS = 5 };

struct member_picked {
    struct str slug, name;
    struct str state; /* of the last term in the chamber */
    int district;     /* MEMBER_DISTRICT_NONE */
    int32_t end;      /* DAY_NONE: not stated */
};

struct member_pick {
    struct member_picked *items; /* who left last comes first, unknown days last */
    size_t count;
};

/* Members with a term in that chamber whose name, or another name of theirs, has every word or part
 * of a word, in any order. `words` are folded (FOLD_ASCII); only the first MEMBER_PICK_WORDS
 * count. */
enum err member_pick_find(
    struct db *db, struct str words, enum chamber chamber, int64_t limit, struct arena *arena,
    struct member_pick *ret, struct fail *fail);
