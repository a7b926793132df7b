/* How right the published trades are; see coverage_sample.h. */
#include "api/coverage_sample.h"

#include <math.h>

static struct shape_sample_share share_with(
    int64_t checked, int64_t wrong, bool known, const struct share *share)
{
    return (struct shape_sample_share){
        checked, wrong, known ? share->rate : NAN, known ? share->low : NAN,
        known ? share->high : NAN};
}

static struct shape_sample_share share_shown(int64_t checked, int64_t wrong)
{
    struct share share = {0};
    bool known = share_of(wrong, checked, &share);
    return share_with(checked, wrong, known, &share);
}

/* Of every thousand rows of the documents. */
static struct shape_sample_missing missing_shown(
    const struct sample_document_sum *sum, bool known, const struct share *share)
{
    return (struct shape_sample_missing){
        sum->documents,
        sum->rows,
        sum->missing,
        known ? share->rate * 1000 : NAN,
        known ? share->low * 1000 : NAN,
        known ? share->high * 1000 : NAN,
    };
}

static struct shape_sample_group group_shown(const struct sample_report *report, int stratum)
{
    const struct sample_stratum_count *drawn = &report->draw.strata[stratum];
    const struct share_part *part = &report->strata[stratum];
    struct share share = {0};
    bool known = share_of_groups(&report->missing[stratum], &share);
    return (struct shape_sample_group){
        .chamber = sample_stratum_chamber(stratum),
        .kind = sample_stratum_kind(stratum) + 1,
        .trades = drawn->trades,
        .unstored = drawn->unstored,
        .share = share_shown(part->checked, part->wrong),
        .documents = drawn->documents,
        .missing = missing_shown(&report->documents.strata[stratum], known, &share),
    };
}

struct shape_sample coverage_sample_of(const struct sample_report *report, struct arena *arena)
{
    size_t count = report->draw.day == DAY_NONE ? 0 : SAMPLE_STRATA;
    struct shape_sample_group *groups =
        ARENA_ARRAY(arena, struct shape_sample_group, SAMPLE_STRATA);
    struct shape_sample_month *months =
        ARENA_ARRAY(arena, struct shape_sample_month, report->cell_count + 1);
    struct shape_sample_field *fields =
        ARENA_ARRAY(arena, struct shape_sample_field, report->field_count + 1);
    for (size_t i = 0; i < count; i++)
        groups[i] = group_shown(report, (int)i);
    for (size_t i = 0; i < report->cell_count; i++) {
        const struct sample_cell *cell = &report->cells[i];
        months[i] = (struct shape_sample_month){
            cell->month, sample_stratum_chamber(cell->stratum),
            sample_stratum_kind(cell->stratum) + 1, share_shown(cell->checked, cell->wrong)};
    }
    for (size_t i = 0; i < report->field_count; i++)
        fields[i] = (struct shape_sample_field){
            report->fields[i].name, report->fields[i].differences, report->fields[i].wrong};
    return (struct shape_sample){
        .from = report->first_month,
        .to = report->last_month,
        .share = share_with(report->checked, report->wrong, report->is_known, &report->share),
        .waiting = report->waiting,
        .undecided = report->undecided,
        .unreadable = report->unreadable,
        .skipped = report->skipped,
        .expired = report->expired,
        .missing =
            missing_shown(&report->documents.all, report->missing_known, &report->missing_share),
        .documents_waiting = report->documents.waiting,
        .documents_undecided = report->documents.undecided,
        .documents_skipped = report->documents.skipped,
        .documents_expired = report->documents.expired,
        .drawn_at = report->draw.drawn_at,
        .groups = groups,
        .group_count = count,
        .months = months,
        .month_count = report->cell_count,
        .fields = fields,
        .field_count = report->field_count,
    };
}
