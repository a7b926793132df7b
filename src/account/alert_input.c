/* Reads the texts; see alert_input.h. */
#include "account/alert_input.h"

#include "market/committee.h"
#include "market/conflict.h"
#include "market/industry.h"
#include "store/public/member.h"

struct input_call {
    struct db *db;
    struct arena *arena;
    struct alert_rule *rule;
    enum alert_pace *pace;
};

typedef enum err input_read(struct input_call *call, struct str text, struct fail *fail);

static enum err read_politician(struct input_call *call, struct str text, struct fail *fail)
{
    struct member member;
    call->rule->member_no = 0;
    if (!text.n)
        return OK;
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
    if (text.n && !n)
        return fail_set(fail, ERR_INVALID, "\"%.*s\" is not a symbol", STR_ARG(text));
    call->rule->ticker = n ? arena_str(call->arena, str_of(symbol, n)) : STR_NULL;
    return OK;
}

static enum err read_chamber(struct input_call *call, struct str text, struct fail *fail)
{
    call->rule->chamber = chamber_from_name(text);
    if (text.n && call->rule->chamber == CHAMBER_NONE)
        return fail_set(
            fail, ERR_INVALID, "\"%.*s\" is not a chamber: use house or senate", STR_ARG(text));
    return OK;
}

static enum err read_seat(struct input_call *call, struct str text, struct fail *fail)
{
    if (text.n && !committee_id_valid(text))
        return fail_set(
            fail, ERR_INVALID, "\"%.*s\" is not the id of a committee, such as HSAG",
            STR_ARG(text));
    call->rule->committee = text.n ? arena_str(call->arena, text) : STR_NULL;
    return OK;
}

static enum err read_sector(struct input_call *call, struct str text, struct fail *fail)
{
    int industry = industry_from_code(text);
    call->rule->industry = industry ? industry : industry_from_name(text);
    if (text.n && !call->rule->industry)
        return fail_set(
            fail, ERR_INVALID, "\"%.*s\" is not an industry, such as oil_gas", STR_ARG(text));
    return OK;
}

static enum err read_grade(struct input_call *call, struct str text, struct fail *fail)
{
    call->rule->grade = conflict_grade_from_name(text);
    if (text.n && !call->rule->grade)
        return fail_set(fail, ERR_INVALID, "\"%.*s\" is not A, B or C", STR_ARG(text));
    return OK;
}

static enum err read_minimum(struct input_call *call, struct str text, struct fail *fail)
{
    call->rule->minimum = bracket_from_key(text);
    if (text.n && call->rule->minimum == BRACKET_NONE)
        return fail_set(
            fail, ERR_INVALID, "\"%.*s\" is not a bracket, such as 50k_100k", STR_ARG(text));
    return OK;
}

static enum err read_pace(struct input_call *call, struct str text, struct fail *fail)
{
    *call->pace = alert_pace_from_name(text);
    if (text.n && *call->pace == ALERT_PACE_NONE)
        return fail_set(fail, ERR_INVALID, "\"%.*s\" is not now, daily or weekly", STR_ARG(text));
    return OK;
}

static const struct {
    const char *name;
    input_read *read;
} fields[] = {
    {"politician", read_politician}, {"ticker", read_ticker},
    {"chamber", read_chamber},       {"seat", read_seat},
    {"sector", read_sector},         {"grade", read_grade},
    {"minimum", read_minimum},       {"pace", read_pace},
};

enum err alert_input_read(
    const struct act *act, alert_text *text, const void *ctx, struct alert_rule *rule,
    enum alert_pace *pace, const char **ret_field)
{
    struct input_call call = {act->db, act->arena, rule, pace};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        struct str given = text(ctx, fields[i].name);
        *ret_field = fields[i].name;
        if (!str_is_null(given))
            TRY(fields[i].read(&call, str_trim(given), act->fail));
    }
    return OK;
}
