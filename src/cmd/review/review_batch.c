/* Batches on the command line; see review_batch.h. */
#include "cmd/review/review_batch.h"

#include "cmd/operate/store_access.h"
#include "cmd/review/review_desk.h"
#include "cmd/term/progress.h"
#include "config/values.h"
#include "review/desk/batch.h"

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

static void put_batch(struct cmd *cmd, const struct batch *b, enum out_style style)
{
    struct out *out = cmd->out;
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

static void put_drafts(struct cmd *cmd, const struct batch_draft_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct batch_draft *d = &list->items[i];
        out_begin(cmd->out, OUT_TABLE);
        out_str(cmd->out, "filingId", d->filing_id);
        out_str(cmd->out, "member", d->name);
        out_count(cmd->out, "rows", d->rows);
        out_bool(cmd->out, "drawn", d->drawn);
        out_state(cmd->out, "outcome", batch_outcome_name(d->outcome), mood_of_outcome(d->outcome));
        out_str(cmd->out, "by", d->by);
        out_str(cmd->out, "reason", d->reason);
        out_end(cmd->out);
    }
}

/* What to do next, on a terminal. */
static void put_next(struct cmd *cmd, const struct batch *b)
{
    long long no = (long long)b->no;
    if (!out_is_page(cmd->out))
        return;
    if (b->state == BATCH_OPEN && b->unseen)
        out_line(
            cmd->out,
            "Next: compare each waiting filing with its document (stockact review show ID), then\n"
            "  stockact review look %lld ID --right --by EMAIL\n"
            "  stockact review look %lld ID --fault --reason TEXT --by EMAIL",
            no, no);
    else if (b->state == BATCH_OPEN || b->state == BATCH_ACCEPTING)
        out_line(cmd->out, "Next: stockact review accept --batch %lld --by EMAIL", no);
    else if (b->state == BATCH_ACCEPTED)
        out_line(cmd->out, "Next: stockact publish --all-accepted --by EMAIL");
}

static enum err show(struct cmd *cmd, struct db *db, int64_t no, struct fail *fail)
{
    struct batch b;
    struct batch_draft_list drawn = {.count = 0}, left = {.count = 0};
    ARENA_SCOPED(arena);
    enum err err = batch_find(db, no, &arena, &b, fail);
    if (!err)
        err = batch_drafts(db, no, BATCH_DRAWN, SHOWN_MAX, &arena, &drawn, fail);
    if (!err)
        err = batch_drafts(db, no, BATCH_LEFT, SHOWN_MAX, &arena, &left, fail);
    if (!err) {
        size_t undrawn = 0;
        put_batch(cmd, &b, OUT_BLOCK);
        put_drafts(cmd, &drawn);
        for (size_t i = 0; i < left.count; i++)
            if (!left.items[i].drawn)
                left.items[undrawn++] = left.items[i];
        left.count = undrawn;
        put_drafts(cmd, &left);
        put_next(cmd, &b);
    }
    return err;
}

static enum err list(struct cmd *cmd, struct db *db, struct fail *fail)
{
    struct batch_list batches;
    ARENA_SCOPED(arena);
    enum err err = batch_newest(db, LISTED_MAX, &arena, &batches, fail);
    for (size_t i = 0; i < batches.count && !err; i++)
        put_batch(cmd, &batches.items[i], OUT_TABLE);
    out_if_empty(cmd->out, "There is no batch yet.");
    return err;
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

enum err cmd_review_batch(struct cmd *cmd, struct fail *fail)
{
    const struct options *o = cmd->options;
    DB_SCOPED(db);
    int64_t no = 0;
    TRY(o->operand_count > 1 ? fail_set(fail, ERR_INVALID, "name one batch, or none for all")
        : o->operand_count   ? read_batch_number(o->operands[0], &no, fail)
                             : OK);
    TRY(store_access_open(cmd, STORE_READ, &db, fail));
    return no ? show(cmd, db, no, fail) : list(cmd, db, fail);
}

enum err review_batch_start(struct cmd *cmd, struct fail *fail)
{
    const struct options *o = cmd->options;
    struct str size_text = options_value(o, "size");
    struct desk desk = {.db = NULL};
    struct batch_choices choices;
    ARENA_SCOPED(arena);
    int64_t sample = 0, size = BATCH_SIZE_USUAL, no = 0;
    if (o->operand_count || options_given(o, "batch") || !options_given(o, "sample"))
        return fail_set(
            fail, ERR_INVALID, "--clean takes no filing, and needs --sample: how many to draw");
    enum err err =
        read_number(options_value(o, "sample"), "--sample", BATCH_SAMPLE_MAX, &sample, fail);
    if (!err && !str_is_null(size_text))
        err = read_number(size_text, "--size", BATCH_SIZE_MAX, &size, fail);
    if (!err)
        err = review_desk_open(cmd, &desk, fail);
    if (!err) {
        struct progress *progress = progress_start(cmd->out, &reading);
        struct progress_hook hook = progress_hook_of(progress);
        err = batch_choose(&desk, size, &hook, &arena, &choices, fail);
        progress_stop(progress);
    }
    if (!err)
        err = batch_start(&desk, &choices, sample, &no, fail);
    if (!err)
        err = show(cmd, desk.db, no, fail);
    db_close(desk.db);
    return err;
}

enum err review_batch_accept(struct cmd *cmd, struct fail *fail)
{
    const struct options *o = cmd->options;
    struct desk desk = {.db = NULL};
    struct batch b;
    ARENA_SCOPED(arena);
    int64_t no = 0;
    if (o->operand_count)
        return fail_set(fail, ERR_INVALID, "--batch takes no filing");
    TRY(read_batch_number(options_value(o, "batch"), &no, fail));
    TRY(review_desk_open(cmd, &desk, fail));
    struct progress *progress = progress_start(cmd->out, &accepting);
    struct progress_hook hook = progress_hook_of(progress);
    enum err err = batch_accept(&desk, no, BATCH_SIZE_MAX, &hook, &b, &arena, fail);
    progress_stop(progress);
    if (!err)
        err = show(cmd, desk.db, no, fail);
    db_close(desk.db);
    return err;
}

enum err cmd_review_look(struct cmd *cmd, struct fail *fail)
{
    const struct options *o = cmd->options;
    bool fault = options_given(o, "fault");
    struct desk desk = {.db = NULL};
    int64_t no = 0;
    enum err err = read_batch_number(o->operands[0], &no, fail);
    if (!err && (fault == options_given(o, "right") || o->operand_count < 2))
        err = fail_set(fail, ERR_INVALID, "name a filing, and say --right or --fault");
    if (!err)
        err = review_desk_open(cmd, &desk, fail);
    for (size_t i = 1; i < o->operand_count && !err; i++) {
        enum batch_outcome outcome;
        const struct batch_finding finding = {
            .filing_id = o->operands[i], .fault = fault, .reason = options_value(o, "reason")};
        err = batch_look(&desk, no, &finding, &outcome, fail);
    }
    if (!err)
        err = show(cmd, desk.db, no, fail);
    db_close(desk.db);
    return err;
}

enum err cmd_review_return(struct cmd *cmd, struct fail *fail)
{
    struct desk desk = {.db = NULL};
    int64_t no = 0;
    enum err err = read_batch_number(cmd->options->operands[0], &no, fail);
    if (!err)
        err = review_desk_open(cmd, &desk, fail);
    if (!err)
        err = batch_return(&desk, no, options_value(cmd->options, "reason"), fail);
    if (!err)
        err = show(cmd, desk.db, no, fail);
    db_close(desk.db);
    return err;
}
