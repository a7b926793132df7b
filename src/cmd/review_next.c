/* The commands that a draft's page ends with; see review_page.h. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd/commands.h"
#include "cmd/next_steps.h"
#include "cmd/review_obstacle.h"
#include "cmd/review_page_parts.h"

static void put_next(struct review_page *p, const char *why, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void put_next(struct review_page *p, const char *why, const char *format, ...)
{
    char *text = NULL;
    va_list args;
    va_start(args, format);
    int n = vasprintf(&text, format, args);
    va_end(args);
    if (n < 0)
        return;
    next_steps_put_below(&p->to, p->terminal, &(struct next_step){str_of(text, (size_t)n), why});
    free(text);
}

/* The failed checks, as --despite takes them. */
static struct str failed_checks(struct review_page *p)
{
    struct buf names;
    buf_init(&names, PAGE_MAX);
    for (size_t i = 0; i < p->view->check_count; i++)
        if (!p->view->checks[i].passed)
            buf_fmt(&names, "%s%.*s", names.n ? "," : "", STR_ARG(p->view->checks[i].name));
    struct str text = arena_str(&p->arena, buf_view(&names));
    buf_finish(&names);
    return text;
}

static int first_scanned_row(const struct review_page *p)
{
    const struct draft_row_list *rows = &p->view->rows;
    for (size_t i = 0; i < rows->count; i++)
        if (rows->items[i].place.width && !rows->items[i].removed)
            return rows->items[i].row;
    return NO_ROW;
}

/* The first obstacle of each kind but checks, with the command that removes it; true: there is one.
 */
static bool put_remedies(struct review_page *p, struct str id, struct str by)
{
    /* `accept` names the checks, and "Enter a row" stands below. */
    bool any = false,
         put[OBSTACLE_KIND_COUNT] = {[OBSTACLE_CHECK] = true, [OBSTACLE_NO_ROW] = true};
    for (size_t i = 0; i < p->view->obstacles.count; i++) {
        const struct obstacle *o = &p->view->obstacles.items[i];
        struct str command = review_obstacle_command(o, id, by, &p->arena);
        any |= o->kind != OBSTACLE_CHECK;
        if (put[o->kind] || str_is_null(command))
            continue;
        put[o->kind] = true;
        struct str why = arena_fmt(
            &p->arena, "%c%.*s: %.*s", ascii_upper(o->what.p[0]),
            STR_ARG(str_slice(o->what, 1, o->what.n)), STR_ARG(o->remedy));
        put_next(p, why.p, "%.*s", STR_ARG(command));
        struct str answer = review_obstacle_answer(o, id, by, &p->arena);
        if (answer.n)
            put_next(p, "Or, if the page states none", "%.*s", STR_ARG(answer));
    }
    return any;
}

/* The steps that must come before `accept`; false: none but checks. */
static bool put_obstacles(struct review_page *p, struct str id, struct str by)
{
    const struct draft *d = &p->view->draft;
    if (!d->is.url.n && d->is.chamber == CHAMBER_HOUSE && !d->claimed_by.n)
        put_next(
            p, "Import the Clerk's index of its year: it has the filer, the date and the address",
            "stockact ingest YYYYFD.zip");
    bool blocked = put_remedies(p, id, by);
    if (d->is.manual && d->is.document_version)
        put_next(
            p, "Look at a page", "stockact review picture %.*s 1 --output page-1.png", STR_ARG(id));
    if (first_scanned_row(p) != NO_ROW)
        put_next(
            p, "Look at a row on its page",
            "stockact review picture %.*s --row %d --output row.png", STR_ARG(id),
            first_scanned_row(p));
    if (d->is.manual)
        put_next(
            p, "Enter a row",
            "stockact review add-row %.*s assetName=\"...\" side=buy amountBucket=1k_15k "
            "tradeDate=YYYY-MM-DD ownerType=self --by %.*s",
            STR_ARG(id), STR_ARG(by));
    if (!p->view->rows.count)
        put_next(
            p, "Close it, if its document has nothing to report",
            "stockact review nothing-reported %.*s --by %.*s", STR_ARG(id), STR_ARG(by));
    if (d->entry == DRAFT_ENTRY_SECOND)
        put_next(
            p, "Another person types each row from the page, without seeing this",
            "stockact review enter %.*s ROW FIELD=VALUE... --by EMAIL", STR_ARG(id));
    if (d->entry == DRAFT_ENTRY_THIRD)
        put_next(
            p, "A person who typed neither entry decides", "stockact review differences %.*s",
            STR_ARG(id));
    return blocked;
}

static void put_review_commands(struct review_page *p, struct str id, struct str by)
{
    struct str failed = failed_checks(p);
    bool blocked = put_obstacles(p, id, by);
    if (p->view->rows.count)
        put_next(
            p, "Change a value", "stockact review set %.*s ROW FIELD VALUE --by %.*s", STR_ARG(id),
            STR_ARG(by));
    if (!blocked && failed.n)
        put_next(
            p, "Accept it despite the failed checks, if the draft is right",
            "stockact review accept %.*s --despite %.*s --reason TEXT --by %.*s", STR_ARG(id),
            STR_ARG(failed), STR_ARG(by));
    else if (!blocked)
        put_next(
            p,
            p->view->draft.is.manual ? "Accept it when you have checked every field"
                                     : "Accept it as it is",
            "stockact review accept %.*s --by %.*s", STR_ARG(id), STR_ARG(by));
    put_next(
        p, "Keep it from being published", "stockact review reject %.*s --reason TEXT --by %.*s",
        STR_ARG(id), STR_ARG(by));
}

void review_page_commands(struct review_page *p)
{
    const struct draft *d = &p->view->draft;
    struct str id = review_page_text(p, d->is.filing_id);
    struct str by = d->claimed_by.n ? review_page_text(p, d->claimed_by) : STR(COMMANDS_YOU);
    next_steps_title(&p->to, p->terminal);
    switch (d->shown) {
    case REPORT_NEEDS_MANUAL:
    case REPORT_DRAFT:
    case REPORT_IN_REVIEW:
        put_review_commands(p, id, by);
        break;
    case REPORT_ACCEPTED:
        put_next(p, "Publish it", "stockact publish %.*s --by %.*s", STR_ARG(id), STR_ARG(by));
        break;
    case REPORT_WITHDRAWN:
        put_next(
            p, "Undo the withdrawal", "stockact reinstate %.*s --reason TEXT --by %.*s",
            STR_ARG(id), STR_ARG(by));
        break;
    case REPORT_PUBLISHED:
    case REPORT_AMENDED:
        put_next(
            p, "Correct a trade", "stockact correct TRADE FIELD VALUE --reason TEXT --by %.*s",
            STR_ARG(by));
        break;
    default:
        put_next(
            p, "Claim it to open it again", "stockact review claim %.*s --by %.*s", STR_ARG(id),
            STR_ARG(by));
    }
}
