/*
 * The obstacles to accepting a draft. desk_accept refuses with the first one. Pages and the command
 * line show all of them, and the command line adds the command that removes each.
 */
#pragma once

#include "review/difference.h"
#include "rule/self_check.h"
#include "store/desk/draft.h"
#include "store/desk/draft_row.h"

enum obstacle_kind {
    OBSTACLE_FILER,       /* the member who filed it is not known */
    OBSTACLE_FILED_AT,    /* nor the filing date */
    OBSTACLE_URL,         /* the URL of the document is not known */
    OBSTACLE_OPEN_ROW,    /* a person must choose the trade of `row` */
    OBSTACLE_NO_ROW,      /* there is nothing to publish */
    OBSTACLE_NO_DATE,     /* `row`, of paper, has no trade date, and nobody says there is none */
    OBSTACLE_HIDDEN,      /* the field `name` of `row` has a hidden character (base/hidden.h) */
    OBSTACLE_WITHDRAWN,   /* it was public and was withdrawn */
    OBSTACLE_OTHER_FILER, /* it is public as a filing of another member */
    OBSTACLE_ENTRY,       /* a second person must type it, or a third decide (double_entry.h) */
    OBSTACLE_CHECK,       /* the check `name` failed; an acceptance can waive it, with a reason */
    OBSTACLE_KIND_COUNT
};

struct obstacle {
    enum obstacle_kind kind;
    int row;           /* 0: about the filing */
    struct str name;   /* of a field or check, or the proposed address; null */
    struct str what;   /* "the filer is not known" */
    struct str remedy; /* "name the member who filed it" */
};

struct obstacle_list {
    struct obstacle *items; /* in the order in which a reviewer removes them */
    size_t count;
};

struct obstacle_query {
    const struct draft *draft;
    const struct difference *difference;
    const struct self_check *checks;
    size_t check_count;
};

/* The probable URL of the document of a draft without one, for a person to confirm; null if the
 * draft lacks the data for it. */
struct str obstacle_proposed_url(const struct draft *draft, struct arena *arena);

/* Finds all obstacles; in the arena. Reads only. */
enum err obstacles_find(
    struct db *db, const struct obstacle_query *query, struct arena *arena,
    struct obstacle_list *ret, struct fail *fail);

/* ERR_REFUSED, with the obstacle as its reason. */
enum err obstacle_refuse(const struct obstacle *obstacle, struct fail *fail);

/* ERR_REFUSED: publishing would show a hidden character, or say that the page states no trade date
 * although nobody has said so. Earlier versions accepted such drafts. */
enum err obstacle_check_values(
    struct db *db, const struct draft *draft, const struct difference *difference,
    struct arena *arena, struct fail *fail);

/* Rows of drafts on paper: of scans, or entered by hand. */

/* Whether a person has set the trade date of a row of a scan, perhaps to none. */
bool row_date_is_entered(const struct draft_row_stored *row, struct arena *arena);
