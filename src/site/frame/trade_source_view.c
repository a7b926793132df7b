/* Where a trade comes from; see trade_source_view.h. */
#include "site/frame/trade_source_view.h"

#include "base/codec.h"
#include "market/committee.h"
#include "market/industry.h"
#include "paper/cell/cells.h"
#include "paper/cell/details.h"
#include "paper/cell/printed.h"
#include "site/frame/day_view.h"
#include "site/frame/trade_view.h"
#include "status/words.h"

static void put_fact(struct view *list, const char *label, struct str value)
{
    if (!value.n)
        return;
    struct view *item = view_item(list);
    view_text(item, "label", label);
    view_str(item, "value", value);
}

/* --- details */

static void put_day_fact(struct view *list, const char *label, int32_t day)
{
    char text[DAY_TEXT_SIZE];
    if (day == DAY_NONE)
        return;
    day_print(day, text);
    put_fact(list, label, str_of(text, sizeof text));
}

static struct str words_option(enum option_type type)
{
    static const struct str words[OPTION_TYPE_COUNT] = {
        [OPTION_CALL] = STR_INIT("call"),
        [OPTION_PUT] = STR_INIT("put"),
        [OPTION_SHORT_SALE] = STR_INIT("short sale"),
        [OPTION_NEITHER] = STR_INIT("neither call nor put"),
    };
    return words[type];
}

void trade_details_put(struct view *view, struct str line, enum cap_gains gains)
{
    struct details d;
    struct arena *arena = view_arena(view);
    struct view *list = view_list(view, "details");
    if (gains != CAP_GAINS_NONE)
        put_fact(
            list, "Capital gain over $200",
            gains == CAP_GAINS_YES ? STR("box checked") : STR("box not checked"));
    if (str_is_null(line) || !details_parse(line, arena, &d))
        return;
    put_fact(list, "Option", words_option(d.option_type));
    if (d.strike.n)
        put_fact(list, "Strike price", arena_fmt(arena, "$%.*s", STR_ARG(d.strike)));
    put_day_fact(list, "Expires", d.expiry);
    if (d.coupon.n)
        put_fact(
            list, "Coupon",
            arena_fmt(
                arena, "%.*s %% a year%s%.*s", STR_ARG(d.coupon), d.coupon_type ? ", " : "",
                STR_ARG(coupon_type_name(d.coupon_type))));
    put_day_fact(list, "Matures", d.maturity);
    put_fact(list, "Gave", d.given);
    put_fact(list, "Received", d.received);
    put_fact(list, "Symbol received", d.received_ticker);
    put_fact(list, "Company", d.company);
    put_fact(list, "Platform", d.platform);
    put_fact(list, "Description", d.description);
}

/* --- the row as printed */

void trade_printed_put(struct view *source, struct str printed)
{
    static const char *const labels[CELL_COUNT] = {
        [CELL_ID] = "ID",
        [CELL_OWNER] = "Owner",
        [CELL_TICKER] = "Ticker",
        [CELL_TICKER_TWO] = "Second ticker",
        [CELL_ASSET] = "Asset",
        [CELL_ASSET_STORED] = "Asset, as the file stores it",
        [CELL_ASSET_DETAIL] = "Details",
        [CELL_ASSET_TYPE] = "Asset type",
        [CELL_TYPE] = "Transaction type",
        [CELL_DATE] = "Date",
        [CELL_NOTIFIED] = "Notification date",
        [CELL_AMOUNT] = "Amount",
        [CELL_CAP_GAINS] = "Cap. gains > $200?",
        [CELL_STATUS] = "Filing status",
        [CELL_SUBHOLDING] = "Subholding of",
        [CELL_LOCATION] = "Location",
        [CELL_DESCRIPTION] = "Description",
        [CELL_COMMENT] = "Comments",
    };
    struct str cells[CELL_COUNT];
    struct view *list = view_list(source, "printed");
    if (!cells_read(printed, view_arena(source), cells))
        return;
    for (int cell = 0; cell < CELL_COUNT; cell++)
        put_fact(list, labels[cell], cells[cell]);
}

/* --- the dates that the law counts */

static void put_due(struct view *v, const struct trade *trade, const struct trade_report *report)
{
    const struct lateness lateness = lateness_of(trade->values.trade_date, report);
    bool earlier = lateness.first_filed != report->filed;
    day_view_put(v, "filedOn", report->filed);
    day_view_put(v, "firstReportedOn", earlier ? lateness.first_filed : DAY_NONE);
    day_view_put(v, "notifiedDate", report->notified);
    day_view_put(v, "dueDate", lateness.due);
    trade_late_put(v, &lateness);
}

static void put_doubts(
    struct view *v, const struct trade *trade, const struct trade_source *source,
    const struct provenance *p)
{
    static const struct str sentences[DATE_DOUBT_PUBLIC_COUNT] = {
        [DATE_DOUBT_NOTIFIED_BEFORE_TRADED] =
            STR_INIT("The filing says that the filer was notified before the trade."),
        [DATE_DOUBT_NOTIFIED_AFTER_FILED] =
            STR_INIT("The filing says that the filer was notified after the filing."),
        [DATE_DOUBT_TRADED_AFTER_FILED] =
            STR_INIT("The filing says that the trade was made after the filing."),
        [DATE_DOUBT_TRADED_LONG_BEFORE_FILED] = STR_INIT(
            "The filing says that the trade was made more than ten years before the filing."),
        [DATE_DOUBT_TRADED_UNREADABLE] =
            STR_INIT("The filing prints a date of the trade that is no date."),
        [DATE_DOUBT_NOTICE_UNREADABLE] =
            STR_INIT("The filing prints a date of the notice that is no date."),
    };
    struct view *list = view_list(v, "doubts");
    struct str cells[CELL_COUNT] = {{NULL, 0}};
    enum date_doubt doubts[DATE_DOUBT_PUBLIC_COUNT];
    bool unreadable = false;
    cells_read(source->printed, view_arena(v), cells);
    size_t count = printed_date_doubts(
        trade->values.trade_date, source->notified_date, instant_day_new_york(p->filed_at), cells,
        doubts);
    for (size_t i = 0; i < count; i++) {
        struct view *item = view_item(list);
        view_str(item, "text", sentences[doubts[i]]);
        view_bool(item, "asFiled", !date_doubt_is_of_print(doubts[i]));
        unreadable = unreadable || doubts[i] == DATE_DOUBT_TRADED_UNREADABLE;
    }
    view_bool(v, "dateUnreadable", unreadable);
}

/* --- the review */

struct str trade_review_words(enum filing_review review)
{
    static const struct str words[FILING_REVIEW_COUNT] = {
        [FILING_REVIEW_ROW] = STR_INIT("a person compared each row with the document"),
        [FILING_REVIEW_PAGE] =
            STR_INIT("a person saw each page with trades, and did not open each row"),
        [FILING_REVIEW_UNSEEN] =
            STR_INIT("a person accepted it; there is no record that each page was seen"),
        [FILING_REVIEW_BATCH] =
            STR_INIT("in a batch: all checks passed, and a person looked at some of its filings"),
        [FILING_REVIEW_BULK] = STR_INIT("bulk history that a person vouched for"),
    };
    return words[review];
}

static struct str words_entry(enum filing_entry entry)
{
    static const struct str words[FILING_ENTRY_COUNT] = {
        [FILING_ENTRY_SINGLE] = STR_INIT("entered by one person"),
        [FILING_ENTRY_DOUBLE] = STR_INIT("entered twice, by two people"),
    };
    return words[entry];
}

static void put_filing_link(struct view *v, const char *name, struct str id)
{
    if (str_is_null(id)) {
        view_null(v, name);
        return;
    }
    struct view *link = view_object(v, name);
    view_str(link, "id", id);
    view_fmt(link, "href", "/filings/%.*s", STR_ARG(id));
}

void trade_source_put(
    struct view *view, const struct trade *trade, const struct trade_source *source,
    const struct provenance *provenance, const struct trade_report *report)
{
    static const uint8_t none[SHA256_SIZE];
    char hex[2 * SHA256_SIZE];
    struct view *v = view_object(view, "source");
    trade_printed_put(v, source->printed);
    hex_encode(source->document_sha256, SHA256_SIZE, hex);
    bool hashed = memcmp(source->document_sha256, none, sizeof none) != 0;
    view_str(v, "sha256", hashed ? str_of(hex, sizeof hex) : STR_NULL);
    if (source->page)
        view_int(v, "page", source->page);
    else
        view_null(v, "page");
    put_due(v, trade, report);
    put_doubts(v, trade, source, provenance);
    view_instant(v, "firstPublishedAt", report->first_published_at);
    view_bool(v, "imported", report->first_published_at != trade->disclosed_at);
    view_str(v, "review", trade_review_words(provenance->review));
    view_str(v, "reviewSeconds", words_seconds(view_arena(v), provenance->looked_ms));
    view_str(v, "entry", words_entry(provenance->entry));
    view_str(v, "company", str_is_null(trade->values.ticker) ? source->company : STR_NULL);
    struct view *reviewers = view_list(v, "reviewers");
    for (int i = 0; i < provenance->reviewer_count; i++) {
        struct view *item = view_item(reviewers);
        view_fmt(item, "name", "reviewer %d", i + 1);
        view_instant(item, "at", provenance->reviewed_at[i]);
    }
    put_filing_link(v, "amends", provenance->amends);
    put_filing_link(v, "amendedBy", provenance->amended_by);
}

void trade_source_put_dates(
    struct view *view, const struct trade *trade, const struct trade_report *report)
{
    struct view *v = view_object(view, "source");
    put_due(v, trade, report);
}

/* --- the signal */

/* What the committee oversees by the map, and its acts about the company. */
static void put_grounds(
    struct json_in *j, struct view *item, const json_t *map, struct str committee)
{
    const json_t *list = map ? json_in_opt_array(j, map, "committees") : NULL;
    struct view *grounds = view_list(item, "grounds");
    bool more = false;
    for (size_t i = 0; list && i < json_array_size(list); i++) {
        const json_t *entry = json_in_element(j, list, i, "a committee");
        if (!entry || !str_eq(json_in_str(j, entry, "id"), committee))
            continue;
        struct view *ground = view_item(grounds);
        view_bool(ground, "more", more);
        more = true;
        view_bool(ground, "act", str_eq(json_in_opt_str(j, entry, "ground"), STR("act")));
        view_str(ground, "text", json_in_opt_str(j, entry, "jurisdiction"));
        view_str(ground, "source", json_in_opt_str(j, entry, "source"));
    }
}

static struct str words_role(struct str role)
{
    static const struct str words[SEAT_ROLE_COUNT] = {
        [SEAT_CHAIR] = STR_INIT("chair"),
        [SEAT_RANKING_MEMBER] = STR_INIT("ranking member"),
        [SEAT_VICE_CHAIR] = STR_INIT("vice chair"),
        [SEAT_MEMBER] = STR_INIT("member"),
    };
    return words[seat_role_from_name(role)];
}

/* Evidence of a rule before there were shares has none. */
static void put_industries(struct json_in *j, struct view *signal, const json_t *root)
{
    struct view *list = view_list(signal, "industries");
    const json_t *industries = json_in_opt_array(j, root, "industries");
    for (size_t i = 0; industries && i < json_array_size(industries); i++) {
        const json_t *industry = json_in_element(j, industries, i, "an industry");
        int number = industry ? industry_from_code(json_in_str(j, industry, "code")) : 0;
        int64_t share = industry ? json_in_opt_i64(j, industry, "share", 0) : 0;
        if (!number)
            continue;
        struct view *item = view_item(list);
        view_str(item, "name", industry_get(number)->name);
        view_null(item, "share");
        if (share)
            view_int(item, "share", share);
        view_bool(item, "minor", str_eq(json_in_opt_str(j, industry, "kind"), STR("minor")));
        view_str(item, "source", json_in_opt_str(j, industry, "source"));
    }
    view_bool(signal, "several", industries && json_array_size(industries) > 1);
}

static void put_committees(
    struct json_in *j, struct view *signal, const json_t *root, const json_t *map)
{
    struct view *list = view_list(signal, "committees");
    const json_t *committees = json_in_array(j, root, "committees");
    for (size_t i = 0; committees && i < json_array_size(committees); i++) {
        const json_t *seat = json_in_element(j, committees, i, "a committee");
        if (!seat)
            return;
        struct view *item = view_item(list);
        struct str id = json_in_str(j, seat, "id");
        view_str(item, "id", id);
        view_str(item, "name", json_in_str(j, seat, "name"));
        view_str(item, "role", json_in_opt_str(j, seat, "role"));
        view_str(item, "roleText", words_role(json_in_opt_str(j, seat, "role")));
        view_bool(item, "part", str_eq(json_in_opt_str(j, seat, "strength"), STR("subcommittee")));
        view_str(item, "grade", json_in_opt_str(j, seat, "grade"));
        day_view_put(item, "from", json_in_opt_day(j, seat, "from"));
        day_view_put(item, "to", json_in_opt_day(j, seat, "to"));
        put_grounds(j, item, map, id);
    }
}

enum err trade_signal_put(struct view *view, const struct finding_shown *finding, struct fail *fail)
{
    struct json_in j;
    struct view *v = view_object(view, "signal");
    enum err err = json_in_open_object(&j, STR("the evidence"), finding->evidence, fail);
    if (!err) {
        const json_t *map = json_object_get(j.root, "mapEntry");
        map = json_is_object(map) ? map : NULL;
        view_str(v, "industry", json_in_str(&j, j.root, "industry"));
        view_str(v, "grade", json_in_opt_str(&j, j.root, "grade"));
        put_industries(&j, v, j.root);
        view_bool(v, "laterList", str_eq(json_in_opt_str(&j, j.root, "basis"), STR("later_list")));
        day_view_put(v, "seatsAsOf", json_in_opt_day(&j, j.root, "seatsAsOf"));
        view_str(v, "symbol", map ? json_in_opt_str(&j, map, "symbol") : STR_NULL);
        view_str(v, "company", map ? json_in_opt_str(&j, map, "company") : STR_NULL);
        view_bool(
            v, "confirmed",
            map && str_eq(json_in_opt_str(&j, map, "symbolBasis"), STR("reviewer")));
        view_str(v, "mapSource", map ? json_in_opt_str(&j, map, "source") : STR_NULL);
        put_committees(&j, v, j.root, map);
        err = j.err;
        json_in_close(&j);
    }
    view_str(v, "ruleVersion", finding->rule_version);
    view_instant(v, "since", finding->since);
    return err ? ERR_CORRUPT : OK;
}
