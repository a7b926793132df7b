/*
 * Reports that are known: each that an official index names, whose document was imported, or that a
 * reviewer began by hand, with its state (rule/report_state.h) and its filer (decision M). A public
 * or withdrawn filing has its own state, also while a new version of it is in review; history that
 * was imported in bulk is here only if its report is known too.
 *
 * The filer is the member of the draft, else the one whom the printed name of the index matches
 * (known_set_filer). The memory of servers counts them by member (feed/load.h): a transaction that
 * changes a count ends with known_changed.
 */
#pragma once

#include "db/db.h"
#include "rule/model.h"
#include "rule/report_state.h"

struct known_report {
    struct str id; /* of the filing that it is, or would be */
    enum chamber chamber;
    enum report_state state;
    struct str url;           /* the official document; null: not known */
    struct str filer;         /* as printed by the draft or the index; null: not known */
    struct str politician_id; /* null: no member matched */
    int32_t filed_day;        /* DAY_NONE: not known */
    bool indexed;             /* an official index names it as a trade report */
};

/* Visits all but reports of other forms, or those of one member (not null), in no order. Strings
 * are valid during the call, and `url` is only as it is stored; run no query on this connection
 * inside it. */
typedef void known_visit(void *ctx, const struct known_report *report);
enum err known_each(
    struct db *db, struct str politician_id, known_visit *visit, void *ctx, struct fail *fail);

/* The reports of a member, newest first; in the arena. */
enum err known_of_member(
    struct db *db, struct str politician_id, struct arena *arena, struct known_report **ret,
    size_t *ret_count, struct fail *fail);

/* Strings live in the arena. ERR_NOT_FOUND: no such report is known. */
enum err known_find(
    struct db *db, struct str id, struct arena *arena, struct known_report *ret, struct fail *fail);

/* Visits the indexes whose reports were matched to members, by chamber and year: the Clerk's yearly
 * files, and the years of the Senate whose search `sync` has read to its end. */
struct known_index {
    enum chamber chamber;
    int year;
    int64_t as_of; /* when it was imported last */
};
typedef void known_index_visit(void *ctx, const struct known_index *index);
enum err known_each_index(struct db *db, known_index_visit *visit, void *ctx, struct fail *fail);

/* Sets who filed a report or, null, that nobody matches. Does nothing for a report without a
 * document. */
enum err known_set_filer(
    struct db *db, struct str kind, struct str source_id, struct str politician_id,
    struct fail *fail);

/* Notes that the reports of all indexes were matched. */
enum err known_set_matched(struct db *db, struct fail *fail);

/* Adds the change notice: the counts of a member, or of null all counts, may be others now. The
 * last statement of its transaction. */
enum err known_changed(struct db *db, struct str politician_id, struct fail *fail);
