/* Invented data for every part of web/; see style_page.h. */
#include "html/style_page.h"

#include "html/chart.h"
#include "html/form.h"
#include "html/table.h"

enum { DAYS = 30, HOURS = 24, PARTS = 4 };

static void add_badge(struct view *to, const char *kind, const char *label)
{
    struct view *badge = view_object(to, "state");
    view_text(badge, "kind", kind);
    view_text(badge, "label", label);
}

/* A curve that rises, with weekends; some requests fail. */
static void add_days(struct view *view, const char *scheme, int64_t now_ms)
{
    static const struct chart_series series[PARTS] = {
        {"200 OK", CHART_MAIN},
        {"304 Not Modified", CHART_QUIET},
        {"429 Too Many Requests", CHART_WARNING},
        {"other 4xx", CHART_BAD},
    };
    static const int64_t nothing[DAYS * PARTS];
    struct str labels[DAYS];
    int64_t values[DAYS * PARTS];
    char days[DAYS][DAY_TEXT_SIZE];
    for (int i = 0; i < DAYS; i++) {
        int32_t day = instant_day_utc(now_ms) - DAYS + 1 + i;
        int64_t all = (day % 7 == 2 || day % 7 == 3 ? 90 : 240) + 9 * i + i * i % 37;
        day_print(day, days[i]);
        labels[i] = str_of(days[i], DAY_TEXT_SIZE);
        values[i * PARTS] = all;
        values[i * PARTS + 1] = all / 3;
        values[i * PARTS + 2] = i > 24 ? all / 6 : 0;
        values[i * PARTS + 3] = i % 9 == 4 ? all / 12 : 0;
    }
    struct chart chart = {
        .id = arena_fmt(view_arena(view), "%s-days", scheme).p,
        .title = "Requests a day",
        .axis = "Day (UTC)",
        .empty = "No requests in the last 30 days.",
        .series = series,
        .series_count = PARTS,
        .labels = labels,
        .values = values,
        .count = DAYS,
    };
    chart_bars(view, "days", &chart);
    chart.values = nothing;
    chart_bars(view, "nothing", &chart);
}

static void add_keys(struct view *view, int64_t now_ms)
{
    static const struct table_column columns[] = {
        {"Name", false},
        {"Begins with", false},
        {"State", false},
        {"Requests", true},
        {"Last use", false}};
    static const struct {
        const char *name, *prefix, *kind, *state;
        int64_t requests, ago_ms;
    } rows[] = {
        {"Nightly copy", "svc_p4Xq9bTz", "good", "in use", 1204331, 5 * MINUTE_MS},
        {"Newsroom desk, the one that Ada uses", "svc_8LwRk2mC", "wait", "not used for 30 days",
         812, 41LL * DAY_MS},
        {"Old laptop", "svc_Zt71aaPf", "off", "revoked", 0, 203LL * DAY_MS},
    };
    struct view *keys = table_begin(
        view, "keys", columns, sizeof columns / sizeof *columns, "You have no keys yet.");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct view *row = table_row(keys);
        view_text(row, "name", rows[i].name);
        view_text(row, "prefix", rows[i].prefix);
        view_count(row, "requests", rows[i].requests);
        view_ago(row, "usedAt", now_ms - rows[i].ago_ms, now_ms);
        view_bool(row, "revoked", str_eq(str_from(rows[i].kind), STR("off")));
        add_badge(row, rows[i].kind, rows[i].state);
    }
    table_pages(
        keys, STR("/style"), NULL, 0, (struct link_param){STR("before"), STR("1")},
        (struct link_param){STR("after"), STR("2")});
    table_begin(view, "events", columns, 1, "No events match these filters.");
}

static void add_endpoints(struct view *view, const char *scheme)
{
    static const struct table_column columns[] = {
        {"Address", false}, {"Last 24 hours", false}, {"State", false}};
    static const struct chart_series series[] = {{"delivered", CHART_MAIN}, {"failed", CHART_BAD}};
    int64_t values[HOURS * 2];
    struct str labels[HOURS];
    struct view *endpoints =
        table_begin(view, "endpoints", columns, 3, "No endpoint receives events yet.");
    struct view *row = table_row(endpoints);
    for (int i = 0; i < HOURS; i++) {
        labels[i] = arena_fmt(view_arena(view), "%02d:00", i);
        values[2 * i] = i * 7 % 5;
        values[2 * i + 1] = i > 20;
    }
    struct chart chart = {
        .id = arena_fmt(view_arena(view), "%s-day", scheme).p,
        .title = "Deliveries an hour",
        .axis = "Hour",
        .empty = "nothing sent",
        .series = series,
        .series_count = 2,
        .labels = labels,
        .values = values,
        .count = HOURS,
        .small = true,
    };
    view_text(row, "address", "https://hooks.juniperdell.example/trades");
    chart_bars(row, "day", &chart);
    add_badge(row, "bad", "3 failures in a row");
}

/* Ids are unique in a page, and both schemes are on one: "light-address". */
static void prefix_name(struct view *to, const char *scheme, const char *name)
{
    view_fmt(to, "name", "%s-%s", scheme, name);
}

static void add_form(struct view *view, const char *scheme, struct arena *arena)
{
    static const char *const names[] = {"address", "password", "plan", "note", "event", "enabled"};
    static const struct form_option plans[] =
        {
            {STR_INIT("wolf"), STR_INIT("Wolf")},
            {STR_INIT("pack"), STR_INIT("Pack")},
        },
                                    events[] = {
                                        {STR_INIT("published"), STR_INIT("a trade is published")},
                                        {STR_INIT("corrected"), STR_INIT("a trade is corrected")},
                                    };
    struct form form;
    struct fail fail;
    enum err err = form_read_urlencoded(
        &form, arena, STR("address=http://hooks.juniperdell.example&plan=pack&event=published"),
        NULL, &fail);
    if (err)
        form_fault(&form, NULL, &fail);
    form_fault_text(
        &form, "address", "“http://hooks.juniperdell.example” does not begin with https://.");
    form_show(view, &form, "address", STR(""));
    form_show_secret(view, &form, "password");
    form_show_choice(view, &form, "plan", STR("pack"), plans, 2);
    form_show(view, NULL, "note", STR("Trades of the newsroom"));
    form_show_choices(view, &form, "event", STR(""), events, 2);
    form_show_check(view, NULL, "enabled", true);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        prefix_name(view_member(view_member(view, "fields"), names[i]), scheme, names[i]);
    view_bool(view, "hasFaults", true);
    struct view *fault = view_item(view_list(view, "faults"));
    prefix_name(fault, scheme, "address");
    view_text(fault, "error", "“http://hooks.juniperdell.example” does not begin with https://.");
}

static void add_fact(
    struct view *facts, const char *label, const char *value, const char *href, struct str at)
{
    struct view *fact = view_item(facts);
    view_text(fact, "label", label);
    view_text(fact, "value", value);
    view_text(fact, "href", href);
    view_str(fact, "at", at);
}

static void add_scheme(struct view *schemes, const char *scheme, const char *label, int64_t now_ms)
{
    struct view *view = view_item(schemes);
    struct arena *arena = view_arena(view);
    view_text(view, "scheme", scheme);
    view_text(view, "label", label);
    view_text(view, "prefix", scheme);
    view_instant(view, "at", now_ms);
    add_days(view, scheme, now_ms);
    add_keys(view, now_ms);
    add_endpoints(view, scheme);
    add_form(view, scheme, arena);
    struct view *facts = view_list(view, "facts");
    add_fact(facts, "Endpoint", "https://hooks.juniperdell.example/trades", "/style", STR_NULL);
    add_fact(facts, "Created", "2026-11-20 03:12 EST", NULL, STR("2026-11-20T08:12:45.123Z"));
    add_fact(facts, "Description", "Trades of the newsroom", NULL, STR_NULL);
    view_text(view, "secret", "svc_p4Xq9bTzR1n0vYwK7cUe5mLs2dHj8gAf3iBo6tNx_Qk");
}

void style_page_show(struct view *view, int64_t now_ms)
{
    struct view *schemes = view_list(view, "schemes");
    add_scheme(schemes, "light", "Light", now_ms);
    add_scheme(schemes, "dark", "Dark", now_ms);
}
