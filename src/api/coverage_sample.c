/* How right the published trades are; see coverage_sample.h. */
#include "api/coverage_sample.h"

static void put_number(struct json_out *j, struct str name, bool known, double value)
{
    char space[32];
    struct buf b = buf_over(space, sizeof space);
    json_key(j, name);
    share_put(&b, value);
    if (known)
        json_raw(j, buf_view(&b));
    else
        json_no_value(j);
}

static void put_share(struct json_out *j, bool known, const struct share *share)
{
    put_number(j, STR("rate"), known, share->rate);
    put_number(j, STR("low"), known, share->low);
    put_number(j, STR("high"), known, share->high);
}

/* Of every thousand rows of the documents. */
static void put_missing(
    struct json_out *j, const struct sample_document_sum *sum, bool known,
    const struct share *share)
{
    JSON_KEY_I64(j, "documentsCounted", sum->documents);
    JSON_KEY_I64(j, "rowsCounted", sum->rows);
    JSON_KEY_I64(j, "rowsMissing", sum->missing);
    put_number(j, STR("missingPerThousand"), known, share->rate * 1000);
    put_number(j, STR("missingLow"), known, share->low * 1000);
    put_number(j, STR("missingHigh"), known, share->high * 1000);
}

static void put_checked(struct json_out *j, int64_t checked, int64_t wrong)
{
    struct share share = {0};
    JSON_KEY_I64(j, "checked", checked);
    JSON_KEY_I64(j, "wrong", wrong);
    bool known = share_of(wrong, checked, &share);
    put_share(j, known, &share);
}

static void put_month(struct json_out *j, struct str name, int32_t month)
{
    char space[32];
    struct buf b = buf_over(space, sizeof space);
    buf_fmt(&b, "%04d-%02d", month / 12, month % 12 + 1);
    json_key(j, name);
    json_str(j, buf_view(&b));
}

static void put_group(struct json_out *j, int stratum)
{
    JSON_KEY_STR(j, "chamber", chamber_name(sample_stratum_chamber(stratum)));
    JSON_KEY_STR(j, "kind", sample_kind_name(sample_stratum_kind(stratum)));
}

static void put_groups(struct json_out *j, const struct sample_report *report)
{
    json_array_begin(j);
    for (int i = 0; i < SAMPLE_STRATA && report->draw.day != DAY_NONE; i++) {
        json_object_begin(j);
        put_group(j, i);
        JSON_KEY_I64(j, "trades", report->draw.strata[i].trades);
        JSON_KEY_I64(j, "withoutDocument", report->draw.strata[i].unstored);
        put_checked(j, report->strata[i].checked, report->strata[i].wrong);
        JSON_KEY_I64(j, "documents", report->draw.strata[i].documents);
        struct share share = {0};
        bool known = share_of_groups(&report->missing[i], &share);
        put_missing(j, &report->documents.strata[i], known, &share);
        json_object_end(j);
    }
    json_array_end(j);
}

static void put_months(struct json_out *j, const struct sample_report *report)
{
    json_array_begin(j);
    for (size_t i = 0; i < report->cell_count; i++) {
        const struct sample_cell *cell = &report->cells[i];
        json_object_begin(j);
        put_month(j, STR("month"), cell->month);
        put_group(j, cell->stratum);
        put_checked(j, cell->checked, cell->wrong);
        json_object_end(j);
    }
    json_array_end(j);
}

static void put_fields(struct json_out *j, const struct sample_report *report)
{
    json_array_begin(j);
    for (size_t i = 0; i < report->field_count; i++) {
        json_object_begin(j);
        JSON_KEY_STR(j, "field", report->fields[i].name);
        JSON_KEY_I64(j, "differences", report->fields[i].differences);
        JSON_KEY_I64(j, "wrong", report->fields[i].wrong);
        json_object_end(j);
    }
    json_array_end(j);
}

void coverage_sample_put(struct json_out *j, const struct sample_report *report)
{
    json_object_begin(j);
    put_month(j, STR("from"), report->first_month);
    put_month(j, STR("to"), report->last_month);
    JSON_KEY_I64(j, "checked", report->checked);
    JSON_KEY_I64(j, "wrong", report->wrong);
    put_share(j, report->is_known, &report->share);
    JSON_KEY_I64(j, "waiting", report->waiting);
    JSON_KEY_I64(j, "undecided", report->undecided);
    JSON_KEY_I64(j, "unreadable", report->unreadable);
    JSON_KEY_I64(j, "skipped", report->skipped);
    JSON_KEY_I64(j, "expired", report->expired);
    put_missing(j, &report->documents.all, report->missing_known, &report->missing_share);
    JSON_KEY_I64(j, "documentsWaiting", report->documents.waiting);
    JSON_KEY_I64(j, "documentsUndecided", report->documents.undecided);
    JSON_KEY_I64(j, "documentsSkipped", report->documents.skipped);
    JSON_KEY_I64(j, "documentsExpired", report->documents.expired);
    json_key(j, STR("drawnAt"));
    json_instant(j, report->draw.drawn_at);
    json_key(j, STR("groups"));
    put_groups(j, report);
    json_key(j, STR("months"));
    put_months(j, report);
    json_key(j, STR("fields"));
    put_fields(j, report);
    json_object_end(j);
}
