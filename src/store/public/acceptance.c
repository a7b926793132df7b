/* Acceptances; see acceptance.h. */
#include "store/public/acceptance.h"

static const struct str way_names[ACCEPTANCE_WAY_COUNT] = {
    [ACCEPTANCE_SCRIPT] = STR_INIT("script"),
    [ACCEPTANCE_DESK] = STR_INIT("desk"),
    [ACCEPTANCE_COMMAND] = STR_INIT("command"),
};

enum err acceptance_add(struct db *db, const struct acceptance *a, struct fail *fail)
{
    return query_run(
        db, fail,
        "INSERT INTO acceptance (draft_no, at, by_email, way, review, pages, opened, row_count, ms,"
        " clean) SELECT no, $2, $3, $4, $5, $6, $7, $8, $9, clean FROM draft WHERE no = $1",
        V(a->draft_no), V(a->at), V(a->by), V(way_names[a->way]), V(filing_review_name(a->review)),
        V(a->pages), V(a->opened), V(a->row_count), V(a->ms));
}

#define TIMED                                                                                      \
    " FROM acceptance WHERE at >= $1 AND row_count <= $2 AND clean = 1 AND way <> 'command'"       \
    " AND ms > 0" /* in a batch nothing was shown */

enum err acceptance_median(
    struct db *db, int64_t since_ms, struct acceptance_median *ret, struct fail *fail)
{
    *ret = (struct acceptance_median){.count = 0};
    enum err err = query_number(
        db, &ret->count, fail, "SELECT count(*)" TIMED, V(since_ms), V(ACCEPTANCE_ROWS_MAX));
    if (err || ret->count == 0)
        return err;
    return query_number(
        db, &ret->ms, fail, "SELECT ms" TIMED " ORDER BY ms LIMIT 1 OFFSET $3", V(since_ms),
        V(ACCEPTANCE_ROWS_MAX), V(ret->count / 2));
}
