/* Two entries of a paper filing as a page; see desk_entry_view.h. */
#include "site/desk/desk_entry_view.h"

#include "base/codec.h"
#include "site/desk/desk_act.h"
#include "site/desk/desk_blind.h"
#include "site/desk/desk_typed.h"
#include "site/frame/day_view.h"
#include "site/frame/trade_words.h"

void desk_entry_mark(
    const struct double_difference *difference, char ret[static DESK_ENTRY_MARK_SIZE])
{
    const struct str texts[] = {difference->draft, difference->entered};
    uint64_t hash = 0;
    for (size_t i = 0; i < 2; i++)
        hash = hash * 31 + hash_str(texts[i]) + str_is_null(texts[i]);
    hex_encode((const uint8_t *)&hash, sizeof hash, ret);
}

int desk_entry_next(const struct double_view *view, int row)
{
    int first = 0;
    bool behind = false;
    for (size_t i = 0; i < view->rows.count; i++) {
        int number = view->rows.items[i].row;
        bool open = !double_entry_is_typed(view, number);
        if (open && behind)
            return number;
        if (open && !first)
            first = number;
        behind |= number == row;
    }
    return first;
}

/* --- the head */

static void put_head(
    struct page_call *call, const struct double_view *view, enum double_role role, bool hidden,
    int row)
{
    static const char *const titles[] = {
        [DOUBLE_NO_ROLE] = "No second entry is due",
        [DOUBLE_FIRST] = "Waiting for other people",
        [DOUBLE_SECOND] = "Second entry",
        [DOUBLE_THIRD] = "Two entries differ",
    };
    const struct draft *d = &view->draft;
    bool rejected = d->state == DRAFT_REJECTED;
    const char *heading = titles[role];
    if (hidden && role == DOUBLE_NO_ROLE)
        heading = d->nothing_reported ? "This report was closed: nothing to report"
                  : rejected          ? "This draft was rejected"
                                      : "The first entry is not finished";
    bool differs = d->entry == DRAFT_ENTRY_THIRD;
    bool held = d->state == DRAFT_IN_REVIEW && d->claimed_until > call->now_ms;
    bool mine = held && str_eq_nocase(d->claimed_by, call->visitor.account.email);
    struct view *v = call->view;
    view_str(v, "id", d->is.filing_id);
    view_text(v, "heading", heading);
    view_str(v, "chamberText", words_chamber(d->is.chamber));
    view_str(v, "name", d->name);
    day_view_put(
        v, "filedOn",
        d->is.filed_at == INSTANT_NONE ? DAY_NONE : instant_day_new_york(d->is.filed_at));
    view_str(v, "url", d->is.url);
    view_bool(v, "isNone", role == DOUBLE_NO_ROLE);
    view_bool(v, "isHidden", hidden);
    view_bool(v, "isRejected", rejected);
    view_bool(v, "nothingReported", d->nothing_reported);
    view_bool(v, "isFirst", role == DOUBLE_FIRST);
    view_bool(v, "isSecond", role == DOUBLE_SECOND);
    view_bool(v, "isThird", role == DOUBLE_THIRD);
    view_bool(v, "differs", differs);
    view_count(v, "differing", (int64_t)view->difference_count);
    view_bool(v, "several", view->difference_count != 1);
    view_count(v, "typedRows", (int64_t)view->typed);
    view_str(v, "heldBy", held && !mine ? d->claimed_by : STR_NULL);
    view_instant(v, "heldUntil", d->claimed_until);
    struct str title = arena_fmt(call->arena, "%s, %.*s", heading, STR_ARG(d->is.filing_id));
    page_title(call, row ? arena_fmt(call->arena, "%.*s, row %d", STR_ARG(title), row) : title);
}

/* --- the rows that are typed, and the form of one */

static struct str strip_of(struct page_call *call, const struct double_view *view, int row)
{
    const struct draft_row_stored *found = draft_row_at(&view->rows, row);
    if (!found || !found->place.width)
        return STR_NULL;
    return arena_fmt(
        call->arena, "/desk/%.*s/strips/%d.png", STR_ARG(view->draft.is.filing_id), row);
}

static void put_rows(struct page_call *call, const struct double_view *view)
{
    struct view *list = view_list(call->view, "typedList");
    for (size_t i = 0; i < view->rows.count; i++)
        if (double_entry_is_typed(view, view->rows.items[i].row))
            view_int(view_item(list), "row", view->rows.items[i].row);
    view_bool(call->view, "anyTyped", view->typed > 0 && !str_is_null(view->counted));
    view_int(call->view, "nextRow", desk_entry_next(view, 0));
    view_bool(call->view, "allTyped", view->typed == view->rows.count);
    view_str(call->view, "counted", view->counted);
    bool asks = str_is_null(view->counted) || view->draft.entry == DRAFT_ENTRY_THIRD;
    view_bool(call->view, "asksCount", asks);
    form_show(call->view, call->form, "rows", view->counted);
}

static enum err put_form(
    struct page_call *call, const struct double_view *view, int row, struct fail *fail)
{
    const struct form *posted = call->form;
    TRY(posted ? OK : desk_typed_load(call, STR_NULL, &posted, fail));
    struct view *form = view_object(call->view, "form");
    view_int(form, "row", row);
    view_str(form, "strip", strip_of(call, view, row));
    view_bool(form, "again", double_entry_is_typed(view, row));
    desk_blind_put(call, call->view, view->draft.is.chamber, posted);
    return OK;
}

/* --- differences */

static struct str value_words(
    struct page_call *call, const struct double_difference *d, struct str text)
{
    enum blind_field field;
    struct blind_row row = blind_row_none;
    if (!text.n)
        return STR("not stated");
    if (!blind_field_from_name(d->field, &field) || blind_set(&row, field, text, call->arena, NULL))
        return text;
    if (field == BLIND_AMOUNT)
        return bracket_info(row.values.bracket)->label;
    if (field == BLIND_SIDE)
        return words_side(row.values.side);
    return field == BLIND_OWNER ? words_owner(row.values.owner) : text;
}

/* In the order of the texts: their places do not say who typed which. */
static void put_options(
    struct page_call *call, struct view *item, const struct double_difference *d)
{
    bool is_row = str_eq(d->field, STR("row"));
    bool swap = is_row ? false : str_cmp(d->draft, d->entered) > 0;
    const struct str texts[] = {swap ? d->entered : d->draft, swap ? d->draft : d->entered};
    struct view *list = view_list(item, "choices");
    for (size_t i = 0; i < 2; i++) {
        struct view *choice = view_item(list);
        view_str(choice, "value", texts[i].n ? texts[i] : STR(""));
        view_str(choice, "words", value_words(call, d, texts[i]));
    }
    view_bool(item, "canType", !is_row);
}

/* What the third person types or chooses instead of the two. */
static void put_other(
    struct page_call *call, struct view *item, struct str field, struct str posted)
{
    enum blind_field found;
    bool chosen =
        blind_field_from_name(field, &found) && desk_blind_options(call, item, found, posted);
    view_bool(item, "anyOptions", chosen);
    view_typed(item, "other", posted);
}

static void put_difference(
    struct page_call *call, const struct double_view *view, struct view *item,
    const struct double_difference *d, bool texts)
{
    char mark[DESK_ENTRY_MARK_SIZE];
    bool posted = call->form && str_eq(form_value(call->form, "field"), d->field) &&
                  str_eq(form_value(call->form, "row"), arena_fmt(call->arena, "%d", d->row));
    view_int(item, "row", d->row);
    view_bool(item, "ofRow", d->row > 0);
    view_str(item, "field", d->field);
    view_str(item, "words", double_entry_field_words(d->field));
    if (!texts)
        return;
    desk_entry_mark(d, mark);
    view_str(item, "mark", str_of(mark, sizeof mark));
    view_str(item, "strip", strip_of(call, view, d->row));
    put_other(call, item, d->field, posted ? form_value(call->form, "other") : STR(""));
    put_options(call, item, d);
}

static void put_differences(struct page_call *call, const struct double_view *view, bool texts)
{
    struct view *list = view_list(call->view, "differences");
    for (size_t i = 0; i < view->difference_count; i++)
        put_difference(call, view, view_item(list), &view->differences[i], texts);
}

enum err desk_entry_tells_rows(
    struct page_call *call, struct str filing_id, bool *ret, struct fail *fail)
{
    struct double_view *view = ARENA_NEW(call->arena, struct double_view);
    enum double_role role = DOUBLE_NO_ROLE;
    bool hidden = false;
    enum err err = draft_find(call->db, filing_id, call->arena, &view->draft, fail);
    if (!err)
        err = desk_hides(call, &view->draft, &hidden, fail);
    *ret = !hidden;
    if (err || !hidden)
        return err;
    err = double_entry_show(call->db, filing_id, call->arena, view, fail);
    if (!err)
        err = double_entry_role(call->db, &view->draft, call->visitor.account.email, &role, fail);
    *ret = !err && (role == DOUBLE_THIRD || (role == DOUBLE_SECOND && !str_is_null(view->counted)));
    return err;
}

enum err desk_entry_put(
    struct page_call *call, const struct double_view *view, int row, struct fail *fail)
{
    enum double_role role;
    bool hidden = false;
    enum err err =
        double_entry_role(call->db, &view->draft, call->visitor.account.email, &role, fail);
    if (!err)
        err = desk_hides(call, &view->draft, &hidden, fail);
    if (err)
        return err;
    put_head(call, view, role, hidden, row);
    form_show_faults(call->view, call->form);
    put_differences(call, view, role == DOUBLE_THIRD);
    if (role != DOUBLE_SECOND)
        return OK;
    put_rows(call, view);
    return row && !str_is_null(view->counted) ? put_form(call, view, row, fail) : OK;
}
