/* The desk of a command; see review_desk.h. */
#include "cmd/review/review_desk.h"

#include "base/clock.h"
#include "config/values.h"

enum err review_run(struct cmd *cmd, review_fn *fn, struct fail *fail)
{
    struct review r = {
        .cmd = cmd,
        .out = cmd->out,
        .operands = cmd->options->operands,
        .reason = options_find(cmd->options, "reason"),
        .desk =
            {
                .by = options_find(cmd->options, "by"),
                .now_ms = clock_wall_ms(),
                .second_reviewer = cmd->settings->second_reviewer,
                .batch_review = cmd->settings->batch_review,
                .double_entry = cmd->settings->double_entry,
            },
    };
    arena_init(&r.arena);
    enum err err = store_access_open(cmd, STORE_WRITE, &r.desk.db, fail);
    if (!err)
        err = fn(&r, fail);
    db_close(r.desk.db);
    arena_finish(&r.arena);
    return err;
}

enum err review_overrule_clock(struct review *r, struct fail *fail)
{
    TRY(store_access_overrule_clock(r->cmd, r->desk.db, fail));
    r->desk.now_ms = clock_wall_ms();
    return OK;
}

enum err review_read_number(
    struct str text, const char *name, int least, int *ret, struct fail *fail)
{
    int64_t number;
    if (!value_i64_between(text, least, 9999, &number))
        return fail_set(
            fail, ERR_INVALID, "invalid %s \"%.*s\": expected a number from %d to 9999", name,
            STR_ARG(text), least);
    *ret = (int)number;
    return OK;
}

void review_put_publish(struct review *r, const struct draft *draft)
{
    if (draft->shown == REPORT_ACCEPTED && out_is_page(r->out))
        out_line(
            r->out, "Next: stockact publish %.*s --by %.*s", STR_ARG(draft->is.filing_id),
            STR_ARG(r->desk.by));
}

enum err review_split_field(
    struct str operand, enum blind_field *ret, struct str *ret_value, struct fail *fail)
{
    struct str name, value = operand;
    str_split(&value, '=', &name);
    *ret_value = value;
    if (str_is_null(value) || !blind_field_from_name(name, ret))
        return fail_set(
            fail, ERR_INVALID,
            "invalid field \"%.*s\": expected FIELD=VALUE with assetName, ticker, side, "
            "amountBucket, tradeDate, notifiedDate or ownerType",
            STR_ARG(operand));
    return OK;
}

enum err review_read_blind(
    const struct options *options, size_t first, struct arena *arena, struct blind_row *ret,
    struct fail *fail)
{
    *ret = blind_row_none;
    for (size_t i = first; i < options->operand_count; i++) {
        enum blind_field field;
        struct str value;
        TRY(review_split_field(options->operands[i], &field, &value, fail));
        TRY(blind_set(ret, field, value, arena, fail));
    }
    return OK;
}
