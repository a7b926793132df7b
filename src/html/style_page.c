/* Invented data for every part of web/; see style_page.h. */
#include "html/style_page.h"

#include "html/chart.h"
#include "html/form.h"
#include "html/table.h"
#include "html/timeline.h"

enum { DAYS = 30, HOURS = 24, PARTS = 4, MARKS = 14, APART = 58 };

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
        view, "keys", "Name|Begins with|State|#Requests|Last use", "You have no keys yet.");
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
    table_begin(view, "events", "Name", "No events match these filters.");
}

static void add_endpoints(struct view *view, const char *scheme)
{
    static const struct chart_series series[] = {{"delivered", CHART_MAIN}, {"failed", CHART_BAD}};
    int64_t values[HOURS * 2];
    struct str labels[HOURS];
    struct view *endpoints = table_begin(
        view, "endpoints", "Address|Last 24 hours|State", "No endpoint receives events yet.");
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

/* Marks of each kind beside each other, and a month with so many that they become bars. */
static size_t add_marks(struct timeline_mark *marks, size_t size_max, int32_t first)
{
    size_t n = 0;
    for (int i = 0; i < MARKS; i++)
        marks[n++] = (struct timeline_mark){
            .day = first + 20 + APART * i,
            .lane = (uint8_t)(i % 2),
            .size = (uint8_t)(1 + i * i % 5),
            .strong = i % 5 == 2,
            .underlined = i % 4 == 1,
            .rows = i % 5 == 2 ? 1U << i % 2 : 0,
        };
    for (int i = 0; n < size_max; i++)
        marks[n++] = (struct timeline_mark){
            .day = first + 20 + APART * MARKS + i % 90,
            .lane = (uint8_t)(i % 3 == 0),
            .size = 1,
            .strong = i % 9 == 0,
            .rows = i % 9 == 0,
        };
    return n;
}

static struct timeline_link sample_link(void *ctx, struct arena *arena, size_t index)
{
    return (struct timeline_link){STR("/style"), arena_fmt(arena, "Sample %zu", index + 1)};
}

static struct str sample_period(void *ctx, struct arena *arena, int32_t from, int32_t to, int lane)
{
    return STR("/style");
}

static void add_timeline(struct view *view, const char *scheme, int64_t now_ms)
{
    static const struct timeline_lane lanes[] = {
        {"bought", TIMELINE_UP, false, false}, {"sold", TIMELINE_DOWN, true, true}};
    static const struct str sizes[TIMELINE_SIZES] = {
        [1] = STR_INIT("$1,001 – $15,000"), [5] = STR_INIT("$250,001 – $500,000")};
    enum { CROWD = 40, YEAR = 365, YEARS = 3 };
    struct timeline_mark marks[MARKS + CROWD];
    int32_t today = instant_day_utc(now_ms), first = today - YEARS * YEAR;
    const struct timeline_span spans[][2] = {
        {{first - YEAR, first + YEAR}, {first + YEAR + 90, DAY_NONE}}, {{first + 200, DAY_NONE}}};
    const struct timeline_row rows[] = {
        {.key = STR("A"), .label = STR("Harbors and Lights"), .spans = spans[0], .span_count = 2},
        {.key = STR("B"),
         .label = STR("Lighthouses"),
         .minor = true,
         .spans = spans[1],
         .span_count = 1}};
    const struct timeline timeline = {
        .id = arena_fmt(view_arena(view), "%s-time", scheme).p,
        .title = STR("Seats and trades"),
        .description = STR("Three years of an invented member: two seats, and marks for trades."),
        .from = first,
        .to = today + 1,
        .rows = rows,
        .row_count = sizeof rows / sizeof *rows,
        .lanes = lanes,
        .lane_count = sizeof lanes / sizeof *lanes,
        .marks = marks,
        .mark_count = add_marks(marks, MARKS + CROWD, first),
        .mark_link = sample_link,
        .period_href = sample_period,
        .strong_noun = "flagged",
        .strong_label = "flagged",
        .underlined_label = "reported late",
        .size_labels = sizes,
    };
    timeline_put(view, "timeline", &timeline);
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
    add_timeline(view, scheme, now_ms);
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
