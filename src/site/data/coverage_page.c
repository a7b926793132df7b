/* /coverage: what is in, what waits and why, and how fresh it is. The ledger's counts have no
 * delay: they say nothing about a trade. */
#include "site/frame/handlers.h"

#include "html/chart.h"
#include "html/table.h"
#include "site/frame/day_view.h"
#include "site/frame/page_call_parts.h"
#include "site/frame/page_query.h"
#include "site/frame/reader.h"
#include "site/frame/sample_view.h"
#include "site/frame/trade_source_view.h"
#include "status/words.h"
#include "store/public/correction.h"
#include "store/public/document.h"
#include "store/public/known.h"
#include "store/run/last_run.h"

enum { YEARS_MAX = 60, BACKFILLS_MAX = 100 };

/* What a state means to a reader. Reports of other forms are many, and say nothing about trades:
 * the strips leave them out. */
enum group { GROUP_PUBLISHED, GROUP_WAITING, GROUP_LEFT_OUT, GROUP_OTHER_FORM, GROUP_COUNT };

/* The last part of a bar: all reports of a year that no index covers. */
enum { PART_OPEN = GROUP_OTHER_FORM, PARTS };

static const char *const group_words[GROUP_COUNT] = {
    [GROUP_PUBLISHED] = "published",
    [GROUP_WAITING] = "waiting",
    [GROUP_LEFT_OUT] = "not published",
    [GROUP_OTHER_FORM] = "no trade report",
};

static enum group group_of(enum report_state state)
{
    switch (state) {
    case REPORT_PUBLISHED:
    case REPORT_AMENDED:
        return GROUP_PUBLISHED;
    case REPORT_AWAITING_DOCUMENT:
    case REPORT_NEEDS_MANUAL:
    case REPORT_DRAFT:
    case REPORT_IN_REVIEW:
    case REPORT_ACCEPTED:
        return GROUP_WAITING;
    case REPORT_INDEXED:
        return GROUP_OTHER_FORM;
    default:
        return GROUP_LEFT_OUT;
    }
}

struct year_counts {
    int year;
    int64_t counts[CHAMBER_COUNT][GROUP_COUNT];
    bool indexed[CHAMBER_COUNT]; /* an index names all reports of the year */
};

struct reports {
    size_t count;
    struct year_counts years[YEARS_MAX]; /* ascending, as document_coverage does not promise */
    int64_t states[REPORT_STATE_COUNT][CHAMBER_COUNT];
    int64_t groups[GROUP_COUNT];
};

/* The year's counts, kept in order; NULL: the year is not known, or there are too many. */
static struct year_counts *year_of(struct reports *reports, int year)
{
    size_t at = 0;
    while (at < reports->count && reports->years[at].year < year)
        at++;
    if (at < reports->count && reports->years[at].year == year)
        return &reports->years[at];
    if (!year || reports->count == YEARS_MAX)
        return NULL;
    for (size_t i = reports->count++; i > at; i--)
        reports->years[i] = reports->years[i - 1];
    reports->years[at] = (struct year_counts){.year = year};
    return &reports->years[at];
}

static void add(void *ctx, const struct document_count *count)
{
    struct reports *reports = ctx;
    enum group group = group_of(count->state);
    struct year_counts *year = year_of(reports, count->year);
    if (year)
        year->counts[count->chamber][group] += count->count;
    reports->states[count->state][count->chamber] += count->count;
    reports->groups[group] += count->count;
}

static void add_index(void *ctx, const struct known_index *index)
{
    struct year_counts *year = year_of(ctx, index->year);
    if (year)
        year->indexed[index->chamber] = true;
}

/* Without an index, what is known of a year is not known to be all of it. */
static void put_bar(const struct year_counts *year, enum chamber chamber, int64_t ret[static PARTS])
{
    const int64_t *counts = year->counts[chamber];
    for (int i = 0; i < PARTS; i++)
        ret[i] = 0;
    for (int group = 0; group < PART_OPEN; group++)
        ret[year->indexed[chamber] ? group : PART_OPEN] += counts[group];
}

static void put_strip(
    struct page_call *call, const struct reports *reports, enum chamber chamber, const char *name,
    const char *title)
{
    struct str labels[YEARS_MAX];
    static const struct chart_series parts[PARTS] = {
        [GROUP_PUBLISHED] = {"published", CHART_MAIN},
        [GROUP_WAITING] = {"waiting", CHART_WARNING},
        [GROUP_LEFT_OUT] = {"not published", CHART_QUIET},
        [PART_OPEN] = {"known here; no index, so the total is not known", CHART_OPEN},
    };
    int64_t values[YEARS_MAX * PARTS];
    for (size_t i = 0; i < reports->count; i++) {
        labels[i] = arena_fmt(call->arena, "%d", reports->years[i].year);
        put_bar(&reports->years[i], chamber, &values[i * PARTS]);
    }
    const struct chart chart = {
        .id = name,
        .title = title,
        .axis = "Year",
        .empty = "No report is known yet.",
        .series = parts,
        .series_count = PARTS,
        .labels = labels,
        .values = values,
        .count = reports->count,
    };
    chart_bars(call->view, name, &chart);
}

static void put_state(struct view *table, const struct reports *reports, enum report_state state)
{
    const int64_t *counts = reports->states[state];
    const struct report_state_info *info = report_state_info(state);
    if (counts[CHAMBER_HOUSE] + counts[CHAMBER_SENATE] == 0)
        return;
    struct view *row = table_row(table);
    view_text(row, "group", group_words[group_of(state)]);
    view_str(row, "words", info->words);
    view_str(row, "meaning", info->meaning);
    view_count(row, "house", counts[CHAMBER_HOUSE]);
    view_count(row, "senate", counts[CHAMBER_SENATE]);
}

/* By group, in the order of the figures above. */
static void put_states(struct page_call *call, const struct reports *reports)
{
    struct view *table = table_begin(
        call->view, "states", "State|Counts as|#House|#Senate|What it means",
        "No report is known yet.");
    for (int group = 0; group < GROUP_COUNT; group++)
        for (int state = REPORT_NONE + 1; state < REPORT_STATE_COUNT; state++)
            if ((int)group_of((enum report_state)state) == group)
                put_state(table, reports, (enum report_state)state);
}

static enum err put_ledger(struct page_call *call, struct fail *fail)
{
    struct reports *reports = ARENA_NEW(call->arena, struct reports);
    *reports = (struct reports){.count = 0};
    TRY(document_coverage(call->db, call->reply->site->coverage, add, reports, fail));
    TRY(known_each_index(call->db, add_index, reports, fail));
    view_count(call->view, "published", reports->groups[GROUP_PUBLISHED]);
    view_count(call->view, "waiting", reports->groups[GROUP_WAITING]);
    view_count(call->view, "leftOut", reports->groups[GROUP_LEFT_OUT]);
    view_count(call->view, "otherForms", reports->groups[GROUP_OTHER_FORM]);
    put_strip(call, reports, CHAMBER_HOUSE, "house", "House trade reports per year");
    put_strip(call, reports, CHAMBER_SENATE, "senate", "Senate trade reports per year");
    put_states(call, reports);
    return OK;
}

/* --- how fresh */

static enum err put_fresh(struct page_call *call, struct fail *fail)
{
    struct document_seen seen;
    int64_t runs[LAST_RUN_COUNT];
    TRY(last_run_read(call->db, runs, fail));
    view_ago(call->view, "ingestedAt", runs[LAST_INGEST], call->now_ms);
    enum err err = document_newest(call->db, call->arena, &seen, fail);
    view_ago(call->view, "seenAt", err ? INSTANT_NONE : seen.seen_at, call->now_ms);
    view_str(call->view, "seenId", err ? STR_NULL : seen.source_id);
    view_str(call->view, "seenUrl", err ? STR_NULL : seen.url);
    view_ago(call->view, "publishedAt", reader_newest(call), call->now_ms);
    return err == ERR_NOT_FOUND ? OK : err;
}

static void put_backfill(void *ctx, const struct correction *correction)
{
    struct view *table = ctx;
    if (correction->damaged)
        return;
    struct view *row = table_row(table);
    view_instant(row, "at", correction->at);
    day_view_put(row, "from", instant_day_new_york(correction->range_start));
    day_view_put(row, "to", instant_day_new_york(correction->range_end));
    view_count(row, "trades", correction->count);
}

static enum err put_backfills(struct page_call *call, struct fail *fail)
{
    struct correction_range range = CORRECTION_RANGE_ALL;
    struct view *table = table_begin(
        call->view, "backfills", "Imported|#Trades|Filed from|Filed to",
        "No history was imported in bulk.");
    range.kind = CORRECTION_BACKFILL;
    return correction_each(call->db, &range, BACKFILLS_MAX, put_backfill, table, fail);
}

/* Public reports by how they were reviewed. */
static enum err put_review(struct page_call *call, struct fail *fail)
{
    static const struct str names[FILING_REVIEW_COUNT] = {
        [FILING_REVIEW_ROW] = STR_INIT("Row by row"),
        [FILING_REVIEW_PAGE] = STR_INIT("Page by page"),
        [FILING_REVIEW_UNSEEN] = STR_INIT("Unseen"),
        [FILING_REVIEW_BATCH] = STR_INIT("In a batch"),
        [FILING_REVIEW_BULK] = STR_INIT("In bulk"),
    };
    struct review_counts counts = {.unrecorded = 0};
    TRY(review_count(call->db, call->reply->site->coverage, &counts, fail));
    struct view *table = table_begin(
        call->view, "reviews", "Review|#Reports|#Seconds a row|What it means",
        "No report is published yet.");
    for (int i = FILING_REVIEW_ROW; i < FILING_REVIEW_COUNT; i++) {
        struct view *row = table_row(table);
        bool unseen = i == FILING_REVIEW_UNSEEN;
        view_str(row, "name", names[i]);
        view_str(row, "words", trade_review_words((enum filing_review)i));
        view_count(row, "reports", counts.of[i]);
        view_count(row, "unrecorded", unseen ? counts.unrecorded : 0);
        view_bool(row, "anyUnrecorded", unseen && counts.unrecorded > 0);
        view_str(
            row, "seconds",
            i <= FILING_REVIEW_UNSEEN ? words_seconds(call->arena, counts.row_ms[i]) : STR_NULL);
    }
    return OK;
}

enum err coverage_page_load(struct page_call *call, struct fail *fail)
{
    if (!page_query_none(call, STR("/coverage")))
        return OK;
    static page_load *const parts[] = {
        put_ledger, put_fresh, put_review, put_backfills, sample_view_put};
    enum err err = OK;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && !err && !call->reply->lacking; i++)
        err = page_part(call, parts[i](call, fail));
    page_surrogate(call, "list", STR("coverage"));
    page_surrogate_brief(call);
    page_alternate(call, "application/json", STR("/api/v1/coverage"), "The same as JSON");
    return err;
}
