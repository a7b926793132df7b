/* `stockact review ...`: reviews drafts on the command line; see review/desk/desk.h. */

#include "base/hidden.h"
#include "cmd/operate/store_access.h"
#include "cmd/review/review_desk.h"
#include "cmd/review/review_obstacle.h"
#include "cmd/review/review_show.h"
#include "cmd/term/command.h"
#include "cmd/term/layout.h"
#include "cmd/term/member_hint.h"
#include "cmd/term/next_steps.h"
#include "cmd/term/out.h"
#include "cmd/term/progress.h"
#include "config/values.h"
#include "paper/paper_id.h"
#include "people/filer.h"
#include "review/desk/batch.h"
#include "review/desk/desk.h"
#include "review/desk/suggested_symbol.h"
#include "status/words.h"
#include "store/desk/draft.h"
#include "store/public/member.h"

/* `review accept --clean` and `--batch`: batches of clean drafts (review/desk/batch.h). */

review_fn review_batch_start;
review_fn review_batch_accept;

enum { SHOWN_MAX = 1000, LISTED_MAX = 200 };

static const struct progress_label reading = {"Reading", "draft", "drafts"};
static const struct progress_label accepting = {"Accepting", "filing", "filings"};

static enum out_mood mood_of_state(enum batch_state state)
{
    return state == BATCH_ACCEPTED ? OUT_GOOD : state == BATCH_RETURNED ? OUT_BAD : OUT_WAITING;
}

static enum out_mood mood_of_outcome(enum batch_outcome outcome)
{
    return outcome == BATCH_DRAFT_RIGHT || outcome == BATCH_DRAFT_ACCEPTED ? OUT_GOOD
           : outcome == BATCH_DRAFT_FAULT                                  ? OUT_BAD
           : outcome == BATCH_DRAFT_WAITING                                ? OUT_WAITING
                                                                           : OUT_DOUBTFUL;
}

static void put_batch(struct out *out, const struct batch *b, enum out_style style)
{
    const int64_t *of = b->of_outcome;
    out_begin(out, style);
    out_i64(out, "batch", b->no);
    out_state(out, "state", batch_state_name(b->state), mood_of_state(b->state));
    out_instant(out, "startedAt", b->started_at);
    out_str(out, "startedBy", b->started_by);
    out_count(out, "size", b->size);
    out_count(out, "sample", b->sample);
    out_count(out, "unseen", b->state == BATCH_OPEN ? b->unseen : 0);
    out_count(out, "faults", of[BATCH_DRAFT_FAULT]);
    out_count(out, "left", of[BATCH_DRAFT_LEFT]);
    out_count(out, "accepted", of[BATCH_DRAFT_ACCEPTED]);
    out_instant(out, "endedAt", b->ended_at);
    out_str(out, "endedBy", b->ended_by);
    out_str(out, "reason", b->reason);
    out_end(out);
}

static void put_drafts(struct out *out, const struct batch_draft_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct batch_draft *d = &list->items[i];
        out_begin(out, OUT_TABLE);
        out_str(out, "filingId", d->filing_id);
        out_str(out, "member", d->name);
        out_count(out, "rows", d->rows);
        out_bool(out, "drawn", d->drawn);
        out_state(out, "outcome", batch_outcome_name(d->outcome), mood_of_outcome(d->outcome));
        out_str(out, "by", d->by);
        out_str(out, "reason", d->reason);
        out_end(out);
    }
}

/* What to do next, on a terminal. */
static void put_next(struct out *out, const struct batch *b)
{
    long long no = (long long)b->no;
    if (!out_is_page(out))
        return;
    if (b->state == BATCH_OPEN && b->unseen)
        out_line(
            out,
            "Next: compare each waiting filing with its document (stockact review show ID), then\n"
            "  stockact review look %lld ID --right --by EMAIL\n"
            "  stockact review look %lld ID --fault --reason TEXT --by EMAIL",
            no, no);
    else if (b->state == BATCH_OPEN || b->state == BATCH_ACCEPTING)
        out_line(out, "Next: stockact review accept --batch %lld --by EMAIL", no);
    else if (b->state == BATCH_ACCEPTED)
        out_line(out, "Next: stockact publish --all-accepted --by EMAIL");
}

static enum err show(
    struct out *out, struct db *db, int64_t no, struct arena *arena, struct fail *fail)
{
    struct batch b;
    struct batch_draft_list drawn = {.count = 0}, left = {.count = 0};
    size_t undrawn = 0;
    TRY(batch_find(db, no, arena, &b, fail));
    TRY(batch_drafts(db, no, BATCH_DRAWN, SHOWN_MAX, arena, &drawn, fail));
    TRY(batch_drafts(db, no, BATCH_LEFT, SHOWN_MAX, arena, &left, fail));
    put_batch(out, &b, OUT_BLOCK);
    put_drafts(out, &drawn);
    for (size_t i = 0; i < left.count; i++)
        if (!left.items[i].drawn)
            left.items[undrawn++] = left.items[i];
    left.count = undrawn;
    put_drafts(out, &left);
    put_next(out, &b);
    return OK;
}

static enum err list(struct store_read *read, struct fail *fail)
{
    struct batch_list batches;
    TRY(batch_newest(read->db, LISTED_MAX, &read->arena, &batches, fail));
    for (size_t i = 0; i < batches.count; i++)
        put_batch(read->out, &batches.items[i], OUT_TABLE);
    out_if_empty(read->out, "There is no batch yet.");
    return OK;
}

static enum err read_number(
    struct str text, const char *what, int64_t max, int64_t *ret, struct fail *fail)
{
    return value_i64_between(text, 1, max, ret)
               ? OK
               : fail_set(
                     fail, ERR_INVALID, "invalid %s \"%.*s\": expected a number from 1 to %lld",
                     what, STR_ARG(text), (long long)max);
}

static enum err read_batch_number(struct str text, int64_t *ret, struct fail *fail)
{
    return read_number(text, "number of a batch", INT32_MAX, ret, fail);
}

enum err cmd_review_batch(struct store_read *read, struct fail *fail)
{
    const struct options *o = read->cmd->options;
    int64_t no;
    if (o->operand_count > 1)
        return fail_set(fail, ERR_INVALID, "name one batch, or none for all");
    if (!o->operand_count)
        return list(read, fail);
    TRY(read_batch_number(o->operands[0], &no, fail));
    return show(read->out, read->db, no, &read->arena, fail);
}

static enum err show_batch(struct review *r, int64_t no, struct fail *fail)
{
    return show(r->out, r->desk.db, no, &r->arena, fail);
}

enum err review_batch_start(struct review *r, struct fail *fail)
{
    const struct options *o = r->cmd->options;
    struct str size_text = options_value(o, "size");
    struct batch_choices choices;
    int64_t sample = 0, size = BATCH_SIZE_USUAL, no = 0;
    if (o->operand_count || options_given(o, "batch") || !options_given(o, "sample"))
        return fail_set(
            fail, ERR_INVALID, "--clean takes no filing, and needs --sample: how many to draw");
    TRY(read_number(options_value(o, "sample"), "--sample", BATCH_SAMPLE_MAX, &sample, fail));
    if (!str_is_null(size_text))
        TRY(read_number(size_text, "--size", BATCH_SIZE_MAX, &size, fail));
    struct progress *progress = progress_start(r->out, &reading);
    struct progress_hook hook = progress_hook_of(progress);
    enum err err = batch_choose(&r->desk, size, &hook, &r->arena, &choices, fail);
    progress_stop(progress);
    TRY(err);
    TRY(batch_start(&r->desk, &choices, sample, &no, fail));
    return show_batch(r, no, fail);
}

enum err review_batch_accept(struct review *r, struct fail *fail)
{
    const struct options *o = r->cmd->options;
    struct batch b;
    int64_t no;
    if (o->operand_count)
        return fail_set(fail, ERR_INVALID, "--batch takes no filing");
    TRY(read_batch_number(options_value(o, "batch"), &no, fail));
    struct progress *progress = progress_start(r->out, &accepting);
    struct progress_hook hook = progress_hook_of(progress);
    enum err err = batch_accept(&r->desk, no, BATCH_SIZE_MAX, &hook, &b, &r->arena, fail);
    progress_stop(progress);
    return err ? err : show_batch(r, no, fail);
}

enum err cmd_review_look(struct review *r, struct fail *fail)
{
    const struct options *o = r->cmd->options;
    bool fault = options_given(o, "fault");
    int64_t no;
    TRY(read_batch_number(r->operands[0], &no, fail));
    if (fault == options_given(o, "right") || o->operand_count < 2)
        return fail_set(fail, ERR_INVALID, "name a filing, and say --right or --fault");
    for (size_t i = 1; i < o->operand_count; i++) {
        enum batch_outcome outcome;
        const struct batch_finding finding = {
            .filing_id = r->operands[i], .fault = fault, .reason = r->reason};
        TRY(batch_look(&r->desk, no, &finding, &outcome, fail));
    }
    return show_batch(r, no, fail);
}

enum err cmd_review_return(struct review *r, struct fail *fail)
{
    int64_t no;
    TRY(read_batch_number(r->operands[0], &no, fail));
    TRY(batch_return(&r->desk, no, r->reason, fail));
    return show_batch(r, no, fail);
}

/* The list of drafts on a terminal. */

enum { TEXT_MAX = 256 << 20, MARGIN = 2, GAP = 2, NAME_MIN = 12 };

struct review_list_item {
    enum report_state state;
    struct str id, day, who, more; /* escaped */
};

struct review_list {
    struct arena *arena;
    struct review_list_item *items;
    size_t count, max;
    size_t id_columns;
    int64_t of_state[REPORT_STATE_COUNT];
};

/* In the order of the count. */
static const struct {
    enum report_state state;
    enum glyph glyph;
    enum paint paint;
} looks[] = {
    {REPORT_NEEDS_MANUAL, GLYPH_DOUBT, PAINT_DOUBT},    {REPORT_DRAFT, GLYPH_DOT, PAINT_NONE},
    {REPORT_IN_REVIEW, GLYPH_ARROW, PAINT_DOUBT},       {REPORT_ACCEPTED, GLYPH_TICK, PAINT_DOUBT},
    {REPORT_PUBLISHED, GLYPH_TICK, PAINT_GOOD},         {REPORT_AMENDED, GLYPH_TICK, PAINT_GOOD},
    {REPORT_REJECTED, GLYPH_CROSS, PAINT_BAD},          {REPORT_WITHDRAWN, GLYPH_CROSS, PAINT_BAD},
    {REPORT_NOTHING_REPORTED, GLYPH_TICK, PAINT_FAINT}, {REPORT_SUPERSEDED, GLYPH_DOT, PAINT_FAINT},
};
enum { LOOK_COUNT = sizeof looks / sizeof *looks };

static size_t look_of(enum report_state state)
{
    for (size_t i = 0; i < LOOK_COUNT; i++)
        if (looks[i].state == state)
            return i;
    return LOOK_COUNT - 1;
}

static struct str shown(struct review_list *list, struct str text)
{
    BUF_SCOPED(b, TEXT_MAX);
    hidden_show(&b, text);
    return arena_str(list->arena, buf_view(&b));
}

static struct str day_text(struct review_list *list, int64_t filed_at)
{
    return filed_at == INSTANT_NONE ? STR("no date   ")
                                    : day_str(list->arena, instant_day_new_york(filed_at));
}

/* What the first line does not say. */
static struct str more_of(struct review_list *list, const struct draft *d)
{
    struct arena *a = list->arena;
    struct str text = STR("");
    if (d->shown != REPORT_DRAFT)
        text = report_state_name(d->shown);
    if (d->claimed_by.n)
        text = arena_fmt(
            a, "%.*s%sclaimed by %.*s", STR_ARG(text), text.n ? ", " : "", STR_ARG(d->claimed_by));
    if (d->doubts && (d->state == DRAFT_WAITING || d->state == DRAFT_IN_REVIEW))
        text = arena_fmt(
            a, "%.*s%s%.*s", STR_ARG(text), text.n ? ", " : "",
            STR_ARG(words_count(a, d->doubts, "doubt", "doubts")));
    if (d->is.reason.n)
        text = arena_fmt(a, "%.*s%s%.*s", STR_ARG(text), text.n ? ": " : "", STR_ARG(d->is.reason));
    return shown(list, text);
}

static enum err review_list_add(void *ctx, const struct draft *draft)
{
    struct review_list *list = ctx;
    list->items =
        arena_grow(list->arena, list->items, list->count, &list->max, sizeof *list->items);
    struct str who = draft->name.n ? draft->name : draft->is.filer;
    list->items[list->count++] = (struct review_list_item){
        .state = draft->shown,
        .id = shown(list, draft->is.filing_id),
        .day = day_text(list, draft->is.filed_at),
        .who = who.n ? shown(list, who) : STR("filer not known"),
        .more = more_of(list, draft),
    };
    size_t columns = layout_columns(list->items[list->count - 1].id);
    if (columns > list->id_columns)
        list->id_columns = columns;
    list->of_state[draft->shown]++;
    return OK;
}

static void put_mark(struct buf *to, const struct terminal *t, size_t look)
{
    struct str mark = str_from(terminal_glyph(t, looks[look].glyph));
    terminal_paint(t, to, looks[look].paint, mark);
    layout_spaces(to, MARGIN + (t->utf8 ? 0 : 1) - layout_columns(mark));
}

static void put_item(
    struct buf *to, const struct terminal *t, const struct review_list *list,
    const struct review_list_item *item)
{
    size_t look = look_of(item->state), begin = MARGIN + (t->utf8 ? 0 : 1);
    size_t at = begin + list->id_columns + GAP + DAY_TEXT_SIZE + GAP;
    put_mark(to, t, look);
    buf_str(to, item->id);
    layout_spaces(to, list->id_columns - layout_columns(item->id) + GAP);
    buf_str(to, item->day);
    size_t indent = at + NAME_MIN > (size_t)t->columns ? begin : at;
    layout_wrap(to, item->who, at - GAP, indent, (size_t)t->columns);
    struct str rest = item->more, line;
    size_t room = (size_t)t->columns - begin - GAP;
    while (item->more.n && layout_next_line(&rest, room, &line)) {
        layout_spaces(to, begin + GAP);
        terminal_paint(t, to, looks[look].paint, line);
        buf_char(to, '\n');
    }
}

static void put_counts(struct buf *to, const struct terminal *t, struct review_list *list)
{
    size_t widest = words_number(list->arena, (int64_t)list->count).n;
    buf_char(to, '\n');
    terminal_paint(
        t, to, PAINT_STRONG, words_count(list->arena, (int64_t)list->count, "draft", "drafts"));
    buf_char(to, '\n');
    for (size_t i = 0; i < LOOK_COUNT; i++) {
        const struct report_state_info *info = report_state_info(looks[i].state);
        struct str number = words_number(list->arena, list->of_state[looks[i].state]);
        if (!list->of_state[looks[i].state])
            continue;
        layout_spaces(to, MARGIN);
        put_mark(to, t, i);
        layout_spaces(to, widest - number.n);
        size_t indent = MARGIN + MARGIN + (t->utf8 ? 0 : 1) + widest + 1;
        buf_str(to, number);
        struct str meaning =
            arena_fmt(list->arena, "%.*s: %.*s", STR_ARG(info->name), STR_ARG(info->meaning));
        layout_wrap(to, meaning, indent - 1, indent, (size_t)t->columns);
    }
}

/* With `base_url` (null: not known) the next steps name the desk. */
static void review_list_print(struct review_list *list, struct out *out, struct str base_url)
{
    const struct terminal *t = &out->terminal;
    BUF_SCOPED(to, TEXT_MAX);
    for (size_t i = 0; i < list->count; i++)
        put_item(&to, t, list, &list->items[i]);
    put_counts(&to, t, list);
    if (list->count) {
        struct str id = list->count == 1 ? list->items[0].id : STR("ID");
        bool known = !str_is_null(base_url);
        struct next_step next[2] = {
            {arena_fmt(list->arena, "stockact review show %.*s", STR_ARG(id)),
             known ? "look at a draft" : NULL}};
        if (known)
            next[1] = next_steps_desk(list->arena, base_url);
        next_steps_put(&to, t, next, known ? 2 : 1);
    }
    out_page(out, &to);
}

/* The draft's state after the action. */
static enum err show_state(struct review *r, struct fail *fail)
{
    struct draft draft;
    TRY(draft_find(r->desk.db, r->operands[0], &r->arena, &draft, fail));
    out_begin(r->out, OUT_BLOCK);
    out_str(r->out, "filingId", draft.is.filing_id);
    out_str(r->out, "state", report_state_name(draft.shown));
    out_str(r->out, "claimedBy", draft.claimed_by);
    out_instant(r->out, "claimedUntil", draft.claimed_until);
    out_end(r->out);
    review_put_publish(r, &draft);
    return OK;
}

enum err cmd_review_claim(struct review *r, struct fail *fail)
{
    TRY(desk_claim(&r->desk, r->operands[0], fail));
    return show_state(r, fail);
}

enum err cmd_review_accept(struct review *r, struct fail *fail)
{
    const struct options *o = r->cmd->options;
    enum draft_state state;
    if (options_given(o, "clean"))
        return review_batch_start(r, fail);
    if (options_given(o, "batch"))
        return review_batch_accept(r, fail);
    if (o->operand_count != 1)
        return fail_set(
            fail, ERR_INVALID, "name one filing, or accept clean drafts with --clean --sample N");
    enum err err =
        desk_accept(&r->desk, r->operands[0], options_value(o, "despite"), r->reason, &state, fail);
    TRY(review_obstacle_explain(r->desk.db, r->operands[0], r->desk.by, err, fail));
    return show_state(r, fail);
}

enum err cmd_review_reject(struct review *r, struct fail *fail)
{
    TRY(desk_reject(&r->desk, r->operands[0], r->reason, fail));
    return show_state(r, fail);
}

enum err cmd_review_nothing_reported(struct review *r, struct fail *fail)
{
    TRY(desk_report_nothing(&r->desk, r->operands[0], fail));
    return show_state(r, fail);
}

enum err cmd_review_take_symbols(struct review *r, struct fail *fail)
{
    struct suggested_taken symbols;
    TRY(suggested_symbols_take(&r->desk, r->operands[0], 0, &symbols, fail));
    out_begin(r->out, OUT_BLOCK);
    out_str(r->out, "filingId", r->operands[0]);
    out_i64(r->out, "taken", (int64_t)symbols.taken);
    out_i64(r->out, "confirmed", (int64_t)symbols.confirmed);
    out_i64(r->out, "left", (int64_t)symbols.left);
    out_end(r->out);
    return OK;
}

/* Row 0 is the filing. */
enum err cmd_review_set(struct review *r, struct fail *fail)
{
    int row;
    TRY(review_read_number(r->operands[1], "ROW", 0, &row, fail));
    TRY(desk_set(&r->desk, r->operands[0], row, r->operands[2], r->operands[3], r->reason, fail));
    return show_state(r, fail);
}

enum err cmd_review_delete_row(struct review *r, struct fail *fail)
{
    int row;
    TRY(review_read_number(r->operands[1], "ROW", 1, &row, fail));
    TRY(desk_delete_row(&r->desk, r->operands[0], row, r->reason, fail));
    return show_state(r, fail);
}

/* `add-row ID [FIELD=VALUE...]`: adds the row, then sets its fields one by one. */
enum err cmd_review_add_row(struct review *r, struct fail *fail)
{
    struct str page_text = options_value(r->cmd->options, "page");
    int64_t page = 0;
    int row = 0;
    if (!str_is_null(page_text) && !value_i64_between(page_text, 1, 9999, &page))
        return fail_set(fail, ERR_INVALID, "--page is a number from 1 to 9999");
    TRY(desk_add_row(&r->desk, r->operands[0], (int)page, &row, fail));
    for (size_t i = 1; i < r->cmd->options->operand_count; i++) {
        struct str value = r->operands[i], field;
        str_split(&value, '=', &field);
        if (str_is_null(value))
            return fail_set(
                fail, ERR_INVALID, "invalid field \"%.*s\": expected FIELD=VALUE", STR_ARG(field));
        TRY(desk_set(&r->desk, r->operands[0], row, field, value, r->reason, fail));
    }
    return show_state(r, fail);
}

/* The filer's printed name, folded: the alias under which set-filer stores the member. */
static enum err folded_filer(struct review *r, struct str *ret, struct fail *fail)
{
    struct draft draft;
    enum err err = draft_find(r->desk.db, r->operands[0], &r->arena, &draft, fail);
    if (err || str_is_null(draft.is.filer))
        return err == ERR_NOT_FOUND ? OK : err; /* bulk history has no draft */
    *ret = filer_folded(draft.is.filer, &r->arena);
    return OK;
}

/* Adds the members who may have been meant to the error that the named one does not exist. */
static enum err explain_filer(struct review *r, struct str filer, enum err err, struct fail *fail)
{
    struct member member;
    bool unknown = err == ERR_NOT_FOUND &&
                   member_find(r->desk.db, filer, &r->arena, &member, NULL) == ERR_NOT_FOUND;
    return unknown ? member_hint(r->desk.db, filer, fail) : err;
}

/* A public filing was given to another member. */
static enum err show_reassigned(struct review *r, const struct desk_filer *filer, struct fail *fail)
{
    struct member member;
    enum err err = member_find(r->desk.db, r->operands[1], &r->arena, &member, fail);
    store_access_wait_servers(r->desk.db);
    out_begin(r->out, OUT_BLOCK);
    out_str(r->out, "filingId", r->operands[0]);
    out_str(r->out, "member", err ? r->operands[1] : member.slug);
    out_i64(r->out, "trades", (int64_t)filer->trades);
    out_end(r->out);
    return err;
}

enum err cmd_review_set_filer(struct review *r, struct fail *fail)
{
    struct str alias = STR_NULL;
    struct desk_filer filer = {.is_public = false};
    TRY(folded_filer(r, &alias, fail));
    enum err err =
        desk_set_filer(&r->desk, r->operands[0], r->operands[1], alias, r->reason, &filer, fail);
    TRY(explain_filer(r, r->operands[1], err, fail));
    return filer.is_public ? show_reassigned(r, &filer, fail) : show_state(r, fail);
}

/* --- new drafts */

static enum err read_new(struct review *r, struct draft_new *ret, struct fail *fail)
{
    struct str filed = options_value(r->cmd->options, "filed"), typed = r->operands[1];
    enum chamber chamber = chamber_from_name(r->operands[0]);
    struct str id =
        chamber == CHAMBER_HOUSE ? paper_id_house(typed) : paper_id_senate(typed, &r->arena);
    int32_t day;
    if (chamber == CHAMBER_NONE)
        return fail_set(
            fail, ERR_INVALID, "invalid chamber \"%.*s\": expected house or senate",
            STR_ARG(r->operands[0]));
    if (str_is_null(id) || id.n != typed.n)
        return fail_set(
            fail, ERR_INVALID, "\"%.*s\" is not the id of a %s document", STR_ARG(typed),
            chamber == CHAMBER_HOUSE ? "House" : "Senate");
    bool dated = !str_is_null(filed) && day_parse(filed, &day);
    *ret = desk_paper(
        chamber, id, options_value(r->cmd->options, "url"),
        dated ? instant_from_new_york(day, 0) : INSTANT_NONE, &r->arena);
    return OK;
}

enum err cmd_review_new(struct review *r, struct fail *fail)
{
    struct str filer = options_value(r->cmd->options, "filer");
    struct desk_filer set;
    struct draft_new draft;
    TRY(read_new(r, &draft, fail));
    TRY(desk_new(&r->desk, &draft, filer, fail));
    enum err err =
        str_is_null(filer)
            ? OK
            : desk_set_filer(&r->desk, draft.filing_id, filer, STR_NULL, STR_NULL, &set, fail);
    TRY(explain_filer(r, filer, err, fail));
    out_begin(r->out, OUT_BLOCK);
    out_str(r->out, "filingId", draft.filing_id);
    out_end(r->out);
    return OK;
}

/* --- list and show */

static enum err fail_state(struct str name, struct fail *fail)
{
    char space[256];
    struct buf names = buf_over(space, sizeof space);
    for (int s = REPORT_NONE + 1; s < REPORT_STATE_COUNT; s++)
        if (report_state_is_of_draft((enum report_state)s)) {
            if (names.n)
                buf_text(&names, s == REPORT_STATE_COUNT - 1 ? " or " : ", ");
            buf_str(&names, report_state_name((enum report_state)s));
        }
    return fail_set(
        fail, ERR_INVALID, "invalid value \"%.*s\" for --state: expected %.*s", STR_ARG(name),
        STR_ARG(buf_view(&names)));
}

/* The drafts to list. */
struct draft_choice {
    bool clean; /* only clean ones that wait */
    draft_visit *visit;
    void *ctx;
};

static enum err visit_chosen(void *ctx, const struct draft *draft)
{
    const struct draft_choice *choice = ctx;
    bool waits = draft->state == DRAFT_WAITING || draft->state == DRAFT_IN_REVIEW;
    return choice->clean && !(draft->clean && waits) ? OK : choice->visit(choice->ctx, draft);
}

enum err cmd_review_list(struct store_read *read, struct fail *fail)
{
    struct str name = options_value(read->cmd->options, "state");
    enum report_state state = REPORT_NONE;
    if (!str_is_null(name) &&
        !(report_state_from_name(name, &state) && report_state_is_of_draft(state)))
        return fail_state(name, fail);
    bool page = out_is_page(read->out);
    struct review_list list = {.arena = &read->arena};
    struct draft_choice choice = {
        .clean = options_given(read->cmd->options, "clean"),
        .visit = page ? review_list_add : review_show_line,
        .ctx = page ? (void *)&list : (void *)read->out,
    };
    TRY(draft_each(read->db, state, visit_chosen, &choice, fail));
    if (page)
        review_list_print(&list, read->out, read->cmd->settings->base_url);
    return OK;
}

enum err cmd_review_show(struct store_read *read, struct fail *fail)
{
    struct desk_view view;
    TRY(desk_show(read->db, read->cmd->options->operands[0], &read->arena, &view, fail));
    TRY(suggested_companies(
        read->db, &view.draft, &view.rows, &read->arena, &view.companies, fail));
    return review_show(read->out, read->db, &view, fail);
}
