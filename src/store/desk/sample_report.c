/* Adds up the sample; see sample_report.h. */
#include "store/desk/sample_report.h"

#include <assert.h>

static struct sample_cell *cell_of(struct sample_report *r, int32_t month, int stratum)
{
    for (size_t i = 0; i < r->cell_count; i++)
        if (r->cells[i].month == month && r->cells[i].stratum == stratum)
            return &r->cells[i];
    assert(r->cell_count < (size_t)SAMPLE_MONTHS * SAMPLE_STRATA);
    r->cells[r->cell_count] = (struct sample_cell){.month = month, .stratum = stratum};
    return &r->cells[r->cell_count++];
}

static void add(
    struct sample_report *r, int32_t month, int stratum, struct str state, int64_t count)
{
    bool wrong = str_eq(state, sample_state_name(SAMPLE_WRONG));
    if (wrong || str_eq(state, sample_state_name(SAMPLE_RIGHT))) {
        struct sample_cell *cell = cell_of(r, month, stratum);
        struct share_part *part = &r->strata[stratum];
        cell->checked += count;
        part->checked += count;
        r->checked += count;
        if (wrong) {
            cell->wrong += count;
            part->wrong += count;
            r->wrong += count;
        }
    } else if (str_eq(state, sample_state_name(SAMPLE_UNREADABLE))) {
        r->unreadable += count;
    } else if (str_eq(state, sample_state_name(SAMPLE_SKIPPED))) {
        r->skipped += count;
    } else {
        r->expired += count;
    }
}

static enum err load_rows(struct db *db, struct sample_report *r, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT month, chamber, kind, state, count(*) FROM sample_row"
        " WHERE month BETWEEN $1 AND $2 GROUP BY month, chamber, kind, state"
        " ORDER BY month DESC, chamber, kind",
        V(r->first_month), V(r->last_month));
    while (query_row(&q)) {
        bool paper = str_eq(query_get_str(&q, 2), sample_kind_name(SAMPLE_PAPER));
        int stratum = sample_stratum(
            chamber_from_name(query_get_str(&q, 1)), paper ? SAMPLE_PAPER : SAMPLE_ELECTRONIC);
        add(r, (int32_t)query_get_i64(&q, 0), stratum, query_get_str(&q, 3), query_get_i64(&q, 4));
    }
    return query_end(&q, fail);
}

static enum err load_waiting(struct db *db, struct sample_report *r, struct fail *fail)
{
    QUERY(q, db, "SELECT state, count(*) FROM sample_row WHERE ended_at IS NULL GROUP BY 1");
    while (query_row(&q)) {
        bool differs = str_eq(query_get_str(&q, 0), sample_state_name(SAMPLE_DIFFERS));
        *(differs ? &r->undecided : &r->waiting) = query_get_i64(&q, 1);
    }
    return query_end(&q, fail);
}

static enum err load_fields(
    struct db *db, struct arena *arena, struct sample_report *r, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT d.field, count(*), sum(CASE WHEN d.verdict = 'published' THEN 1 ELSE 0 END)"
        " FROM sample_row r JOIN sample_difference d ON d.row_no = r.no"
        " WHERE r.month BETWEEN $1 AND $2 AND r.state IN ('right', 'wrong')"
        " GROUP BY d.field ORDER BY d.field",
        V(r->first_month), V(r->last_month));
    while (query_row(&q) && r->field_count < SAMPLE_FIELDS_MAX)
        r->fields[r->field_count++] = (struct sample_field_count){
            .name = query_text(&q, 0, arena),
            .differences = query_get_i64(&q, 1),
            .wrong = query_get_i64(&q, 2),
        };
    return query_end(&q, fail);
}

enum err sample_report_load(
    struct db *db, int64_t now_ms, struct arena *arena, struct sample_report *ret,
    struct fail *fail)
{
    int32_t month = instant_month_utc(now_ms);
    *ret = (struct sample_report){
        .first_month = month - SAMPLE_MONTHS + 1,
        .last_month = month,
        .cells = ARENA_ARRAY(arena, struct sample_cell, SAMPLE_MONTHS * SAMPLE_STRATA),
    };
    enum err err = sample_draw_newest(db, &ret->draw, fail);
    if (err == ERR_NOT_FOUND)
        err = OK;
    if (!err)
        err = load_rows(db, ret, fail);
    if (!err)
        err = load_waiting(db, ret, fail);
    if (!err)
        err = load_fields(db, arena, ret, fail);
    if (!err)
        err = sample_document_report(db, now_ms, ret->first_month, &ret->documents, fail);
    for (int i = 0; i < SAMPLE_STRATA; i++) {
        const struct sample_document_sum *sum = &ret->documents.strata[i];
        ret->strata[i].rows = ret->draw.strata[i].trades;
        ret->missing[i] =
            (struct share_part){ret->strata[i].rows, sum->rows, sum->missing, sum->squares};
    }
    ret->missing_known = !err && share_of_parts(ret->missing, SAMPLE_STRATA, &ret->missing_share);
    ret->is_known = !err && share_of_parts(ret->strata, SAMPLE_STRATA, &ret->share);
    return err;
}
