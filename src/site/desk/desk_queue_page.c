/* /desk: the drafts that wait for reviewers, and what each needs. */

#include <string.h>

#include "html/table.h"
#include "review/published_words.h"
#include "review/review_words.h"
#include "site/desk/desk_query.h"
#include "site/frame/day_view.h"
#include "site/frame/handlers.h"
#include "site/frame/page_applied.h"
#include "site/frame/page_call_parts.h"
#include "status/words.h"
#include "store/public/acceptance.h"

/* The most drafts that one form publishes: each is a commit. */
enum { DESK_PUBLISH_MAX = 100 };

/* POST /desk: publishes the accepted drafts that the page listed, in its order. Each is published
 * alone, so that one that cannot be published leaves the others as they are; the answer is a list.
 */

struct publish_job {
    const struct page_call *call;
    struct str filing_id;
    struct publish_draft_result result;
};

/* page_write has used up the form's number and checked the session. */
static enum err run_nothing(const struct act *act, void *ctx)
{
    (void)act->db, (void)ctx, (void)act->fail;
    return OK;
}

static enum err run_publish(const struct act *act, void *ctx)
{
    struct publish_job *job = ctx;
    return publish_draft(
        act->db, job->filing_id, job->call->visitor.account.email, job->call->now_ms, &job->result,
        act->fail);
}

static void put_result(
    struct page_call *call, struct view *v, const struct publish_job *job, enum err err,
    const struct fail *fail)
{
    view_str(v, "id", job->filing_id);
    view_bool(v, "published", !err);
    view_str(v, "words", err ? str_from(fail->text) : published_words(&job->result, call->arena));
}

static enum err publish_each(struct page_call *call, struct str ids, struct fail *fail)
{
    struct view *list = view_list(call->view, "results");
    int64_t published = 0, refused = 0;
    struct str id;
    while (published + refused < DESK_PUBLISH_MAX && str_next_word(&ids, &id)) {
        struct publish_job job = {.call = call, .filing_id = id};
        enum err err = page_write(call, run_publish, &job, fail);
        bool over = call->reply->no_write != PROBLEM_COUNT; /* the session or the role ended */
        if (err && (over || !publish_draft_refused(err)))
            return err;
        put_result(call, view_item(list), &job, err, fail);
        *(err ? &refused : &published) += 1;
    }
    view_count(call->view, "published", published);
    view_count(call->view, "refused", refused);
    view_bool(call->view, "anyRefused", refused > 0);
    return OK;
}

enum err desk_publish_act(struct page_call *call, struct fail *fail)
{
    struct str ids = form_value(call->form, "filings");
    if (!str_eq(form_value(call->form, "do"), STR("publish-all")))
        return fail_set(fail, ERR_INVALID, "\"do\" must be publish-all");
    if (!str_trim(ids).n)
        return fail_set(fail, ERR_INVALID, "name the filings to publish");
    TRY(page_write(call, run_nothing, NULL, fail));
    TRY(publish_each(call, ids, fail));
    page_wait_applied(call);
    page_show(call, 200, STR("desk_published"), STR("Published"));
    return OK;
}

enum { ROWS = 50, PAGE_MAX = 10000 };

/* Times of the last 30 days are in the median. */
static const int64_t MEDIAN_MS = INT64_C(30) * 24 * 3600 * 1000;

static const struct str PATH = STR_INIT("/desk");

static void put_choices(struct page_call *call, const struct desk_query *query)
{
    static const struct form_option stages[] = {
        {STR_INIT("waiting"), STR_INIT("Waiting")},
        {STR_INIT("accepted"), STR_INIT("Accepted, not published")},
        {STR_INIT("rejected"), STR_INIT("Rejected")},
        {STR_INIT("nothing_reported"), STR_INIT("Nothing to report")},
    };
    static const struct form_option sorts[] = {
        {STR_INIT("clean"), STR_INIT("Clean first")},
        {STR_INIT("oldest"), STR_INIT("Oldest first")},
        {STR_INIT("newest"), STR_INIT("Newest first")},
        {STR_INIT("due"), STR_INIT("Earliest due day")},
        {STR_INIT("doubts"), STR_INIT("Most doubts")},
        {STR_INIT("checks"), STR_INIT("Most failed checks")},
        {STR_INIT("rows"), STR_INIT("Most rows")},
    };
    static const struct form_option chambers[] = {
        {STR_INIT(""), STR_INIT("Both")},
        {STR_INIT("house"), STR_INIT("House")},
        {STR_INIT("senate"), STR_INIT("Senate")},
    };
    static const struct form_option kinds[] = {
        {STR_INIT(""), STR_INIT("All")},
        {STR_INIT("read"), STR_INIT("Read from the document")},
        {STR_INIT("paper"), STR_INIT("Paper, entered by hand")},
    };
    struct form *form = call->query_form;
    struct view *view = call->view;
    struct str stage = draft_queue_stage_name(query->filter.stage);
    form_show_choice(view, form, "stage", stage, stages, QUEUE_STAGE_COUNT);
    form_show_choice(
        view, form, "sort", draft_queue_sort_name(query->filter.sort), sorts, QUEUE_SORT_COUNT);
    form_show_choice(view, form, "chamber", STR(""), chambers, 3);
    form_show_choice(view, form, "kind", STR(""), kinds, 3);
    form_show_choice(
        view, form, "clean", STR(""),
        (const struct form_option[]){
            {STR("" /* all */), STR("All")}, {STR("yes"), STR("Clean drafts only")}},
        2);
    form_show(view, form, "q", STR(""));
    form_show_faults(view, form);
}

static void put_item(
    struct page_call *call, struct view *row, const struct draft_queued *item,
    const struct desk_query *query)
{
    view_str(row, "id", item->filing_id);
    view_str(row, "href", desk_link(call, item->filing_id, query));
    view_str(row, "state", report_state_name(item->shown));
    view_text(row, "chamberText", item->chamber == CHAMBER_HOUSE ? "House" : "Senate");
    view_str(row, "name", item->name);
    view_str(row, "filer", item->filer);
    bool filed = item->filed_at != INSTANT_NONE;
    int32_t filed_on = filed ? instant_day_new_york(item->filed_at) : DAY_NONE;
    int64_t age = filed ? instant_day_new_york(call->now_ms) - filed_on : 0;
    day_view_put(row, "filedOn", filed_on);
    view_str(row, "age", filed ? words_count(call->arena, age, "day", "days") : STR_NULL);
    /* Who types it blind learns nothing of its rows, not even a day that follows from one. */
    bool hides = query->filter.blind && item->paper;
    day_view_put(row, "dueDay", hides ? DAY_NONE : item->due_day);
    if (!hides) {
        view_count(row, "rows", item->rows);
        view_count(row, "doubts", item->doubts);
    }
    view_count(row, "failed", item->failed);
    view_bool(row, "anyDoubt", !hides && item->doubts > 0);
    view_bool(row, "anyFailed", item->failed > 0);
    view_bool(row, "clean", item->clean);
    view_bool(row, "paper", item->paper);
    view_bool(row, "amends", item->amends);
    view_bool(row, "entryDue", item->entry == DRAFT_ENTRY_SECOND);
    view_bool(row, "entriesDiffer", item->entry == DRAFT_ENTRY_THIRD);
    /* The reason may count rows. The draft's page shows it to those who worked on it. */
    bool counts = hides && query->filter.stage == QUEUE_WAITING && item->reason.n > 0;
    view_str(row, "reason", counts ? STR_NULL : item->reason);
    view_str(
        row, "reasonWords",
        counts ? STR("its page says why it waits")
               : review_reason_words(item->reason, call->arena));
    view_str(row, "claimedBy", item->claimed_by);
    view_bool(row, "mine", str_eq_nocase(item->claimed_by, call->visitor.account.email));
    view_str(row, "acceptedBy", item->accepted_by);
}

static void put_pages(
    struct page_call *call, struct view *table, const struct desk_query *query, int64_t page,
    bool more)
{
    struct link_param previous = {STR("page"), STR_NULL}, next = previous;
    if (page > 1)
        previous.value = arena_fmt(call->arena, "%lld", (long long)page - 1);
    if (more)
        next.value = arena_fmt(call->arena, "%lld", (long long)page + 1);
    table_pages(table, PATH, query->given, query->given_count, previous, next);
}

static enum err put_counts(struct page_call *call, struct fail *fail)
{
    struct draft_queue_counts counts;
    TRY(draft_queue_count(call->db, call->now_ms, &counts, fail));
    view_count(call->view, "waiting", counts.waiting);
    view_str(
        call->view, "waitingWords",
        words_count(call->arena, counts.waiting, "draft waits", "drafts wait"));
    view_count(call->view, "cleanWaiting", counts.clean);
    view_count(call->view, "paperWaiting", counts.paper);
    view_count(call->view, "claimed", counts.claimed);
    view_count(call->view, "accepted", counts.accepted);
    view_bool(call->view, "typedTwice", call->config->double_entry);
    return OK;
}

/* The usual time for a clean draft. */
static enum err put_median(struct page_call *call, struct fail *fail)
{
    struct acceptance_median median;
    TRY(acceptance_median(call->db, call->now_ms - MEDIAN_MS, &median, fail));
    struct view *v = view_object(call->view, "median");
    view_bool(v, "any", median.count > 0);
    view_count(v, "count", median.count);
    view_int(v, "tookMs", median.ms);
    view_str(v, "seconds", words_seconds(call->arena, median.ms));
    return OK;
}

/* The accepted drafts of the list in the order in which they are published: as many as one form
 * publishes. */
static enum err put_publish(
    struct page_call *call, const struct desk_query *query, struct fail *fail)
{
    struct draft_queue_filter filter = query->filter;
    struct draft_queue queue;
    int64_t total = 0;
    struct str ids = STR("");
    if (filter.stage != QUEUE_ACCEPTED)
        return OK;
    filter.sort = QUEUE_OLDEST;
    enum err err =
        draft_queue_page(call->db, &filter, 0, DESK_PUBLISH_MAX, call->arena, &queue, fail);
    if (!err)
        err = draft_queue_total(call->db, &filter, &total, fail);
    if (err || queue.count == 0)
        return err;
    struct view *publish = view_object(call->view, "publish");
    for (size_t i = 0; i < queue.count; i++)
        ids = arena_fmt(
            call->arena, "%.*s%s%.*s", STR_ARG(ids), ids.n ? " " : "",
            STR_ARG(queue.items[i].filing_id));
    view_str(publish, "filings", ids);
    view_count(publish, "count", (int64_t)queue.count);
    view_count(publish, "total", total);
    view_bool(publish, "several", queue.count > 1);
    view_bool(publish, "more", total > (int64_t)queue.count);
    return OK;
}

/* Whether this reviewer can decide the draft now, as the queue's `for_whom` says it. */
static bool is_open(const struct page_call *call, const struct draft_queued *item)
{
    struct str me = call->visitor.account.email;
    return !str_eq_nocase(item->accepted_by, me) &&
           (str_is_null(item->claimed_by) || str_eq_nocase(item->claimed_by, me));
}

/* Where the reviewer begins. Most often it is on the first page, and needs no second search; nor
 * does a list that ends there. */
static enum err put_start(
    struct page_call *call, struct desk_query *query, const struct draft_queue *shown, int64_t page,
    struct fail *fail)
{
    struct str start = STR_NULL;
    for (size_t i = 0; page == 1 && i < shown->count && str_is_null(start); i++)
        if (is_open(call, &shown->items[i]))
            start = desk_link(call, shown->items[i].filing_id, query);
    query->filter.for_whom = call->visitor.account.email;
    if (str_is_null(start) && page == 1 && shown->count <= ROWS)
        start = desk_link(call, STR_NULL, query);
    else if (str_is_null(start))
        TRY(desk_next(call, call->db, query, STR_NULL, &start, fail));
    view_str(call->view, "start", start);
    view_bool(call->view, "anyStart", !str_eq(start, desk_link(call, STR_NULL, query)));
    return OK;
}

enum err desk_queue_load(struct page_call *call, struct fail *fail)
{
    struct page_query_name names[DESK_QUERY_NAMES + 1];
    struct draft_queue queue;
    struct desk_query query;
    int64_t page = 1;
    memcpy(names, desk_query_names, sizeof *names * DESK_QUERY_NAMES);
    names[DESK_QUERY_NAMES] = (struct page_query_name){"page", NULL};
    struct form *form = page_query_form(call, PATH, names, DESK_QUERY_NAMES + 1);
    if (!form)
        return OK;
    desk_query_read(call, form, &query);
    if (!str_is_null(form_value(form, "page")))
        page = form_number(form, "page", 1, PAGE_MAX);
    put_choices(call, &query);
    query.filter.for_whom = STR_NULL;
    TRY(put_counts(call, fail));
    TRY(draft_queue_page(
        call->db, &query.filter, (page - 1) * ROWS, ROWS + 1, call->arena, &queue, fail));
    struct view *table = table_begin(
        call->view, "drafts", "Filing|Member|Filed|Age|Due|#Rows|#Doubts|#Failed checks|State",
        "No draft is in this list.");
    for (size_t i = 0; i < queue.count && i < ROWS; i++)
        put_item(call, table_row(table), &queue.items[i], &query);
    put_pages(call, table, &query, page, queue.count > ROWS);
    TRY(put_median(call, fail));
    view_bool(call->view, "batches", call->config->batch_review);
    view_bool(call->view, "stageWaiting", query.filter.stage == QUEUE_WAITING);
    view_bool(call->view, "stageAccepted", query.filter.stage == QUEUE_ACCEPTED);
    TRY(put_publish(call, &query, fail));
    return query.filter.stage == QUEUE_WAITING ? put_start(call, &query, &queue, page, fail) : OK;
}
