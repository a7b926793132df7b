/* Changing a draft; see desk.h. */
#include "base/hidden.h"
#include "paper/cell/printed.h"
#include "review/desk/desk_parts.h"
#include "review/desk/suggested_symbol.h"
#include "review/reason.h"
#include "rule/date_doubt.h"
#include "store/desk/draft_row.h"

/* The doubts about the dates of a row, after a person changed one of them. */

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
    SCOPED(json_in_close) struct json_in from;
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

/* The row's doubts (a JSON array) without those about its dates, and with those that hold now, as a
 * reader of the page states them (paper/read_row.c). A printed date that cannot be read is doubted
 * until the row has a date. `filed_day`: DAY_NONE if it is not known. In
 * the arena. */
static struct str row_doubts_renew(
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

enum { URL_SIZE_MAX = 2000 };

/* A change, as text before and after. */
struct edit {
    int row;
    struct str field, value, reason;
    struct str old;
};

static enum err note_edit(struct desk_act *a, const struct edit *e, struct fail *fail)
{
    const struct draft_event event = {
        .action = STR("set"),
        .row = e->row,
        .field = e->field,
        .old = e->old,
        .new = e->value,
        .reason = e->reason,
    };
    return desk_note(a, event, fail);
}

/* --- the filing */

/* Decision 29: a published URL never changes. */
static enum err refuse_public(struct desk_act *a, struct fail *fail)
{
    struct filing_row filing;
    bool there = false;
    enum err err = desk_filing(a, &filing, &there, fail);
    if (err || !there)
        return err;
    return fail_set(
        fail, ERR_REFUSED, "%.*s has been published: its URL cannot change",
        STR_ARG(a->draft.is.filing_id));
}

enum err desk_check_url(struct str url, struct fail *fail)
{
    bool sound = hidden_free_line(url) && str_find_char(url, ' ') < 0 && url.n <= URL_SIZE_MAX &&
                 str_starts(url, STR("https://"));
    return sound ? OK : fail_set(fail, ERR_INVALID, "url: accepted values: an https URL");
}

static enum err set_filing(struct desk_act *a, struct edit *e, struct fail *fail)
{
    struct draft_new *is = &a->draft.is;
    if (str_eq(e->field, STR("url"))) {
        TRY(refuse_public(a, fail));
        TRY(desk_check_url(e->value, fail));
        e->old = is->url;
        is->url = e->value;
        return OK;
    }
    if (!str_eq(e->field, STR("filed")))
        return fail_set(
            fail, ERR_INVALID, "\"%.*s\" is not a field of a filing; accepted values: filed, url",
            STR_ARG(e->field));
    int32_t day;
    char space[INSTANT_TEXT_SIZE];
    if (is->filed_at != INSTANT_NONE) {
        instant_print(is->filed_at, space);
        e->old = arena_str(&a->arena, str_of(space, sizeof space));
    }
    if (day_parse(e->value, &day))
        is->filed_at = instant_from_new_york(day, 0);
    else if (!printed_filed(e->value, &is->filed_at))
        return fail_set(
            fail, ERR_INVALID,
            "filed: accepted values: a date as yyyy-mm-dd, or as on the page: \"01/29/2014 @ 6:23 "
            "PM\"");
    return OK;
}

static int32_t filed_day(const struct desk_act *a)
{
    int64_t filed_at = a->draft.is.filed_at;
    return filed_at == INSTANT_NONE ? DAY_NONE : instant_day_new_york(filed_at);
}

/* --- a row */

static const struct str notified_name = STR_INIT("notifiedDate");

static enum err set_notified(
    struct desk_act *a, struct draft_row_stored *row, struct edit *e, struct fail *fail)
{
    if (row->notified_date != DAY_NONE)
        e->old = day_str(&a->arena, row->notified_date);
    if (str_trim(e->value).n == 0)
        row->notified_date = DAY_NONE;
    else if (!day_parse(e->value, &row->notified_date))
        return fail_set(
            fail, ERR_INVALID, "notifiedDate: accepted values: a date as yyyy-mm-dd, or empty");
    return OK;
}

static const struct str gains_name = STR_INIT("capGainsOver200");

static enum err set_cap_gains(struct draft_row_stored *row, struct edit *e, struct fail *fail)
{
    struct str value = str_trim(e->value);
    e->old = cap_gains_name(row->cap_gains);
    row->cap_gains = cap_gains_from_name(value);
    if (value.n && row->cap_gains == CAP_GAINS_NONE)
        return fail_set(
            fail, ERR_INVALID, "capGainsOver200: accepted values: true, false, or empty");
    return OK;
}

/* The symbol of a row whose document prints none, and whose day has a company of that symbol. */
static enum err set_company(
    struct desk_act *a, struct draft_row_stored *row, struct edit *e, struct fail *fail)
{
    char space[TICKER_SIZE_MAX];
    struct company company;
    struct str value = str_trim(e->value);
    int32_t day = row->values.trade_date == DAY_NONE ? filed_day(a) : row->values.trade_date;
    e->old = row->company;
    e->value = row->company = STR_NULL;
    if (!value.n)
        return OK;
    struct str symbol = str_of(space, ticker_normalize(value, space));
    if (!str_is_null(row->values.ticker))
        return fail_set(
            fail, ERR_INVALID, "company: the row has a symbol, and needs no confirmed company");
    enum err err = ERR_NOT_FOUND;
    if (symbol.n && day != DAY_NONE)
        err = suggested_company_on(a->desk->db, symbol, day, &a->arena, &company, fail);
    if (err)
        return err != ERR_NOT_FOUND ? err
                                    : fail_set(
                                          fail, ERR_INVALID,
                                          "company: accepted values: a symbol that a company had "
                                          "on the day of the trade by the lists, or empty");
    e->value = row->company = company.symbol;
    return OK;
}

static enum err set_status(struct draft_row_stored *row, struct edit *e, struct fail *fail)
{
    e->old = draft_row_status_name(row->status);
    for (int s = 0; s < DRAFT_ROW_STATUS_COUNT; s++)
        if (str_eq(e->value, draft_row_status_name((enum draft_row_status)s))) {
            row->status = (enum draft_row_status)s;
            return OK;
        }
    return fail_set(fail, ERR_INVALID, "status: accepted values: new, amended, deleted");
}

static enum err set_value(
    struct desk_act *a, struct draft_row_stored *row, struct edit *e, struct fail *fail)
{
    enum row_field field;
    char space[ROW_FIELD_TEXT_MAX];
    struct row_values v = row->values;
    if (!row_field_from_name(e->field, &field))
        return fail_set(
            fail, ERR_INVALID,
            "\"%.*s\" is not a field of a row; accepted values: ticker, assetName, assetType, "
            "side, amountBucket, tradeDate, ownerType, details, notifiedDate, capGainsOver200, "
            "company, status, trade",
            STR_ARG(e->field));
    e->field = row_field_name(field);
    e->old = arena_str(&a->arena, row_field_text(&v, field, space));
    enum err err =
        row_field_set(&v, field, e->value, arena_alloc(&a->arena, ROW_FIELD_SPACE), fail);
    row->values = v;
    if (!err)
        e->value = arena_str(&a->arena, row_field_text(&v, field, space));
    if (!err && row_values_are_whole(&v))
        row->held = STR_NULL;
    if (!err && !str_is_null(v.ticker))
        row->company = STR_NULL;
    return err;
}

static enum err set_row_field(
    struct desk_act *a, struct draft_row_stored *row, struct edit *e, struct fail *fail)
{
    if (str_eq(e->field, notified_name))
        return set_notified(a, row, e, fail);
    if (str_eq(e->field, gains_name))
        return set_cap_gains(row, e, fail);
    if (str_eq(e->field, STR("company")))
        return set_company(a, row, e, fail);
    if (str_eq(e->field, STR("status")))
        return set_status(row, e, fail);
    if (str_eq(e->field, STR("trade"))) {
        e->old = row->trade_id;
        row->trade_id = str_trim(e->value).n ? str_trim(e->value) : STR_NULL;
        return OK;
    }
    return set_value(a, row, e, fail);
}

/* On a scanned page it shows which fields a person has set. */
static void note_source(struct desk_act *a, struct draft_row_stored *row, const struct edit *e)
{
    enum row_field field;
    if (str_eq(e->field, notified_name))
        row->sources = cell_sources_enter(row->sources, CELL_NOTIFIED, &a->arena);
    else if (str_eq(e->field, gains_name))
        row->sources = cell_sources_enter(row->sources, CELL_CAP_GAINS, &a->arena);
    else if (row_field_from_name(e->field, &field))
        row->sources = cell_sources_enter(row->sources, row_field_cell(field), &a->arena);
}

static enum err find_row(
    struct desk_act *a, int number, struct draft_row_stored **ret, struct fail *fail)
{
    struct draft_row_list rows = {.count = 0};
    enum err err = draft_row_load(a->desk->db, a->draft.no, &a->arena, &rows, fail);
    struct draft_row_stored *row = rows.items, *end = err ? row : row + rows.count;
    while (row < end && row->row != number)
        row++;
    if (row < end) {
        *ret = row;
        return OK;
    }
    return err ? err
               : fail_set(
                     fail, ERR_NOT_FOUND, "%.*s has no row %d", STR_ARG(a->draft.is.filing_id),
                     number);
}

static enum err set_row(struct desk_act *a, struct edit *e, struct fail *fail)
{
    struct draft_row_stored *row;
    TRY(find_row(a, e->row, &row, fail));
    int32_t traded = row->values.trade_date, notified = row->notified_date;
    TRY(set_row_field(a, row, e, fail));
    note_source(a, row, e);
    if (str_eq(e->field, row_field_name(ROW_TICKER)))
        row->doubts = suggested_symbol_settle(row->doubts, &a->arena);
    if (row->values.trade_date != traded || row->notified_date != notified)
        row->doubts = row_doubts_renew(row, filed_day(a), &a->arena);
    return draft_row_update(a->desk->db, a->draft.no, row, a->desk->now_ms, fail);
}

enum err desk_edit_row(
    struct desk_act *a, int row, struct str field, struct str value, struct fail *fail)
{
    struct edit e = {.row = row, .field = field, .value = value};
    return set_row(a, &e, fail);
}

/* The filing date decides about the doubts of all rows. */
static enum err renew_doubts(struct desk_act *a, struct fail *fail)
{
    struct draft_row_list rows = {.count = 0};
    TRY(draft_row_load(a->desk->db, a->draft.no, &a->arena, &rows, fail));
    for (size_t i = 0; i < rows.count; i++) {
        struct draft_row_stored *row = &rows.items[i];
        struct str doubts = row_doubts_renew(row, filed_day(a), &a->arena);
        if (str_eq(doubts, row->doubts))
            continue;
        row->doubts = doubts;
        TRY(draft_row_update(a->desk->db, a->draft.no, row, a->desk->now_ms, fail));
    }
    return OK;
}

static enum err set_whole(struct desk_act *a, struct edit *e, struct fail *fail)
{
    int32_t day = filed_day(a);
    enum err err = set_filing(a, e, fail);
    return err || filed_day(a) == day ? err : renew_doubts(a, fail);
}

enum err desk_set(
    const struct desk *desk, struct str filing_id, int row, struct str field, struct str value,
    struct str reason, struct fail *fail)
{
    DESK_ACT(a);
    struct edit e = {.row = row, .field = field, .value = value, .reason = reason};
    TRY(reason_check_optional(reason, fail));
    TRY(desk_open(&a, desk, filing_id, fail));
    TRY(desk_begin_edit(&a, fail));
    TRY(row == 0 ? set_whole(&a, &e, fail) : set_row(&a, &e, fail));
    TRY(note_edit(&a, &e, fail));
    return desk_close(&a, fail);
}

/* --- adding and removing rows */

static int next_number(const struct draft_row_list *rows)
{
    return rows->count ? rows->items[rows->count - 1].row + 1 : 1;
}

enum err desk_add_row(
    const struct desk *desk, struct str filing_id, int page, int *ret_row, struct fail *fail)
{
    DESK_ACT(a);
    struct draft_row_list rows = {.count = 0};
    TRY(desk_open(&a, desk, filing_id, fail));
    TRY(desk_begin_edit(&a, fail));
    TRY(draft_row_load(desk->db, a.draft.no, &a.arena, &rows, fail));
    const struct draft_row_stored row = {
        .row = next_number(&rows),
        .page = page,
        .values.trade_date = DAY_NONE,
        .notified_date = DAY_NONE,
        .doubts = STR("[]"),
        .held = STR("entered by hand, incomplete"),
    };
    TRY(draft_row_insert(desk->db, a.draft.no, &row, fail));
    TRY(desk_note(&a, (struct draft_event){.action = STR("add_row"), .row = row.row}, fail));
    *ret_row = row.row;
    return desk_close(&a, fail);
}

static enum err change_removed(struct desk_act *a, int number, bool removed, struct fail *fail)
{
    struct draft_row_stored *row;
    TRY(find_row(a, number, &row, fail));
    if (row->removed == removed)
        return fail_set(
            fail, ERR_EXISTS, removed ? "row %d is already removed" : "row %d is not removed",
            number);
    row->removed = removed;
    return draft_row_update(a->desk->db, a->draft.no, row, a->desk->now_ms, fail);
}

enum err desk_remove_row(struct desk_act *a, int row, struct fail *fail)
{
    return change_removed(a, row, true, fail);
}

static enum err set_removed(
    struct desk_act *a, int number, bool removed, struct str reason, struct fail *fail)
{
    TRY(change_removed(a, number, removed, fail));
    const struct draft_event event = {
        .action = removed ? STR("delete_row") : STR("restore_row"),
        .row = number,
        .reason = reason,
    };
    return desk_note(a, event, fail);
}

enum err desk_delete_row(
    const struct desk *desk, struct str filing_id, int row, struct str reason, struct fail *fail)
{
    DESK_ACT(a);
    TRY(reason_check_optional(reason, fail));
    TRY(desk_open(&a, desk, filing_id, fail));
    TRY(desk_begin_edit(&a, fail));
    TRY(set_removed(&a, row, true, reason, fail));
    return desk_close(&a, fail);
}

enum err desk_restore_row(const struct desk *desk, struct str filing_id, int row, struct fail *fail)
{
    DESK_ACT(a);
    TRY(desk_open(&a, desk, filing_id, fail));
    TRY(desk_begin_edit(&a, fail));
    TRY(set_removed(&a, row, false, STR_NULL, fail));
    return desk_close(&a, fail);
}

static enum err split(struct desk_act *a, int number, int *ret_row, struct fail *fail)
{
    struct draft_row_list rows = {.count = 0};
    struct draft_row_stored *row;
    TRY(find_row(a, number, &row, fail));
    TRY(draft_row_load(a->desk->db, a->draft.no, &a->arena, &rows, fail));
    struct draft_row_stored copy = *row;
    copy.row = *ret_row = next_number(&rows);
    copy.printed = copy.trade_id = STR_NULL;
    copy.removed = false;
    TRY(draft_row_insert(a->desk->db, a->draft.no, &copy, fail));
    const struct draft_event event = {
        .action = STR("split_row"),
        .row = number,
        .new = arena_fmt(&a->arena, "row %d", copy.row),
    };
    return desk_note(a, event, fail);
}

enum err desk_split_row(
    const struct desk *desk, struct str filing_id, int row, int *ret_row, struct fail *fail)
{
    DESK_ACT(a);
    TRY(desk_open(&a, desk, filing_id, fail));
    TRY(desk_begin_edit(&a, fail));
    TRY(split(&a, row, ret_row, fail));
    return desk_close(&a, fail);
}
