/* The page of a draft: its head, checks and history; see review_page.h. */
#include "cmd/review_page.h"

#include "base/hidden.h"
#include "cmd/layout.h"
#include "cmd/review_page_parts.h"
#include "review/review_words.h"
#include "store/document_page.h"
#include "store/draft_history.h"

enum { PAGES_TOLD_MAX = 10 };

/* --- parts of a line */

struct str review_page_text(struct review_page *p, struct str text)
{
    struct buf b;
    buf_init(&b, PAGE_MAX);
    hidden_show(&b, text);
    struct str copy = arena_str(&p->arena, buf_view(&b));
    buf_finish(&b);
    return copy;
}

void review_page_paint(struct review_page *p, enum paint paint, struct str text)
{
    terminal_paint(p->terminal, &p->to, paint, text);
}

void review_page_heading(struct review_page *p, const char *text)
{
    buf_char(&p->to, '\n');
    review_page_paint(p, PAINT_STRONG, str_from(text));
    buf_char(&p->to, '\n');
}

/* Pads a text that was just printed. */
void review_page_pad(struct review_page *p, size_t printed, size_t columns)
{
    layout_spaces(&p->to, printed < columns ? columns - printed : 0);
}

/* Wraps behind what stands on the line already, each line in the paint. */
void review_page_wrap(struct review_page *p, enum paint how, struct str text, size_t indent)
{
    struct str rest = text, line;
    size_t room = p->columns > indent + LABEL ? p->columns - indent : LABEL;
    for (bool first = true; layout_next_line(&rest, room, &line); first = false) {
        layout_spaces(&p->to, first ? 0 : indent);
        review_page_paint(p, how, line);
        buf_char(&p->to, '\n');
    }
}

/* "  label         value", wrapped; nothing for a null value. */
void review_page_fact(struct review_page *p, const char *label, struct str value, enum paint how)
{
    if (!value.n)
        return;
    layout_spaces(&p->to, MARGIN);
    review_page_paint(p, PAINT_FAINT, str_from(label));
    review_page_pad(p, layout_columns(str_from(label)), LABEL);
    review_page_wrap(p, how, review_page_text(p, value), MARGIN + LABEL);
}

void review_page_mark(struct review_page *p, enum glyph glyph, enum paint how, size_t margin)
{
    struct str mark = str_from(terminal_glyph(p->terminal, glyph));
    layout_spaces(&p->to, margin);
    review_page_paint(p, how, mark);
    review_page_pad(p, layout_columns(mark), p->terminal->utf8 ? 2 : 3);
}

size_t review_page_mark_columns(const struct review_page *p)
{
    return p->terminal->utf8 ? 2 : 3;
}

static struct str instant_text(struct review_page *p, int64_t ms)
{
    struct buf b;
    buf_init(&b, 256);
    instant_put_new_york_date(&b, ms);
    struct str text = arena_str(&p->arena, buf_view(&b));
    buf_finish(&b);
    return text;
}

/* --- the head */

static enum paint paint_of_state(enum report_state state)
{
    switch (state) {
    case REPORT_NEEDS_MANUAL:
    case REPORT_DRAFT:
    case REPORT_IN_REVIEW:
        return PAINT_DOUBT;
    case REPORT_REJECTED:
    case REPORT_WITHDRAWN:
    case REPORT_REFUSED:
        return PAINT_BAD;
    default:
        return PAINT_GOOD;
    }
}

static void put_claim(struct review_page *p)
{
    const struct draft *d = &p->view->draft;
    char until[INSTANT_TEXT_SIZE];
    if (d->claimed_by.n) {
        instant_print(d->claimed_until, until);
        review_page_fact(
            p, "claimed by",
            arena_fmt(
                &p->arena, "%.*s, until %.10s %.5sZ", STR_ARG(d->claimed_by), until, until + 11),
            PAINT_NONE);
    }
    review_page_fact(p, "accepted by", d->accepted_by, PAINT_NONE);
    review_page_fact(p, "second", d->second_by, PAINT_NONE);
}

/* Accepted drafts that are published first. */
static void put_after(struct review_page *p)
{
    const struct difference *d = &p->view->difference;
    for (size_t i = 0; i < d->after_count; i++)
        review_page_fact(
            p, "after",
            arena_fmt(
                &p->arena, "%.*s, which is accepted but not public yet", STR_ARG(d->after[i])),
            PAINT_DOUBT);
}

static void put_head(struct review_page *p)
{
    const struct draft *d = &p->view->draft;
    const struct report_state_info *state = report_state_info(d->shown);
    review_page_paint(p, PAINT_STRONG, review_page_text(p, d->is.filing_id));
    layout_spaces(&p->to, GAP);
    review_page_paint(p, paint_of_state(d->shown), state->name);
    if (d->revision > 1)
        buf_fmt(&p->to, "  revision %d", d->revision);
    buf_char(&p->to, '\n');
    review_page_fact(p, "filer", d->is.filer.n ? d->is.filer : STR("not known"), PAINT_NONE);
    if (d->slug.n)
        review_page_fact(
            p, "member", arena_fmt(&p->arena, "%.*s (%.*s)", STR_ARG(d->name), STR_ARG(d->slug)),
            PAINT_NONE);
    else
        review_page_fact(p, "member", STR("not known: set it with `review set-filer`"), PAINT_BAD);
    if (d->is.filed_at != INSTANT_NONE)
        review_page_fact(p, "filed", instant_text(p, d->is.filed_at), PAINT_NONE);
    else
        review_page_fact(
            p, "filed", STR("not known: set it with `review set ID 0 filed DATE`"), PAINT_BAD);
    if (p->view->public_filed_at != INSTANT_NONE && p->view->public_filed_at != d->is.filed_at)
        review_page_fact(
            p, "filed (public)", instant_text(p, p->view->public_filed_at), PAINT_DOUBT);
    review_page_fact(p, "document", d->is.url.n ? d->is.url : STR("not known"), PAINT_NONE);
    review_page_fact(p, "amends", d->is.amends, PAINT_NONE);
    review_page_fact(p, "amended by", p->view->difference.overtaken_by, PAINT_NONE);
    put_after(p);
    put_claim(p);
    review_page_fact(p, "look at", d->is.reason, PAINT_DOUBT);
}

/* --- pages of a scan that were not read, or not in full */

static enum err put_pages(struct review_page *p, struct db *db, struct fail *fail)
{
    struct document_page_list pages = {.count = 0};
    int64_t version = p->view->draft.is.document_version;
    size_t told = 0, more = 0;
    enum err err = version ? document_page_load(db, version, &p->arena, &pages, fail) : OK;
    for (size_t i = 0; i < pages.count; i++) {
        const struct document_page *page = &pages.items[i];
        if (str_is_null(page->reason))
            continue;
        if (told++ >= PAGES_TOLD_MAX)
            more++;
        else
            review_page_fact(
                p, arena_fmt(&p->arena, "page %d", page->page).p, page->reason, PAINT_DOUBT);
    }
    if (more)
        review_page_fact(
            p, "more pages", arena_fmt(&p->arena, "%zu were not read in full", more), PAINT_DOUBT);
    return err;
}

/* --- checks */

static void put_check(struct review_page *p, const struct self_check *check)
{
    bool ok = check->passed;
    struct str words = review_check_words(check->name);
    review_page_mark(p, ok ? GLYPH_TICK : GLYPH_CROSS, ok ? PAINT_GOOD : PAINT_BAD, MARGIN);
    struct str text = words;
    if (check->detail.n)
        text = arena_fmt(&p->arena, "%.*s: %.*s", STR_ARG(text), STR_ARG(check->detail));
    if (!ok)
        text = arena_fmt(&p->arena, "%.*s (%.*s)", STR_ARG(text), STR_ARG(check->name));
    review_page_wrap(
        p, ok ? PAINT_NONE : PAINT_BAD, review_page_text(p, text),
        MARGIN + review_page_mark_columns(p));
}

static void put_checks(struct review_page *p)
{
    const struct desk_view *v = p->view;
    if (v->check_count == 0)
        return;
    review_page_heading(p, "Checks");
    for (int passed = 0; passed <= 1; passed++)
        for (size_t i = 0; i < v->check_count; i++)
            if (v->checks[i].passed == passed)
                put_check(p, &v->checks[i]);
}

/* --- history */

/* The id of a member; of the draft's present one with the name. */
static struct str member_text(struct review_page *p, struct str id)
{
    const struct draft *d = &p->view->draft;
    if (!str_eq(id, d->is.politician_id) || !d->name.n)
        return id.n ? id : STR("no member");
    return arena_fmt(&p->arena, "%.*s (%.*s)", STR_ARG(d->name), STR_ARG(id));
}

static void put_event(void *ctx, const struct draft_event *event)
{
    struct review_page *p = ctx;
    struct arena *a = &p->arena;
    char at[INSTANT_TEXT_SIZE];
    instant_print(event->at, at);
    struct str text = arena_fmt(
        a, "%.*s %.*sZ  %.*s  %.*s", 10, at, 5, at + 11, STR_ARG(event->by),
        STR_ARG(event->action));
    if (event->row)
        text = arena_fmt(a, "%.*s row %d", STR_ARG(text), event->row);
    if (event->field.n)
        text = arena_fmt(
            a, "%.*s %.*s: \"%.*s\" %s \"%.*s\"", STR_ARG(text), STR_ARG(event->field),
            STR_ARG(event->old), terminal_glyph(p->terminal, GLYPH_ARROW), STR_ARG(event->new));
    if (str_eq(event->action, STR("set_filer")))
        text = arena_fmt(a, "%.*s %.*s", STR_ARG(text), STR_ARG(member_text(p, event->new)));
    if (event->reason.n)
        text = arena_fmt(a, "%.*s (%.*s)", STR_ARG(text), STR_ARG(event->reason));
    layout_spaces(&p->to, MARGIN);
    review_page_wrap(p, PAINT_NONE, review_page_text(p, text), 2 * MARGIN);
}

static enum err put_history(struct review_page *p, struct db *db, struct fail *fail)
{
    size_t at = p->to.n;
    review_page_heading(p, "History");
    size_t empty = p->to.n;
    enum err err = draft_history_each(db, p->view->draft.no, put_event, p, fail);
    if (p->to.n == empty)
        p->to.n = at;
    return err;
}

enum err review_page(
    struct out *out, struct db *db, const struct desk_view *view, struct fail *fail)
{
    size_t columns = (size_t)out->terminal.columns;
    struct review_page p = {
        .view = view,
        .terminal = &out->terminal,
        .columns = columns < COLUMNS_MAX ? columns : COLUMNS_MAX,
    };
    buf_init(&p.to, PAGE_MAX);
    arena_init(&p.arena);
    put_head(&p);
    enum err err = put_pages(&p, db, fail);
    review_page_effect(&p);
    put_checks(&p);
    review_page_rows(&p);
    if (!err)
        err = put_history(&p, db, fail);
    if (!err) {
        review_page_commands(&p);
        out_page(out, &p.to);
    }
    arena_finish(&p.arena);
    buf_finish(&p.to);
    return err;
}
