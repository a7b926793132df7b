/* The error rate on /coverage; see sample_view.h. */
#include "site/frame/sample_view.h"

#include "html/table.h"
#include "market/trade_words.h"
#include "review/desk/blind.h"
#include "store/desk/sample_report.h"

enum { SENTENCE_SIZE_MAX = 600 };

static void put_interval(struct buf *b, const struct share *share)
{
    share_put_words(b, share->rate);
    buf_text(b, ", between ");
    share_put_words(b, share->low);
    buf_text(b, " and ");
    share_put_words(b, share->high);
}

static void put_count(struct buf *b, int64_t n, const char *one, const char *many)
{
    view_count_put(b, n);
    buf_fmt(b, " %s", n == 1 ? one : many);
}

static bool is_of_one(const struct share_part parts[static SAMPLE_STRATA])
{
    int count = 0;
    for (int i = 0; i < SAMPLE_STRATA; i++)
        count += parts[i].checked > 0;
    return count == 1;
}

/* "Of 240 trades checked again in 12 months, 1 was wrong: 0.4 %, between 0.1 % and 2.3 %." */
static struct str sentence(struct arena *arena, const struct sample_report *r)
{
    char space[SENTENCE_SIZE_MAX];
    struct buf b = buf_over(space, sizeof space);
    if (!r->is_known) {
        buf_text(
            &b,
            r->draw.day == DAY_NONE
                ? "No published trade was drawn to be checked again yet, so no error rate is known."
                : "No published trade was checked again in the last 12 months, so no error rate is "
                  "known.");
        return arena_str(arena, buf_view(&b));
    }
    buf_text(&b, "Of ");
    put_count(&b, r->checked, "trade", "trades");
    buf_text(&b, " checked again in 12 months, ");
    if (r->wrong)
        put_count(&b, r->wrong, "was wrong", "were wrong");
    else
        buf_text(&b, "none were wrong");
    buf_text(
        &b, is_of_one(r->strata) ? ": "
                                 : ". Weighted by the number of trades in each group, the "
                                   "estimated share of wrong trades is ");
    put_interval(&b, &r->share);
    buf_char(&b, '.');
    return arena_str(arena, buf_view(&b));
}

/* Of what was drawn, what does not count as checked. */
static struct str rest(struct arena *arena, const struct sample_report *r)
{
    char space[SENTENCE_SIZE_MAX];
    struct buf b = buf_over(space, sizeof space);
    put_count(&b, r->waiting, "drawn trade waits", "drawn trades wait");
    buf_text(&b, " to be checked. ");
    if (r->undecided) {
        put_count(&b, r->undecided, "more differs", "more differ");
        buf_text(
            &b, " from what a person typed again from the document. They do not count above until "
                "a person decides which is wrong. ");
    }
    buf_text(&b, "In 12 months ");
    put_count(&b, r->unreadable, "could not be read", "could not be read");
    buf_fmt(
        &b, ", %lld %s skipped for another reason, and %lld %s not checked within 30 days.",
        (long long)r->skipped, r->skipped == 1 ? "was" : "were", (long long)r->expired,
        r->expired == 1 ? "was" : "were");
    return arena_str(arena, buf_view(&b));
}

static void put_per_thousand(struct buf *b, double share)
{
    int tenths = (int)(share * 10000 + 0.5);
    if (share > 0 && tenths == 0)
        buf_text(b, "under 0.1");
    else
        buf_fmt(b, "%d.%d", tenths / 10, tenths % 10);
}

/* "0.0 per thousand, between 0.0 and 161.2" */
static void put_missing_interval(struct buf *b, const struct share *share)
{
    put_per_thousand(b, share->rate);
    buf_text(b, " per thousand, between ");
    put_per_thousand(b, share->low);
    buf_text(b, " and ");
    put_per_thousand(b, share->high);
}

/* "Of 412 rows in 30 documents counted in 12 months, 1 is missing here: 2.4 per thousand, ..." */
static struct str missing_sentence(struct arena *arena, const struct sample_report *r)
{
    char space[SENTENCE_SIZE_MAX];
    struct buf b = buf_over(space, sizeof space);
    const struct sample_document_sum *all = &r->documents.all;
    if (!r->missing_known) {
        buf_text(
            &b, "How many rows of the published documents are missing here is not known: nobody "
                "counted the rows of a drawn document in the last 12 months.");
        return arena_str(arena, buf_view(&b));
    }
    buf_text(&b, "Of ");
    put_count(&b, all->rows, "row in ", "rows in ");
    put_count(&b, all->documents, "document", "documents");
    buf_text(&b, " counted in 12 months, ");
    if (all->missing)
        put_count(&b, all->missing, "is missing here", "are missing here");
    else
        buf_text(&b, "none is missing here");
    buf_text(
        &b,
        is_of_one(r->missing) ? ": " : ". Weighted by the trades of each group, the estimate is ");
    put_missing_interval(&b, &r->missing_share);
    buf_char(&b, '.');
    return arena_str(arena, buf_view(&b));
}

static void put_group(struct view *row, int stratum)
{
    view_str(row, "chamber", words_chamber(sample_stratum_chamber(stratum)));
    view_str(row, "kind", sample_kind_name(sample_stratum_kind(stratum)));
}

static void put_checks(struct page_call *call, struct view *row, int64_t checked, int64_t wrong)
{
    char space[SENTENCE_SIZE_MAX];
    struct buf b = buf_over(space, sizeof space);
    struct share share;
    view_count(row, "checked", checked);
    view_count(row, "wrong", wrong);
    if (share_of(wrong, checked, &share))
        put_interval(&b, &share);
    else
        buf_text(&b, "not known");
    view_str(row, "estimate", arena_str(call->arena, buf_view(&b)));
}

static void put_groups(struct page_call *call, struct view *view, const struct sample_report *r)
{
    struct view *table = table_begin(
        view, "groups", "Reports|#Checked|#Wrong|Estimate|#Eligible trades|#Document not stored",
        "Nothing was drawn yet.");
    for (int i = 0; i < SAMPLE_STRATA; i++) {
        const struct sample_stratum_count *count = &r->draw.strata[i];
        if (!count->trades && !count->unstored && !r->strata[i].checked)
            continue; /* there are no such reports */
        struct view *row = table_row(table);
        put_group(row, i);
        put_checks(call, row, r->strata[i].checked, r->strata[i].wrong);
        view_count(row, "trades", count->trades);
        view_count(row, "unstored", count->unstored);
    }
}

static void put_missing(struct page_call *call, struct view *view, const struct sample_report *r)
{
    struct view *table = table_begin(
        view, "missing", "Reports|#Documents|#Rows counted|#Missing|Estimate|#Eligible",
        "Nothing was drawn yet.");
    for (int i = 0; i < SAMPLE_STRATA; i++) {
        const struct sample_document_sum *sum = &r->documents.strata[i];
        struct share share;
        char space[SENTENCE_SIZE_MAX];
        struct buf b = buf_over(space, sizeof space);
        if (!r->draw.strata[i].documents && !sum->documents)
            continue; /* there are no such reports */
        struct view *row = table_row(table);
        put_group(row, i);
        view_count(row, "counted", sum->documents);
        view_count(row, "rows", sum->rows);
        view_count(row, "missing", sum->missing);
        if (share_of_groups(&r->missing[i], &share))
            put_missing_interval(&b, &share);
        else
            buf_text(&b, "not known");
        view_str(row, "estimate", arena_str(call->arena, buf_view(&b)));
        view_count(row, "documents", r->draw.strata[i].documents);
    }
}

static void put_months(struct page_call *call, struct view *view, const struct sample_report *r)
{
    struct view *table = table_begin(
        view, "months", "Month|Reports|#Checked|#Wrong|Estimate", "Nothing was checked yet.");
    for (size_t i = 0; i < r->cell_count; i++) {
        const struct sample_cell *cell = &r->cells[i];
        struct view *row = table_row(table);
        view_str(
            row, "month",
            arena_fmt(call->arena, "%04d-%02d", cell->month / 12, cell->month % 12 + 1));
        put_group(row, cell->stratum);
        put_checks(call, row, cell->checked, cell->wrong);
    }
}

static void put_fields(struct view *view, const struct sample_report *r)
{
    struct view *table = table_begin(
        view, "fields", "Field|#Differences|#Published wrong", "No field differed yet.");
    for (size_t i = 0; i < r->field_count; i++) {
        struct view *row = table_row(table);
        enum blind_field field;
        struct str name = r->fields[i].name;
        view_str(
            row, "field", blind_field_from_name(name, &field) ? blind_field_words(field) : name);
        view_count(row, "differences", r->fields[i].differences);
        view_count(row, "wrong", r->fields[i].wrong);
    }
}

enum err sample_view_put(struct page_call *call, struct fail *fail)
{
    struct sample_report r;
    TRY(sample_report_load(call->db, call->now_ms, call->arena, &r, fail));
    struct view *view = view_object(call->view, "sample");
    view_str(view, "sentence", sentence(call->arena, &r));
    view_bool(view, "drawn", r.draw.day != DAY_NONE);
    view_str(view, "rest", rest(call->arena, &r));
    put_groups(call, view, &r);
    view_str(view, "missingSentence", missing_sentence(call->arena, &r));
    view_count(view, "documentsWaiting", r.documents.waiting);
    put_missing(call, view, &r);
    put_months(call, view, &r);
    view_bool(view, "anyMonth", r.cell_count > 0);
    put_fields(view, &r);
    view_bool(view, "anyField", r.field_count > 0);
    return OK;
}
