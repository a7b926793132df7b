/* `stockact review sample...`: published rows that were drawn at random, to be typed again
 * (review/desk/sample_desk.h). */
#include "review/desk/sample_desk.h"

#include "base/clock.h"
#include "cmd/review/review_desk.h"
#include "config/values.h"
#include "review/desk/sample_plan.h"

enum { LIST_MAX = 500 };

static enum err read_number(struct cmd *cmd, int64_t *ret, struct fail *fail)
{
    struct str text = cmd->options->operands[0];
    if (!value_i64_between(text, 1, INT64_MAX, ret))
        return fail_set(
            fail, ERR_INVALID, "invalid ROW \"%.*s\": expected a row number from `review sample`",
            STR_ARG(text));
    return OK;
}

/* --- list and show */

static void put_state(struct out *out, const struct sample_row *row)
{
    out_str(out, "state", sample_state_name(row->state));
    out_str(out, "enteredBy", row->entered_by);
    out_str(out, "judgedBy", row->judged_by);
}

static enum err list_rows(
    struct cmd *cmd, struct db *db, bool waiting, struct arena *arena, struct fail *fail)
{
    struct sample_list list = {.count = 0};
    enum err err = sample_list(db, waiting, LIST_MAX, arena, &list, fail);
    for (size_t i = 0; i < list.count && !err; i++) {
        const struct sample_row *row = &list.items[i];
        out_begin(cmd->out, OUT_TABLE);
        out_i64(cmd->out, "row", row->no);
        out_str(cmd->out, "tradeId", row->trade_id);
        out_str(cmd->out, "chamber", chamber_name(row->chamber));
        out_str(cmd->out, "kind", sample_kind_name(row->kind));
        out_instant(cmd->out, "drawnAt", row->drawn_at);
        put_state(cmd->out, row);
        out_end(cmd->out);
    }
    return err;
}

static struct str text_of(const struct blind_row *row, enum blind_field field, struct arena *arena)
{
    char space[ROW_FIELD_TEXT_MAX];
    return arena_str(arena, blind_text(row, field, space));
}

/* Prints nothing of the published row before it was typed. */
static void show_fields(struct cmd *cmd, const struct sample_view *view, struct arena *arena)
{
    for (int f = 0; f < BLIND_FIELD_COUNT; f++) {
        enum blind_field field = (enum blind_field)f;
        out_begin(cmd->out, OUT_TABLE);
        out_str(cmd->out, "field", blind_field_name(field));
        out_str(cmd->out, "published", text_of(&view->published, field, arena));
        out_str(cmd->out, "typed", text_of(&view->entered, field, arena));
        out_bool(cmd->out, "differs", view->differs[f]);
        out_str(cmd->out, "verdict", sample_verdict_name(view->verdicts[f]));
        out_end(cmd->out);
    }
}

static enum err show_row(struct cmd *cmd, struct db *db, struct arena *arena, struct fail *fail)
{
    struct sample_view *view = ARENA_NEW(arena, struct sample_view);
    const struct desk desk = {.db = db, .by = STR(""), .now_ms = clock_wall_ms()};
    int64_t no = 0;
    TRY(read_number(cmd, &no, fail));
    TRY(sample_show(&desk, no, arena, view, fail));
    out_begin(cmd->out, OUT_BLOCK);
    out_i64(cmd->out, "row", no);
    out_str(cmd->out, "filingId", view->filing_id);
    out_i64(cmd->out, "number", view->number);
    out_i64(cmd->out, "page", view->page);
    out_str(cmd->out, "url", view->url);
    put_state(cmd->out, &view->row);
    out_str(cmd->out, "reason", view->row.reason);
    out_bool(cmd->out, "withdrawn", view->withdrawn);
    out_end(cmd->out);
    if (view->row.entered_at != INSTANT_NONE)
        show_fields(cmd, view, arena);
    return OK;
}

enum err cmd_review_sample(struct cmd *cmd, struct fail *fail)
{
    DB_SCOPED(db);
    ARENA_SCOPED(arena);
    bool ended = options_given(cmd->options, "ended");
    if (cmd->options->operand_count > 1)
        return fail_set(fail, ERR_INVALID, "name one row, or none for the list");
    TRY(store_access_open(cmd, STORE_READ, &db, fail));
    return cmd->options->operand_count ? show_row(cmd, db, &arena, fail)
                                       : list_rows(cmd, db, !ended, &arena, fail);
}

/* --- actions */

struct sample_command {
    struct cmd *cmd;
    struct desk desk;
    int64_t no;
    struct arena arena;
};

static enum err open_sample(struct cmd *cmd, struct sample_command *ret, struct fail *fail)
{
    *ret = (struct sample_command){
        .cmd = cmd,
        .desk = {.by = options_value(cmd->options, "by"), .now_ms = clock_wall_ms()},
    };
    arena_init(&ret->arena);
    TRY(read_number(cmd, &ret->no, fail));
    return store_access_open(cmd, STORE_WRITE, &ret->desk.db, fail);
}

static enum err close_sample(
    struct sample_command *s, enum err err, enum sample_state state, struct fail *fail)
{
    struct out *out = s->cmd->out;
    if (!err) {
        out_begin(out, OUT_BLOCK);
        out_i64(out, "row", s->no);
        out_str(out, "state", sample_state_name(state));
        out_end(out);
    }
    if (!err && state == SAMPLE_DIFFERS && out_is_page(out))
        out_line(
            out, "Next: stockact review sample %lld, then review sample-decide", (long long)s->no);
    db_close(s->desk.db);
    arena_finish(&s->arena);
    return err;
}

enum err cmd_review_sample_type(struct cmd *cmd, struct fail *fail)
{
    struct blind_row typed;
    enum sample_state state = SAMPLE_OPEN;
    struct sample_command s;
    enum err err = open_sample(cmd, &s, fail);
    if (!err)
        err = review_read_blind(cmd->options, 1, &s.arena, &typed, fail);
    if (!err)
        err = sample_type(&s.desk, s.no, &typed, &state, fail);
    return close_sample(&s, err, state, fail);
}

enum err cmd_review_sample_decide(struct cmd *cmd, struct fail *fail)
{
    const struct options *o = cmd->options;
    enum sample_verdict verdicts[BLIND_FIELD_COUNT] = {SAMPLE_UNDECIDED};
    enum sample_state state = SAMPLE_OPEN;
    struct sample_command s;
    enum err err = open_sample(cmd, &s, fail);
    for (size_t i = 1; i < o->operand_count && !err; i++) {
        enum blind_field field;
        struct str value;
        err = review_split_field(o->operands[i], &field, &value, fail);
        if (!err && !sample_verdict_from_name(value, &verdicts[field]))
            err = fail_set(
                fail, ERR_INVALID,
                "invalid verdict \"%.*s\": expected published or entry (the one that is wrong), "
                "or unreadable",
                STR_ARG(value));
    }
    if (!err)
        err = sample_decide(&s.desk, s.no, verdicts, &state, fail);
    return close_sample(&s, err, state, fail);
}

enum err cmd_review_sample_skip(struct cmd *cmd, struct fail *fail)
{
    struct sample_command s;
    enum err err = open_sample(cmd, &s, fail);
    if (!err)
        err = sample_pass(&s.desk, s.no, options_value(cmd->options, "reason"), fail);
    return close_sample(&s, err, SAMPLE_SKIPPED, fail);
}

/* --- documents */

static void put_document(struct out *out, const struct sample_document *d, bool table)
{
    bool seen = d->counted >= 0 || d->ended >= 0;
    out_begin(out, table ? OUT_TABLE : OUT_BLOCK);
    out_i64(out, "document", d->no);
    out_str(out, "filingId", d->filing_id);
    out_str(out, "url", d->url);
    out_str(out, "kind", sample_kind_name(d->kind));
    out_instant(out, "drawnAt", d->drawn_at);
    out_str(out, "state", sample_state_name(d->state));
    out_i64_unless(out, "counted", d->ended >= 0 ? d->ended : d->counted, -1);
    out_i64_unless(out, "known", seen ? d->known : -1, -1);
    out_str(out, "by", d->by);
    out_str(out, "reason", d->reason);
    out_end(out);
}

enum err cmd_review_sample_documents(struct cmd *cmd, struct fail *fail)
{
    DB_SCOPED(db);
    ARENA_SCOPED(arena);
    struct sample_document_list list = {.count = 0};
    enum err err = store_access_open(cmd, STORE_READ, &db, fail);
    if (!err)
        err = sample_document_list(db, 0, LIST_MAX, clock_wall_ms(), &arena, &list, fail);
    for (size_t i = 0; i < list.count && !err; i++)
        put_document(cmd->out, &list.items[i], true);
    return err;
}

enum err cmd_review_sample_count(struct cmd *cmd, struct fail *fail)
{
    const struct options *o = cmd->options;
    struct str skip = options_value(o, "skip");
    struct sample_document d;
    struct sample_command s;
    enum sample_state state;
    int64_t rows = -1;
    enum err err = open_sample(cmd, &s, fail);
    if (!err && o->operand_count != (str_is_null(skip) ? 2 : 1))
        err = fail_set(fail, ERR_INVALID, "give a document, and its number of rows or --skip");
    if (!err && str_is_null(skip) && !value_i64_between(o->operands[1], 0, 1000000, &rows))
        err = fail_set(
            fail, ERR_INVALID, "invalid ROWS \"%.*s\": expected a number", STR_ARG(o->operands[1]));
    if (!err)
        err = sample_count_rows(&s.desk, s.no, rows, skip, &state, fail);
    if (!err)
        err = sample_document_find(s.desk.db, s.no, s.desk.now_ms, &s.arena, &d, fail);
    if (!err)
        put_document(cmd->out, &d, false);
    db_close(s.desk.db);
    arena_finish(&s.arena);
    return err;
}

/* --- draw */

static enum err draw(
    struct cmd *cmd, struct db *db, struct arena *arena, struct sample_plan_result *ret,
    struct fail *fail)
{
    int64_t rows = cmd->settings->sample_rows, now_ms = clock_wall_ms();
    uint8_t seed[SHA256_SIZE];
    struct sample_plan plan;
    random_bytes(seed, sizeof seed);
    if (!rows)
        return fail_set(fail, ERR_REFUSED, "STOCKACT_SAMPLE_ROWS is 0: no sample is drawn");
    TRY(sample_plan_make(db, rows, seed, now_ms, arena, &plan, fail));
    TRY(db_begin(db, fail));
    return db_end(db, sample_plan_store(db, &plan, now_ms, ret, fail), fail);
}

enum err cmd_review_sample_draw(struct cmd *cmd, struct fail *fail)
{
    DB_SCOPED(db);
    ARENA_SCOPED(arena);
    struct sample_plan_result result = {0};
    enum err err = store_access_open(cmd, STORE_WRITE, &db, fail);
    if (!err)
        err = draw(cmd, db, &arena, &result, fail);
    if (!err) {
        out_begin(cmd->out, OUT_BLOCK);
        out_i64(cmd->out, "drawn", result.drawn);
        out_i64(cmd->out, "documents", result.documents);
        out_i64(cmd->out, "expired", result.expired);
        out_end(cmd->out);
    }
    return err;
}
