/* What a visitor sees of the published data; see reader.h. */
#include "site/frame/reader.h"

#include "noun/filing.h"
#include "noun/trade_read.h"
#include "site/frame/page_call_parts.h"

/* A visitor without an account has the plan that everybody may have. */
static enum plan plan_of(const struct page_call *call)
{
    return call->visitor.signed_in ? call->visitor.account.plan : call->visitor.plan;
}

static uint32_t delay_hours(const struct page_call *call)
{
    if (call->visitor.signed_in && call->visitor.account.role != ROLE_MEMBER)
        return 0;
    return plan_page_delay(plan_of(call), call->config->visitor_delay);
}

static int64_t delay_ms(const struct page_call *call)
{
    return (int64_t)delay_hours(call) * HOUR_MS;
}

int64_t reader_until(const struct page_call *call)
{
    int64_t delay = delay_ms(call);
    return delay ? call->now_ms - delay + 1 : INSTANT_NONE;
}

int64_t reader_until_visitors(const struct page_call *call)
{
    int64_t delay = (int64_t)plan_page_delay(PLAN_SCOUT, call->config->visitor_delay) * HOUR_MS;
    return delay ? call->now_ms - delay + 1 : INSTANT_NONE;
}

int64_t reader_before(const struct page_call *call)
{
    int64_t until = reader_until(call);
    return until == INSTANT_NONE ? INT64_MAX : until;
}

bool reader_sees(const struct page_call *call, int64_t disclosed_at)
{
    return disclosed_at < reader_before(call);
}

int64_t reader_csv_rows(const struct page_call *call)
{
    if (plan_info(plan_of(call))->csv_export ||
        (call->visitor.signed_in && call->visitor.account.role != ROLE_MEMBER))
        return INT64_MAX;
    return call->config->open_data ? READER_OPEN_ROWS : 0;
}

int64_t reader_newest(const struct page_call *call)
{
    MEM_UNFILLED struct feed_page page;
    struct feed_filter filter = FEED_FILTER_NONE;
    struct trade trade = {.disclosed_at = INSTANT_NONE};
    filter.line_ms = reader_until(call);
    RCU_READ();
    feed_trades(call->config->feed, &filter, NULL, 1, &page);
    if (page.count)
        shape_trade_read(page.rows[0].head, page.rows[0].tail, call->arena, &trade);
    return trade.disclosed_at;
}

struct str reader_words_delay(const struct page_call *call)
{
    uint32_t hours = delay_hours(call);
    return arena_fmt(call->arena, "%u hour%s", hours, hours == 1 ? "" : "s");
}

/* The trades that the filter chooses and the visitor does not see yet. */
static struct feed_counts hidden_trades(
    const struct page_call *call, const struct feed_filter *filter)
{
    struct feed_filter hidden = *filter;
    struct feed_counts counts = FEED_COUNTS_NONE;
    int64_t until = reader_until(call);
    if (until == INSTANT_NONE || (filter->until_ms != INSTANT_NONE && filter->until_ms < until))
        return counts;
    hidden.line_ms = INSTANT_NONE;
    if (hidden.since_ms < until)
        hidden.since_ms = until;
    feed_counts(call->config->feed, &hidden, &counts);
    return counts;
}

/* A filing can be without trades. */
static bool hides_filing(const struct page_call *call, struct str politician)
{
    MEM_UNFILLED struct feed_page page;
    struct feed_filings_filter filter = {politician, CHAMBER_NONE, INSTANT_NONE};
    struct feed_filing newest;
    struct filing filing;
    feed_filings(call->config->feed, &filter, NULL, 1, &page);
    if (!page.count)
        return false;
    shape_filing_read(page.rows[0].head, call->arena, &filing);
    return feed_filing(call->config->feed, filing.id, INSTANT_NONE, &newest) &&
           !reader_sees(call, newest.published_at);
}

void reader_delay_put(struct page_call *call, const struct feed_filter *filter)
{
    uint32_t hours = delay_hours(call);
    const struct feed_filter all = FEED_FILTER_NONE, *of = filter ? filter : &all;
    rcu_read_begin();
    struct feed_counts hidden = hidden_trades(call, of);
    bool hides = hidden.trades ||
                 (hours && !of->test_count && !of->conflicts_only && str_is_null(of->ticker) &&
                  str_is_null(of->filing) && hides_filing(call, of->politician));
    rcu_read_end();
    call->delay_put = true;
    if (!hides) {
        view_null(call->view, "delay");
        return;
    }
    struct view *delay = view_object(call->view, "delay");
    if (filter && hidden.trades) {
        struct view *withheld = view_object(delay, "withheld");
        view_count(withheld, "withheld", hidden.trades);
        view_bool(withheld, "one", hidden.trades == 1);
        view_instant(withheld, "appears", hidden.first_activity + delay_ms(call));
    } else {
        view_null(delay, "withheld");
    }
    view_int(delay, "hours", hours);
    view_bool(delay, "oneHour", hours == 1);
    view_str(delay, "plan", call->visitor.signed_in ? plan_info(plan_of(call))->name : STR_NULL);
}

const char *reader_empty(
    struct page_call *call, const struct feed_filter *filter, const char *otherwise)
{
    BUF_SCOPED(when, 64);
    BUF_SCOPED(count, 64);
    struct feed_counts hidden = hidden_trades(call, filter);
    if (!hidden.trades)
        return otherwise;
    bool one = hidden.trades == 1;
    instant_put_new_york(&when, hidden.first_activity + delay_ms(call));
    view_count_put(&count, hidden.trades);
    struct str text = arena_fmt(
        call->arena, "%.*s trade%s published in the last %.*s: %s here on %.*s.",
        STR_ARG(buf_view(&count)), one ? " was" : "s were", STR_ARG(reader_words_delay(call)),
        one ? "it appears" : "the first appears", STR_ARG(buf_view(&when)));
    return text.p;
}

void reader_answer_delayed(struct page_call *call, const char *what, int64_t disclosed_at)
{
    BUF_SCOPED(when, 64);
    instant_put_new_york(&when, disclosed_at + delay_ms(call));
    page_problem(
        call, PROBLEM_NOT_FOUND,
        arena_fmt(
            call->arena,
            "This %s was published less than %.*s ago. It appears here on %.*s. Accounts with the "
            "Wolf plan or a larger one see it now.",
            what, STR_ARG(reader_words_delay(call)), STR_ARG(buf_view(&when))));
}

void reader_answer_withdrawn(
    struct page_call *call, const char *what, int64_t withdrawn_at, struct str reason)
{
    BUF_SCOPED(when, 64);
    instant_put_new_york(&when, withdrawn_at);
    page_problem(
        call, PROBLEM_GONE,
        arena_fmt(
            call->arena, "The %s was withdrawn on %.*s. The reason: %.*s", what,
            STR_ARG(buf_view(&when)), STR_ARG(reason)));
}
