/* Imports seats over time in one transaction; see spans.h. */
#include "conflict/spans.h"

#include "market/seats_shipped.h"
#include "store/public/publication.h"
#include "store/row/change.h"
#include "store/row/meta.h"

static size_t count_members(const struct seat_span *spans, size_t count)
{
    size_t members = 0;
    for (size_t i = 0; i < count; i++)
        members += i == 0 || !str_eq(spans[i].member, spans[i - 1].member);
    return members;
}

/* Runs inside the transaction. The publication lock keeps the days of the lists consistent with
 * their seats for a judge. */
static enum err put_all(
    struct db *db, const struct committee_spans *spans, const struct progress_hook *progress,
    struct spans_report *report, struct fail *fail)
{
    bool changed = false;
    enum err err = meta_data_claim(db, META_DATA_REAL, fail);
    if (!err)
        err = publication_lock(db, fail);
    if (!err)
        err = committee_span_put(db, spans, progress, &changed, fail);
    report->unchanged = !changed;
    if (!err && changed)
        err = change_add(db, STR("member"), STR(""), &report->change_seq, fail);
    return err;
}

static enum err put(
    struct db *db, const struct spans_read *read, const struct progress_hook *progress,
    struct spans_report *ret, struct fail *fail)
{
    size_t count = read->span_count;
    struct committee_spans spans = {
        .namings = read->namings,
        .naming_count = read->naming_count,
        .days = read->days,
        .day_count = read->day_count,
    };
    struct spans_report report = {
        .first = read->days[0],
        .last = read->days[read->day_count - 1],
        .lists = read->day_count,
        .lines_left_out = read->left_out,
    };
    seats_shipped_end_gone(read->spans, &count);
    spans.spans = seat_spans_split(read->spans, count, report.last, read->arena, &spans.span_count);
    report.seats = spans.span_count;
    report.members = count_members(spans.spans, spans.span_count);
    enum err err = db_begin(db, fail);
    if (!err) {
        err = put_all(db, &spans, progress, &report, fail);
        err = db_end(db, err, fail);
    }
    if (!err)
        *ret = report;
    return err;
}

enum err spans_import(
    struct db *db, const struct spans_import *in, struct spans_report *ret, struct fail *fail)
{
    struct arena arena;
    struct spans_read read = {.arena = &arena, .today = in->today, .odd = in->odd, .ctx = in->ctx};
    arena_init(&arena);
    enum err err = spans_read_seats(&read, &in->seats, fail);
    if (!err && in->names.text.p)
        err = spans_read_names(&read, &in->names, fail);
    if (!err)
        err = put(db, &read, in->progress, ret, fail);
    arena_finish(&arena);
    return err;
}
