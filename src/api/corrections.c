/* GET /api/v1/corrections: changes after publication (decisions 29, 40). */
#include "api/context.h"
#include "api/list.h"
#include "api/resources.h"
#include "base/log.h"
#include "noun/lists.h"
#include "store/public/correction.h"

enum {
    FILTER_SINCE,
    FILTER_UNTIL,
    FILTER_KIND,
    FILTER_TRADE,
    FILTER_FILING,
    FILTER_TICKER,
    FILTER_POLITICIAN
};

static const struct param filters[] = {
    PARAM(
        FILTER_SINCE, PARAM_TYPE_INSTANT, "since",
        "Only corrections recorded at or after this time. More than three digits of a second are "
        "rounded up to the next millisecond.",
        "2026-11-20T08:12:45.123Z"),
    PARAM(
        FILTER_UNTIL, PARAM_TYPE_INSTANT, "until",
        "Only corrections recorded before this time. Rounded as since is.", "2026-12-01T00:00:00Z",
        .begin = STR_INIT("since")),
    PARAM(
        FILTER_KIND, PARAM_TYPE_LISTED, "kind", "Only entries of this kind.", "withdrawn",
        .list = &shape_correction_kinds),
    PARAM(
        FILTER_TRADE, PARAM_TYPE_ID, "trade_id", "Only entries about the trade with this id.",
        "house-20026590-0003"),
    PARAM(
        FILTER_FILING, PARAM_TYPE_ID, "filing",
        "Only entries about the filing with this id or its trades.", "house-20026590"),
    PARAM(
        FILTER_TICKER, PARAM_TYPE_TICKER, "ticker",
        "Only entries about trades in this symbol, and corrections from this symbol to another. "
        "Former symbols of the company are not included.",
        "NWTB"),
    PARAM(
        FILTER_POLITICIAN, PARAM_TYPE_SLUG, "politician_slug",
        "Only corrections about filings of this politician, by slug or id, and those that took a "
        "filing away from this politician. `politician` is another name for it.",
        "ada-lindqvist", .alias = STR_INIT("politician")),
};

const struct param_table corrections_params = PARAM_TABLE(filters);

/* The id of an entry is this prefix and its number. */
#define ID_PREFIX "correction-"

enum { ID_SIZE_MAX = sizeof ID_PREFIX + DIGITS_MAX_U64 };

static struct str id_print(int64_t no, char space[static ID_SIZE_MAX])
{
    struct buf b = buf_over(space, ID_SIZE_MAX);
    buf_text(&b, ID_PREFIX);
    buf_i64(&b, no);
    return buf_view(&b);
}

/* The number in the id of a cursor; 0, which no entry has, for a malformed id. */
static int64_t id_number(struct str id)
{
    struct str prefix = STR(ID_PREFIX);
    int64_t no = 0;
    if (!str_starts(id, prefix) || !str_to_i64(str_slice(id, prefix.n, id.n), &no))
        return 0;
    return no;
}

/* The page being written. The query asks for one entry more, to detect a next page. */
struct page_of_corrections {
    struct buf *body;
    int64_t limit, count;
    int64_t printed; /* damaged entries are left out */
    struct cursor last;
};

static void put_row(void *ctx, const struct correction *c)
{
    struct page_of_corrections *page = ctx;
    char id[ID_SIZE_MAX];
    if (page->count++ == page->limit)
        return;
    if (!c->damaged && page->printed++ > 0)
        buf_char(page->body, ',');
    if (!c->damaged)
        correction_json(page->body, c);
    page->last = cursor_at(CURSOR_CORRECTIONS, c->at, id_print(c->no, id));
}

enum err corrections_fetch(struct api_call *call, struct db *db, struct fail *fail)
{
    const struct param_values *params = &call->params;
    const struct cursor *after = list_after(params);
    struct correction_range range = CORRECTION_RANGE_ALL;
    struct page_of_corrections page = {
        .body = http_body(call->x), .limit = (int64_t)list_limit(params)};
    if (!str_is_null(params->filters[FILTER_SINCE].text))
        range.since_ms = params->filters[FILTER_SINCE].number;
    if (!str_is_null(params->filters[FILTER_UNTIL].text))
        range.until_ms = params->filters[FILTER_UNTIL].number;
    range.kind = (enum correction_kind)params->filters[FILTER_KIND].number;
    range.trade_id = params->filters[FILTER_TRADE].text;
    range.filing_id = params->filters[FILTER_FILING].text;
    range.ticker = params->filters[FILTER_TICKER].text;
    range.politician = params->filters[FILTER_POLITICIAN].text;
    if (after) {
        range.before_at = after->at_ms;
        range.before_no = id_number(cursor_id(after));
    }
    buf_str(page.body, STR("{\"data\":["));
    TRY(correction_each(db, &range, page.limit + 1, put_row, &page, fail));
    if (page.printed < page.count - (page.count > page.limit))
        log_line(LOG_ERROR, "corrections are damaged and left out: run `stockact check`");
    struct list_end end;
    list_end(page.count > page.limit ? &page.last : NULL, &end);
    buf_str(page.body, end.after);
    list_link(call, &end);
    return OK;
}
