/*
 * What an acceptance of a draft can prove: which pages with rows were shown to the person, which
 * rows were opened, how long it took, and by which way. Append-only. A public filing has that of
 * its last publication (store/public/filing.h).
 */
#pragma once

#include "db/db.h"
#include "rule/model.h"

enum acceptance_way {
    ACCEPTANCE_COMMAND,
    ACCEPTANCE_DESK,   /* without its script */
    ACCEPTANCE_SCRIPT, /* with it */
    ACCEPTANCE_WAY_COUNT
};

struct acceptance {
    int64_t draft_no, at;
    struct str by;
    enum acceptance_way way;
    enum filing_review review; /* FILING_REVIEW_ROW, _PAGE or _UNSEEN */
    struct str pages, opened;  /* of rule/number_set.h */
    int row_count;             /* of the draft, without deleted ones */
    int64_t ms;
};

enum err acceptance_add(struct db *db, const struct acceptance *acceptance, struct fail *fail);

/* How the filing `f` was reviewed, and its acceptance `c` if it has one, in a statement. A
 * publication by an older program leaves another acceptance than the one it published. */
#define ACCEPTANCE_REVIEW                                                                          \
    "CASE WHEN f.review = 'row' AND f.batch_no IS NOT NULL THEN 'batch'"                           \
    " WHEN f.review = 'row' THEN coalesce(c.review, 'unseen') ELSE f.review END"
#define ACCEPTANCE_JOIN                                                                            \
    " LEFT JOIN acceptance c ON c.no = f.acceptance_no AND f.review = 'row'"                       \
    " AND f.batch_no IS NULL AND (c.at = f.reviewed_at OR c.at = f.second_reviewed_at)"

enum { ACCEPTANCE_ROWS_MAX = 10 }; /* of the drafts in the median of the desk */

struct acceptance_median {
    int64_t count; /* of acceptances */
    int64_t ms;    /* their median; 0: there are none */
};

/* Of clean drafts of up to ACCEPTANCE_ROWS_MAX rows that were accepted on the desk since then. */
enum err acceptance_median(
    struct db *db, int64_t since_ms, struct acceptance_median *ret, struct fail *fail);
