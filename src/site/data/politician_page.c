/*
 * /politicians/{slug}: a member's seats on committees and trades on one axis, the filings with the
 * days that they took, and the trades as a table. The filters of the table are those of the API;
 * traded_from and traded_to are also the axis of the drawing.
 */
#include "feed/feed.h"
#include "html/table.h"
#include "noun/trade_read.h"
#include "site/data/list_forms.h"
#include "site/data/member_drawing.h"
#include "site/data/member_of_page.h"
#include "site/data/member_tables.h"
#include "site/data/trade_query.h"
#include "site/frame/day_view.h"
#include "site/frame/handlers.h"
#include "site/frame/known_view.h"
#include "site/frame/page_call_parts.h"
#include "site/frame/page_query.h"
#include "site/frame/reader.h"
#include "site/frame/trade_view.h"
#include "site/frame/trade_words.h"
#include "store/public/member.h"

enum {
    ROWS = 8,
    FILINGS_SHOWN = 5,
    NAMES_SHOWN = 3,
};

/* --- who */

/* "PA-7", "AK, at large", "VT". */
static struct str place_of(const struct feed_politician *p, struct arena *arena)
{
    if (p->chamber != CHAMBER_HOUSE || p->district < 0 || str_is_null(p->state))
        return p->state;
    return p->district ? arena_fmt(arena, "%.*s-%d", STR_ARG(p->state), p->district)
                       : arena_fmt(arena, "%.*s, at large", STR_ARG(p->state));
}

/* Other last names, and other first names with the same last name: "Maria Alder". */
static void put_names(struct view *v, const struct member *member)
{
    struct view *names = view_list(v, "otherNames");
    size_t shown = 0;
    for (size_t i = 0; i < member->name_count && shown < NAMES_SHOWN; i++) {
        const struct member_name *name = &member->names[i];
        if (!name->last.n || str_eq_nocase(name->last, member->last))
            continue;
        view_fmt(view_item(names), "name", "%.*s %.*s", STR_ARG(name->first), STR_ARG(name->last));
        shown++;
    }
    view_bool(v, "hasOtherNames", shown > 0);
}

static void put_service(struct view *v, const struct feed_politician *p)
{
    struct view *list = view_list(v, "service");
    for (size_t i = 0; i < p->service_count; i++) {
        const struct member_service *is = &p->service[i];
        struct view *item = view_item(list);
        view_str(item, "chamber", words_chamber(is->chamber));
        day_view_put(item, "from", is->from);
        day_view_put(item, "to", i == 0 && p->in_office ? DAY_NONE : is->until);
    }
    view_bool(v, "hasService", p->service_count > 0);
}

static void put_member(
    struct page_call *call, const struct feed_politician *p, const struct member *member)
{
    struct view *v = call->view;
    view_str(v, "name", p->name);
    view_str(v, "id", p->id);
    view_str(v, "slug", p->slug);
    view_str(v, "chamberText", words_chamber(p->chamber));
    view_str(v, "party", p->party);
    view_str(v, "place", place_of(p, call->arena));
    view_bool(v, "inOffice", p->in_office);
    put_service(v, p);
    put_names(v, member);
}

/* --- figures */

static void put_figures(
    struct page_call *call, const struct feed_politician *p, const struct member_trades *trades)
{
    struct view *v = call->view;
    const struct feed_counts *counts = &trades->counts;
    int32_t last = DAY_NONE;
    for (size_t i = 0; i < trades->count; i++)
        last = trades->items[i].filed > last ? trades->items[i].filed : last;
    view_bool(v, "hasTrades", trades->count > 0);
    view_count(v, "tradeCount", counts->trades);
    view_count(v, "boughtCount", counts->buys);
    view_count(v, "soldCount", counts->sells);
    trade_late_counts_put(v, counts);
    trade_flag_counts_put(v, counts);
    view_str(v, "band", member_band_text(&trades->band, call->arena));
    day_view_put(v, "lastFiled", last);
    view_count(v, "reportCount", p->filings);
    view_null(v, "cutAt");
    if (trades->cut)
        view_count(v, "cutAt", (int64_t)trades->count);
}

/* --- the table of trades */

static void put_row(
    struct page_call *call, struct view *row, const struct feed_row *from,
    const struct member_seats *seats)
{
    struct trade trade;
    const struct lateness lateness = feed_row_lateness(from);
    shape_trade_read(from->head, from->tail, call->arena, &trade);
    trade_view_put(call, row, &trade);
    trade_late_put(row, &lateness);
    int32_t days = lateness.days_to_report;
    uint64_t rows =
        member_seats_of(seats, feed_topics(call->config->feed), from->topic, call->arena);
    day_view_put(row, "filed", from->report.filed);
    day_view_put(row, "due", lateness.due);
    view_bool(row, "hasDays", days >= 0);
    view_int(row, "days", days);
    struct view *list = view_list(row, "rests");
    for (size_t i = 0; i < seats->count; i++)
        if (rows >> i & 1) {
            struct view *seat = view_item(list);
            view_str(seat, "key", seats->rows[i].key);
            view_str(seat, "name", seats->rows[i].name);
        }
}

static void put_trades(
    struct page_call *call, struct str path, const struct trade_query *query,
    const struct member_seats *seats)
{
    MEM_UNFILLED struct feed_page page;
    struct view *table = table_begin(
        call->view, "trades", "Traded|Asset|Side|Amount|Reported|Seats",
        reader_empty(
            call, &query->filter,
            query->given_count ? "No trade of this member matches."
                               : "No trade is published yet."));
    feed_trades(call->config->feed, &query->filter, trade_query_after(query), ROWS, &page);
    for (size_t i = 0; i < page.count; i++)
        put_row(call, table_row(table), &page.rows[i], seats);
    page_cursor_links(
        call, table, path, query->given, query->given_count, page.more ? &page.next : NULL);
}

/* Links to parts of the table. They keep the period. */
static void put_choices(struct page_call *call, struct str path, const struct trade_query *query)
{
    static const struct {
        const char *label, *name, *value;
    } choices[] = {
        {"All", NULL, NULL},
        {"Flagged", "conflict", "true"},
        {"Late", "late", "true"},
        {"Not known if late", "late", "unknown"},
        {"Bought", "side", "buy"},
        {"Sold", "side", "sell"},
        {"Exchanged", "side", "exchange"}};
    struct link_param kept[3] = {
        {STR("traded_from"), page_query(call, STR("traded_from"))},
        {STR("traded_to"), page_query(call, STR("traded_to"))}};
    size_t others = query->given_count - !str_is_null(kept[0].value) - !str_is_null(kept[1].value);
    struct view *list = view_list(call->view, "choices");
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        struct view *choice = view_item(list);
        struct str value = choices[i].name ? page_query(call, str_from(choices[i].name)) : STR_NULL;
        kept[2] = (struct link_param){
            choices[i].name ? str_from(choices[i].name) : STR(""), str_from(choices[i].value)};
        struct str href = link_make(call->arena, path, kept, 3);
        view_text(choice, "label", choices[i].label);
        view_fmt(choice, "href", "%.*s#trades", STR_ARG(href));
        view_bool(
            choice, "current",
            choices[i].name ? others == 1 && str_eq(value, str_from(choices[i].value))
                            : others == 0);
    }
}

/* --- the page */

static int32_t asked_day(struct page_call *call, const char *name)
{
    int32_t day;
    return day_parse(page_query(call, str_from(name)), &day) ? day : DAY_NONE;
}

static struct member_period put_period(struct page_call *call, struct str path)
{
    struct member_period period = {asked_day(call, "traded_from"), asked_day(call, "traded_to")};
    day_view_put(call->view, "periodFrom", period.from);
    day_view_put(call->view, "periodTo", period.to);
    view_bool(call->view, "hasPeriod", period.from != DAY_NONE || period.to != DAY_NONE);
    view_str(call->view, "path", path);
    return period;
}

static enum err put_all(
    struct page_call *call, const struct feed_politician *p, const struct member *member,
    const struct trade_query *query, const struct missing *missing, struct fail *fail)
{
    struct str path = arena_fmt(call->arena, "/politicians/%.*s", STR_ARG(p->slug));
    struct member_seats seats = {.count = 0};
    struct member_trades trades;
    int32_t left = p->in_office || !p->service_count ? DAY_NONE : p->service[0].until;
    enum err err =
        page_part(call, member_seats_load(call->db, member->no, left, call->arena, &seats, fail));
    if (err)
        return err;
    put_member(call, p, member);
    rcu_read_begin();
    member_trades_load(call, p->id, &seats, &trades);
    put_figures(call, p, &trades);
    known_counts_put(call->view, p);
    member_drawing_put(
        call, &(struct member_drawn){
                  .name = p->name,
                  .slug = p->slug,
                  .in_office = p->in_office,
                  .today = instant_day_utc(call->now_ms),
                  .seats = &seats,
                  .trades = &trades,
                  .missing = missing,
                  .period = put_period(call, path),
              });
    member_seats_put(call, &seats, &trades);
    size_t more = member_filings_put(call, &trades, STR_NULL, FILINGS_SHOWN, &(struct str){0});
    view_bool(call->view, "filingsMore", more > 0);
    member_years_put(call, &trades);
    put_trades(call, path, query, &seats);
    rcu_read_end();
    put_choices(call, path, query);
    return OK;
}

/* The list of trades that the page shows, in other forms. */
static void put_forms(
    struct page_call *call, const struct feed_politician *p, const struct trade_query *query)
{
    struct link_param filters[PARAM_TABLE_MAX + 1] = {{STR("politician_slug"), p->slug}};
    size_t count = 1;
    for (size_t i = 0; i < query->given_count; i++)
        if (!str_eq(query->given[i].name, filters[0].name))
            filters[count++] = query->given[i];
    list_forms(call, STR("/trades"), filters, count);
}

enum err politician_page_load(struct page_call *call, struct fail *fail)
{
    struct feed_politician p;
    struct member member = {.no = 0};
    struct missing missing = {.count = 0};
    struct str path;
    enum err err = member_of_page(call, "", &p, &path, fail);
    if (err || str_is_null(path))
        return err;
    struct trade_query *query = ARENA_NEW(call->arena, struct trade_query);
    if (!trade_query_read(call, path, query)) {
        if (!call->query_form)
            return OK; /* sent to another address */
        *query = (struct trade_query){.filter = FEED_FILTER_NONE};
        query->filter.line_ms = reader_until(call);
    }
    query->filter.politician = p.id;
    err = page_part(call, member_read(call->db, p.id, call->arena, &member, fail));
    err = err ? err : page_part(call, missing_load(call, &p, &missing, fail));
    err = err ? err : put_all(call, &p, &member, query, &missing, fail);
    missing_put(call, &p, &missing);
    page_title(call, arena_fmt(call->arena, "%.*s: stock trades", STR_ARG(p.name)));
    struct feed_filter own = FEED_FILTER_NONE;
    own.politician = p.id;
    reader_delay_put(call, &own);
    /* Whatever changes one of these trades or filings changes the member: one key is enough. */
    call->reply->surrogate_count = 0;
    page_surrogate(call, "p", p.slug);
    put_forms(call, &p, query);
    page_alternate(
        call, "application/json", arena_fmt(call->arena, "/api/v1%.*s", STR_ARG(path)),
        "This member as JSON");
    return err;
}
