/*
 * Answers to questions about groups, which an edition keeps until its trades change: what was asked
 * longest ago makes room. Nobody waits: who finds them locked does without. Private to src/feed.
 */
#pragma once

#include "base/buf.h"
#include "noun/group.h"

struct group_answer {
    bool fits, more;
    size_t count;
    struct trade_group *groups;
    struct group_columns totals;
};

struct group_answers *group_answers_create(void);
void group_answers_destroy(struct group_answers *a);

/* An answer to the question `key`, made when so many changes (series.h) were seen. ret->groups is
 * the caller's room; texts are in the arena. */
bool group_answers_find(
    struct group_answers *a, struct str key, uint64_t changes, struct arena *arena,
    struct group_answer *ret);
void group_answers_keep(
    struct group_answers *a, struct str key, uint64_t changes, const struct group_answer *answer);
