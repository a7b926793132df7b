/* Known reports that a page lacks; see known_view.h. */
#include "site/frame/known_view.h"

#include "edge/headers.h"
#include "site/frame/day_view.h"
#include "site/frame/page_call_parts.h"
#include "site/frame/page_query.h"
#include "site/frame/reader.h"
#include "site/frame/trade_view.h"
#include "site/frame/trade_words.h"

enum { FIRST_ROWS = 8, TEXT_MAX = 1024 };

static bool is_public(enum report_state state)
{
    return state == REPORT_PUBLISHED || state == REPORT_AMENDED;
}

/* --- of a member */

static bool lacks(struct page_call *call, const struct known_report *report)
{
    struct feed_filing filing;
    return report_state_is_waiting(report->state) ||
           (is_public(report->state) &&
            !feed_filing(call->config->feed, report->id, reader_until(call), &filing));
}

enum err missing_load(
    struct page_call *call, const struct feed_politician *p, struct missing *ret, struct fail *fail)
{
    size_t count;
    *ret = (struct missing){.count = 0};
    enum err err = known_of_member(call->db, p->id, call->arena, &ret->items, &count, fail);
    RCU_READ();
    for (size_t i = 0; i < count && !err; i++) {
        const struct known_report report = ret->items[i];
        ret->indexes[report.chamber] |= report.indexed;
        if (!lacks(call, &report))
            continue;
        ret->listed += report.indexed;
        ret->items[ret->count++] = report;
    }
    return err;
}

/* "that the Clerk of the House lists (2013 to 2025)" */
static void put_index(struct buf *b, struct page_call *call, const struct missing *m)
{
    bool both = m->indexes[CHAMBER_HOUSE] && m->indexes[CHAMBER_SENATE];
    enum chamber chamber = m->indexes[CHAMBER_HOUSE] ? CHAMBER_HOUSE : CHAMBER_SENATE;
    int first = 0, last = 0;
    buf_text(
        b, both                       ? "that the lists of both chambers name"
           : chamber == CHAMBER_HOUSE ? "that the Clerk of the House lists"
                                      : "that the search of the Senate lists");
    if (both || !feed_index_years(call->config->feed, chamber, &first, &last))
        return;
    buf_fmt(b, first == last ? " for %d" : " for %d to %d", first, last);
}

static void put_text(
    struct buf *b, struct page_call *call, const struct feed_politician *p, const struct missing *m)
{
    size_t others = m->count - m->listed, indexed = p->indexed > 0 ? (size_t)p->indexed : 0;
    if (m->listed) {
        if (m->listed == indexed)
            buf_fmt(
                b, indexed == 1 ? "The trade report " : "None of the %zu trade reports ", indexed);
        else
            buf_fmt(b, "%zu of the %zu trade reports ", m->listed, indexed);
        put_index(b, call, m);
        buf_text(
            b, m->listed == indexed ? indexed == 1 ? " is not here." : " is here."
               : m->listed == 1     ? " is not here."
                                    : " are not here.");
    }
    if (others)
        buf_fmt(
            b, "%s%zu %sknown %s of this member %s not here.", m->listed ? " " : "", others,
            m->listed ? "more " : "", others == 1 ? "report" : "reports",
            others == 1 ? "is" : "are");
}

static void put_row(struct view *row, const struct known_report *report)
{
    view_str(row, "id", report->id);
    trade_path_put(row, "href", "/filings/", report->id);
    day_view_put(row, "filed", report->filed_day);
    view_str(
        row, "words",
        is_public(report->state) ? STR("published, shown here later")
                                 : report_state_info(report->state)->words);
    view_str(row, "url", report->url);
}

/* Which reports of the member may exist without being known. Beside trades alone, the page has it
 * in its figures. */
static void put_unlisted(
    struct page_call *call, const struct feed_politician *p, const struct missing *missing)
{
    int first, last;
    struct str whose = STR_NULL;
    if (p->indexed < 0)
        whose = missing->count || !p->counts.trades ? STR(" of the member") : STR_NULL;
    else if (!feed_index_years(call->config->feed, p->chamber, &first, &last))
        whose = arena_fmt(call->arena, " in the %.*s", STR_ARG(words_chamber(p->chamber)));
    view_str(call->view, "unlisted", whose);
}

void missing_put(
    struct page_call *call, const struct feed_politician *p, const struct missing *missing)
{
    char space[TEXT_MAX];
    struct buf text = buf_over(space, sizeof space);
    view_null(call->view, "missing");
    rcu_read_begin();
    put_unlisted(call, p, missing);
    if (missing->count)
        put_text(&text, call, p, missing);
    rcu_read_end();
    if (!missing->count)
        return;
    struct view *v = view_object(call->view, "missing");
    view_str(v, "text", buf_view(&text));
    struct view *first = view_list(v, "first"), *rest = view_list(v, "rest");
    for (size_t i = 0; i < missing->count; i++)
        put_row(view_item(i < FIRST_ROWS ? first : rest), &missing->items[i]);
    view_null(v, "more");
    if (missing->count > FIRST_ROWS)
        view_count(v, "more", (int64_t)(missing->count - FIRST_ROWS));
}

/* --- numbers */

void known_counts_put(struct view *v, const struct feed_politician *p)
{
    view_null(v, "indexed");
    if (p->indexed >= 0)
        view_count(v, "indexed", p->indexed);
    view_count(v, "waiting", p->waiting);
    view_bool(v, "anyWaiting", p->waiting > 0);
    view_bool(v, "oneWaiting", p->waiting == 1);
}

/* The member whose rows the page lists. */
static bool find_member(struct page_call *call, struct feed_politician *ret)
{
    struct str key, text = page_query(call, STR("politician_slug"));
    return !str_is_null(text) && param_politician(text, call->arena, &key) &&
           feed_politician(call->config->feed, key, 0, INSTANT_NONE, ret);
}

/* Call it inside a read of the feed. *ret_member has no slug: the count is of all. */
static int64_t count_waiting(struct page_call *call, struct feed_politician *ret_member)
{
    *ret_member = (struct feed_politician){.slug = STR_NULL};
    /* these two are not about what was traded */
    if (call->page->nav == NAV_COVERAGE || call->page->nav == NAV_CORRECTIONS)
        return 0;
    return find_member(call, ret_member) ? ret_member->waiting : feed_waiting(call->config->feed);
}

void known_header_put(struct page_call *call)
{
    struct feed_politician member;
    rcu_read_begin();
    int64_t count = count_waiting(call, &member);
    rcu_read_end();
    if (count)
        http_head(
            call->x, header_info(HEADER_WAITING)->name,
            arena_fmt(call->arena, "%lld", (long long)count));
}

void known_note_put(struct page_call *call)
{
    struct feed_politician member;
    view_null(call->view, "waiting");
    if (view_member(call->view, "missing")) /* the page of a member says it itself */
        return;
    RCU_READ();
    int64_t count = count_waiting(call, &member);
    bool of_member = !str_is_null(member.slug);
    if (count) {
        struct view *v = view_object(call->view, "waiting");
        view_count(v, "count", count);
        view_bool(v, "one", count == 1);
        view_str(v, "name", of_member ? member.name : STR_NULL);
        view_str(
            v, "href",
            of_member ? arena_fmt(call->arena, "/politicians/%.*s#missing", STR_ARG(member.slug))
                      : STR_NULL);
    }
}

/* --- one report */

static void put_member(struct page_call *call, struct str politician_id)
{
    struct feed_politician p;
    view_null(call->view, "politician");
    RCU_READ();
    if (!str_is_null(politician_id) &&
        feed_politician(call->config->feed, politician_id, 0, INSTANT_NONE, &p)) {
        const struct politician_ref ref = {p.slug, p.name, p.chamber, p.party, p.state};
        trade_politician_put(view_object(call->view, "politician"), &ref);
        page_surrogate(call, "p", arena_str(call->arena, p.slug));
    }
}

enum err known_page_show(struct page_call *call, struct str id, struct fail *fail)
{
    struct known_report report;
    TRY(known_find(call->db, id, call->arena, &report, fail));
    const struct report_state_info *info = report_state_info(report.state);
    view_str(call->view, "id", report.id);
    view_str(call->view, "state", info->name);
    view_str(call->view, "words", info->words);
    view_str(call->view, "meaning", info->meaning);
    view_bool(call->view, "waits", report_state_is_waiting(report.state));
    view_bool(call->view, "listed", report.indexed);
    view_bool(call->view, "house", report.chamber == CHAMBER_HOUSE);
    view_str(call->view, "filer", report.filer);
    view_str(call->view, "url", report.url);
    day_view_put(call->view, "filedOn", report.filed_day);
    put_member(call, report.politician_id);
    page_surrogate(call, "f", report.id);
    page_surrogate_brief(call);
    page_template(
        call, 200, STR("known_page"),
        arena_fmt(call->arena, "Report %.*s: not published here", STR_ARG(report.id)));
    return OK;
}
