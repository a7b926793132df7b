/* Renews the doubts about dates; see row_doubts.h. */
#include "review/desk/row_doubts.h"

#include "base/json_in.h"
#include "base/json_out.h"
#include "rule/date_doubt.h"

enum { DOUBTS_SIZE_MAX = 64 * 1024 };

/* Whether what the row says now decides about the doubt, which is "CODE" or "CODE: DETAIL". A date
 * that cannot be read keeps its doubt until a person has typed one. */
static bool is_renewed(struct str doubt, const struct draft_row_stored *row)
{
    struct str code, rest = doubt;
    str_split(&rest, ':', &code);
    for (int d = 1; d < DATE_DOUBT_COUNT; d++) {
        enum date_doubt about = (enum date_doubt)d;
        int32_t day = date_doubt_is_of_notice(about) ? row->notified_date : row->values.trade_date;
        if (str_eq(code, date_doubt_name(about)))
            return !date_doubt_is_of_print(about) || day != DAY_NONE;
    }
    return false;
}

static void keep_others(struct json_out *to, const struct draft_row_stored *row)
{
    struct str doubts = row->doubts;
    struct json_in from;
    struct fail unused;
    if (json_in_open(&from, STR("doubts"), doubts, &unused) == OK)
        for (size_t i = 0; i < json_array_size(from.root); i++) {
            const json_t *text = json_array_get(from.root, i);
            if (!json_is_string(text))
                continue;
            struct str doubt = str_of(json_string_value(text), json_string_length(text));
            if (!is_renewed(doubt, row))
                json_str(to, doubt);
        }
    json_in_close(&from);
}

static void add_doubt(
    struct json_out *to, enum date_doubt about, const struct draft_row_stored *row,
    struct arena *arena)
{
    char day[DAY_TEXT_SIZE];
    day_print(date_doubt_is_of_notice(about) ? row->notified_date : row->values.trade_date, day);
    json_str(
        to, arena_fmt(arena, "%.*s: %.*s", STR_ARG(date_doubt_name(about)), (int)sizeof day, day));
}

struct str row_doubts_renew(
    const struct draft_row_stored *row, int32_t filed_day, struct arena *arena)
{
    BUF_SCOPED(b, DOUBTS_SIZE_MAX);
    struct json_out j;
    json_init(&j, &b);
    json_array_begin(&j);
    keep_others(&j, row);
    for (int d = 1; d < DATE_DOUBT_COUNT; d++)
        if (date_doubt_holds(
                (enum date_doubt)d, row->values.trade_date, row->notified_date, filed_day,
                !str_is_null(row->values.ticker)))
            add_doubt(&j, (enum date_doubt)d, row, arena);
    json_array_end(&j);
    return arena_str(arena, buf_view(&b));
}
