/* Acceptances; see acceptance.h. */
#include "store/acceptance.h"

static const struct str way_names[ACCEPTANCE_WAY_COUNT] = {
    [ACCEPTANCE_SCRIPT] = STR_INIT("script"),
    [ACCEPTANCE_DESK] = STR_INIT("desk"),
    [ACCEPTANCE_COMMAND] = STR_INIT("command"),
};

enum err acceptance_add(struct db *db, const struct acceptance *a, struct fail *fail)
{
    struct query q;
    query_start(
        &q, db,
        "INSERT INTO acceptance (draft_no, at, by_email, way, review, pages, opened, row_count, ms,"
        " clean) SELECT no, $2, $3, $4, $5, $6, $7, $8, $9, clean FROM draft WHERE no = $1");
    query_i64(&q, a->draft_no);
    query_i64(&q, a->at);
    query_str(&q, a->by);
    query_str(&q, way_names[a->way]);
    query_str(&q, filing_review_name(a->review));
    query_str(&q, a->pages);
    query_str(&q, a->opened);
    query_i64(&q, a->row_count);
    query_i64(&q, a->ms);
    return query_end(&q, fail);
}

#define TIMED                                                                                      \
    " FROM acceptance WHERE at >= $1 AND row_count <= $2 AND clean = 1 AND way <> 'command'"       \
    " AND ms > 0" /* in a batch nothing was shown */

enum err acceptance_median(
    struct db *db, int64_t since_ms, struct acceptance_median *ret, struct fail *fail)
{
    struct query q;
    *ret = (struct acceptance_median){.count = 0};
    query_start(&q, db, "SELECT count(*)" TIMED);
    query_i64(&q, since_ms);
    query_i64(&q, ACCEPTANCE_ROWS_MAX);
    if (query_row(&q))
        ret->count = query_get_i64(&q, 0);
    enum err err = query_end(&q, fail);
    if (err || ret->count == 0)
        return err;
    query_start(&q, db, "SELECT ms" TIMED " ORDER BY ms LIMIT 1 OFFSET $3");
    query_i64(&q, since_ms);
    query_i64(&q, ACCEPTANCE_ROWS_MAX);
    query_i64(&q, ret->count / 2);
    if (query_row(&q))
        ret->ms = query_get_i64(&q, 0);
    return query_end(&q, fail);
}
