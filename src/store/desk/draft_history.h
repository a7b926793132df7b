/* The log of changes to a draft by people and the program. Append-only. */
#pragma once

#include "db/db.h"
#include "rule/draft.h"

struct draft_event {
    int64_t at;
    struct str by;     /* e-mail address; "stockact" for the program */
    struct str action; /* draft_action_name, "set", "add_row", "delete_row", "set_filer", "waive",
                        * "index", "document", "take_over", "type_row", "count_rows", "type_all",
                        * "decide" */
    int row;           /* 0: the whole draft */
    struct str field, old, new, reason; /* null: none */
};

enum err draft_history_add(
    struct db *db, int64_t draft_no, const struct draft_event *event, struct fail *fail);

/* What a person did so far in the entry of a paper draft. */
struct draft_part {
    bool started; /* any person has entered something */
    bool entered; /* this one has, or accepted it as its first person, or took it over */
    bool typed;   /* as the second person */
    bool decided; /* a difference */
};
enum err draft_history_part(
    struct db *db, int64_t draft_no, struct str by, struct draft_part *ret, struct fail *fail);

/* Sets ret[row] of each row whose field a person has set or decided, perhaps to no value. */
enum err draft_history_rows_set(
    struct db *db, int64_t draft_no, struct str field, bool ret[static DRAFT_ROW_MAX + 1],
    struct fail *fail);

/* Visits in order. Strings are valid during the call. */
typedef void draft_history_visit(void *ctx, const struct draft_event *event);
enum err draft_history_each(
    struct db *db, int64_t draft_no, draft_history_visit *visit, void *ctx, struct fail *fail);

/* Visits the lines with that action of all drafts of the filing, in order, in the same way. */
enum err draft_history_each_action(
    struct db *db, struct str filing_id, struct str action, draft_history_visit *visit, void *ctx,
    struct fail *fail);
