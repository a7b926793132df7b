/* `stockact review sample...`: published rows that were drawn at random, to be typed again
 * (review/desk/sample_desk.h). */
#include "review/desk/sample_desk.h"

#include "cmd/review/review_desk.h"
#include "config/values.h"
#include "review/desk/sample_plan.h"

enum { LIST_MAX = 500 };

static enum err read_number(const struct cmd *cmd, int64_t *ret, struct fail *fail)
{
    struct str text = cmd->options->operands[0];
    return value_i64_between(text, 1, INT64_MAX, ret)
               ? OK
               : fail_set(
                     fail, ERR_INVALID,
                     "invalid ROW \"%.*s\": expected a row number from `review sample`",
                     STR_ARG(text));
}

/* --- list and show */

static void put_state(struct out *out, const struct sample_row *row)
{
    out_str(out, "state", sample_state_name(row->state));
    out_str(out, "enteredBy", row->entered_by);
    out_str(out, "judgedBy", row->judged_by);
}

static enum err list_rows(struct store_read *read, bool waiting, struct fail *fail)
{
    struct sample_list list = {.count = 0};
    TRY(sample_list(read->db, waiting, LIST_MAX, &read->arena, &list, fail));
    for (size_t i = 0; i < list.count; i++) {
        const struct sample_row *row = &list.items[i];
        out_begin(read->out, OUT_TABLE);
        out_i64(read->out, "row", row->no);
        out_str(read->out, "tradeId", row->trade_id);
        out_str(read->out, "chamber", chamber_name(row->chamber));
        out_str(read->out, "kind", sample_kind_name(row->kind));
        out_instant(read->out, "drawnAt", row->drawn_at);
        put_state(read->out, row);
        out_end(read->out);
    }
    return OK;
}

static struct str text_of(const struct blind_row *row, enum blind_field field, struct arena *arena)
{
    char space[ROW_FIELD_TEXT_MAX];
    return arena_str(arena, blind_text(row, field, space));
}

/* Prints nothing of the published row before it was typed. */
static void show_fields(struct store_read *read, const struct sample_view *view)
{
    for (int f = 0; f < BLIND_FIELD_COUNT; f++) {
        enum blind_field field = (enum blind_field)f;
        out_begin(read->out, OUT_TABLE);
        out_str(read->out, "field", blind_field_name(field));
        out_str(read->out, "published", text_of(&view->published, field, &read->arena));
        out_str(read->out, "typed", text_of(&view->entered, field, &read->arena));
        out_bool(read->out, "differs", view->differs[f]);
        out_str(read->out, "verdict", sample_verdict_name(view->verdicts[f]));
        out_end(read->out);
    }
}

static enum err show_row(struct store_read *read, struct fail *fail)
{
    struct sample_view *view = ARENA_NEW(&read->arena, struct sample_view);
    const struct desk desk = {.db = read->db, .by = STR(""), .now_ms = read->now_ms};
    int64_t no;
    TRY(read_number(read->cmd, &no, fail));
    TRY(sample_show(&desk, no, &read->arena, view, fail));
    out_begin(read->out, OUT_BLOCK);
    out_i64(read->out, "row", no);
    out_str(read->out, "filingId", view->filing_id);
    out_i64(read->out, "number", view->number);
    out_i64(read->out, "page", view->page);
    out_str(read->out, "url", view->url);
    put_state(read->out, &view->row);
    out_str(read->out, "reason", view->row.reason);
    out_bool(read->out, "withdrawn", view->withdrawn);
    out_end(read->out);
    if (view->row.entered_at != INSTANT_NONE)
        show_fields(read, view);
    return OK;
}

enum err cmd_review_sample(struct store_read *read, struct fail *fail)
{
    const struct options *o = read->cmd->options;
    if (o->operand_count > 1)
        return fail_set(fail, ERR_INVALID, "name one row, or none for the list");
    return o->operand_count ? show_row(read, fail)
                            : list_rows(read, !options_given(o, "ended"), fail);
}

/* --- actions */

static enum err show_state(struct review *r, int64_t no, enum sample_state state)
{
    out_begin(r->out, OUT_BLOCK);
    out_i64(r->out, "row", no);
    out_str(r->out, "state", sample_state_name(state));
    out_end(r->out);
    if (state == SAMPLE_DIFFERS && out_is_page(r->out))
        out_line(
            r->out, "Next: stockact review sample %lld, then review sample-decide", (long long)no);
    return OK;
}

enum err cmd_review_sample_type(struct review *r, struct fail *fail)
{
    struct blind_row typed;
    enum sample_state state = SAMPLE_OPEN;
    int64_t no;
    TRY(read_number(r->cmd, &no, fail));
    TRY(review_read_blind(r->cmd->options, 1, &r->arena, &typed, fail));
    TRY(sample_type(&r->desk, no, &typed, &state, fail));
    return show_state(r, no, state);
}

enum err cmd_review_sample_decide(struct review *r, struct fail *fail)
{
    enum sample_verdict verdicts[BLIND_FIELD_COUNT] = {SAMPLE_UNDECIDED};
    enum sample_state state = SAMPLE_OPEN;
    int64_t no;
    TRY(read_number(r->cmd, &no, fail));
    for (size_t i = 1; i < r->cmd->options->operand_count; i++) {
        enum blind_field field;
        struct str value;
        TRY(review_split_field(r->operands[i], &field, &value, fail));
        if (!sample_verdict_from_name(value, &verdicts[field]))
            return fail_set(
                fail, ERR_INVALID,
                "invalid verdict \"%.*s\": expected published or entry (the one that is wrong), or "
                "unreadable",
                STR_ARG(value));
    }
    TRY(sample_decide(&r->desk, no, verdicts, &state, fail));
    return show_state(r, no, state);
}

enum err cmd_review_sample_skip(struct review *r, struct fail *fail)
{
    int64_t no;
    TRY(read_number(r->cmd, &no, fail));
    TRY(sample_pass(&r->desk, no, r->reason, fail));
    return show_state(r, no, SAMPLE_SKIPPED);
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

enum err cmd_review_sample_documents(struct store_read *read, struct fail *fail)
{
    struct sample_document_list list = {.count = 0};
    TRY(sample_document_list(read->db, 0, LIST_MAX, read->now_ms, &read->arena, &list, fail));
    for (size_t i = 0; i < list.count; i++)
        put_document(read->out, &list.items[i], true);
    return OK;
}

enum err cmd_review_sample_count(struct review *r, struct fail *fail)
{
    struct str skip = options_value(r->cmd->options, "skip");
    struct sample_document d;
    enum sample_state state;
    int64_t no, rows = -1;
    TRY(read_number(r->cmd, &no, fail));
    if (r->cmd->options->operand_count != (str_is_null(skip) ? 2 : 1))
        return fail_set(fail, ERR_INVALID, "give a document, and its number of rows or --skip");
    if (str_is_null(skip) && !value_i64_between(r->operands[1], 0, 1000000, &rows))
        return fail_set(
            fail, ERR_INVALID, "invalid ROWS \"%.*s\": expected a number", STR_ARG(r->operands[1]));
    TRY(sample_count_rows(&r->desk, no, rows, skip, &state, fail));
    TRY(sample_document_find(r->desk.db, no, r->desk.now_ms, &r->arena, &d, fail));
    put_document(r->out, &d, false);
    return OK;
}

/* --- draw */

enum err cmd_review_sample_draw(struct review *r, struct fail *fail)
{
    struct db *db = r->desk.db;
    int64_t rows = r->cmd->settings->sample_rows, now_ms = r->desk.now_ms;
    uint8_t seed[SHA256_SIZE];
    struct sample_plan plan;
    struct sample_plan_result result = {0};
    random_bytes(seed, sizeof seed);
    if (!rows)
        return fail_set(fail, ERR_REFUSED, "STOCKACT_SAMPLE_ROWS is 0: no sample is drawn");
    TRY(sample_plan_make(db, rows, seed, now_ms, &r->arena, &plan, fail));
    TRY(db_begin(db, fail));
    TRY(db_end(db, sample_plan_store(db, &plan, now_ms, &result, fail), fail));
    out_begin(r->out, OUT_BLOCK);
    out_i64(r->out, "drawn", result.drawn);
    out_i64(r->out, "documents", result.documents);
    out_i64(r->out, "expired", result.expired);
    out_end(r->out);
    return OK;
}
