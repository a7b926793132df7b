/* Reads the texts; see alert_input.h. */
#include "account/alert_input.h"

#include "core/alert_words.h"
#include "core/committee.h"
#include "core/industry.h"
#include "store/member.h"

struct input_call {
    struct db *db;
    const struct alert_input *input;
    struct arena *arena;
    struct alert_rule *rule;
    enum alert_pace *pace;
};

typedef enum err input_read(struct input_call *call, struct str text, struct fail *fail);

static enum err read_politician(struct input_call *call, struct str text, struct fail *fail)
{
    struct member member;
    enum err err = member_find(call->db, text, call->arena, &member, fail);
    if (err == ERR_NOT_FOUND)
        err = member_find_name(call->db, text, call->arena, &member, fail);
    if (err == ERR_NOT_FOUND)
        return fail_set(
            fail, ERR_INVALID, "there is no member \"%.*s\": use a slug, an id or the whole name",
            STR_ARG(text));
    if (!err)
        call->rule->member_no = member.no;
    return err;
}

static enum err read_ticker(struct input_call *call, struct str text, struct fail *fail)
{
    char symbol[TICKER_SIZE_MAX];
    size_t n = ticker_normalize(text, symbol);
    if (!n)
        return fail_set(fail, ERR_INVALID, "\"%.*s\" is not a symbol", STR_ARG(text));
    call->rule->ticker = arena_str(call->arena, str_of(symbol, n));
    return OK;
}

static enum err read_chamber(struct input_call *call, struct str text, struct fail *fail)
{
    call->rule->chamber = chamber_from_name(text);
    if (call->rule->chamber == CHAMBER_NONE)
        return fail_set(
            fail, ERR_INVALID, "\"%.*s\" is not a chamber: use house or senate", STR_ARG(text));
    return OK;
}

static enum err read_committee(struct input_call *call, struct str text, struct fail *fail)
{
    if (!committee_id_valid(text))
        return fail_set(
            fail, ERR_INVALID, "\"%.*s\" is not the id of a committee, such as HSAG",
            STR_ARG(text));
    call->rule->committee = arena_str(call->arena, text);
    return OK;
}

static enum err read_industry(struct input_call *call, struct str text, struct fail *fail)
{
    int industry = industry_from_code(text);
    call->rule->industry = industry ? industry : industry_from_name(text);
    if (!call->rule->industry)
        return fail_set(
            fail, ERR_INVALID, "\"%.*s\" is not an industry, such as oil_gas", STR_ARG(text));
    return OK;
}

static enum err read_minimum(struct input_call *call, struct str text, struct fail *fail)
{
    call->rule->minimum = bracket_from_key(text);
    if (call->rule->minimum == BRACKET_NONE)
        return fail_set(
            fail, ERR_INVALID, "\"%.*s\" is not a bracket, such as 50k_100k", STR_ARG(text));
    return OK;
}

static enum err read_pace(struct input_call *call, struct str text, struct fail *fail)
{
    *call->pace = alert_pace_from_name(text);
    if (*call->pace == ALERT_PACE_NONE)
        return fail_set(fail, ERR_INVALID, "\"%.*s\" is not now, daily or weekly", STR_ARG(text));
    return OK;
}

enum err alert_input_read(
    struct db *db, const struct alert_input *input, struct arena *arena, struct alert_rule *ret,
    enum alert_pace *ret_pace, const char **ret_field, struct fail *fail)
{
    const struct {
        const char *field;
        struct str text;
        input_read *read;
    } fields[] = {
        {"politician", input->politician, read_politician},
        {"ticker", input->ticker, read_ticker},
        {"chamber", input->chamber, read_chamber},
        {"committee", input->committee, read_committee},
        {"industry", input->industry, read_industry},
        {"minimum", input->minimum, read_minimum},
        {"pace", input->pace, read_pace},
    };
    struct input_call call = {db, input, arena, ret, ret_pace};
    *ret = (struct alert_rule){.flagged = input->flagged};
    *ret_pace = ALERT_PACE_NONE;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        struct str text = str_is_null(fields[i].text) ? STR("") : str_trim(fields[i].text);
        *ret_field = fields[i].field;
        enum err err = text.n ? fields[i].read(&call, text, fail) : OK;
        if (err)
            return err;
    }
    return OK;
}
