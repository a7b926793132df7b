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
