/* The desk of a command; see review_desk.h. */
#include "cmd/review/review_desk.h"

#include "base/clock.h"

enum err review_desk_open(struct cmd *cmd, struct desk *ret, struct fail *fail)
{
    *ret = (struct desk){
        .by = options_value(cmd->options, "by"),
        .now_ms = clock_wall_ms(),
        .second_reviewer = cmd->settings->second_reviewer,
        .batch_review = cmd->settings->batch_review,
        .double_entry = cmd->settings->double_entry,
    };
    return store_access_open(cmd, STORE_WRITE, &ret->db, fail);
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
    enum err err = OK;
    *ret = blind_row_none;
    for (size_t i = first; i < options->operand_count && !err; i++) {
        enum blind_field field;
        struct str value;
        err = review_split_field(options->operands[i], &field, &value, fail);
        if (!err)
            err = blind_set(ret, field, value, arena, fail);
    }
    return err;
}
