/*
 * What an acceptance can prove, by what the server has shown to the person
 * (docs/adr/0039-evidence-of-looking.md): measured, never declared. Private to src/review/desk.
 */
#pragma once

#include "base/mem.h"
#include "store/desk/draft.h"
#include "store/desk/draft_row.h"
#include "store/public/acceptance.h"

/* A draft that is accepted. */
struct looked_at {
    const struct draft *draft;
    const struct draft_row_list *rows;
    struct str by;
    enum acceptance_way way;
    int64_t now_ms;
};

/* Stores the acceptance (store/public/acceptance.h). *ret_line: the same in words, for the history,
 * in the arena. */
enum err looked_store(
    struct db *db, const struct looked_at *at, struct arena *arena, struct str *ret_line,
    struct fail *fail);
