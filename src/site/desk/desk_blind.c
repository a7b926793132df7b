/* The form for a row that is typed blind; see desk_blind.h. */
#include "site/desk/desk_blind.h"

#include "noun/lists.h"
#include "site/frame/trade_words.h"

enum { OPTIONS_MAX = 16 };

/* The list that the field is chosen from; NULL: it is typed. */
static const struct shape_list *choices(enum blind_field field)
{
    switch (field) {
    case BLIND_SIDE:
        return &shape_sides;
    case BLIND_AMOUNT:
        return &shape_brackets;
    case BLIND_OWNER:
        return &shape_owners;
    default:
        return NULL;
    }
}

static size_t make_options(
    struct page_call *call, enum blind_field field, const struct shape_list *list,
    struct form_option ret[static OPTIONS_MAX])
{
    size_t count = 1;
    ret[0] = (struct form_option){STR(""), STR("–")};
    for (int v = 1; v < list->count && count < OPTIONS_MAX; v++)
        ret[count++] = (struct form_option){
            list->name_of(v), field == BLIND_AMOUNT ? bracket_info((enum bracket)v)->label
                                                    : words_choice(list, v, call->arena)};
    return count;
}

bool desk_blind_options(
    struct page_call *call, struct view *item, enum blind_field field, struct str selected)
{
    struct form_option options[OPTIONS_MAX];
    const struct shape_list *list = choices(field);
    size_t count = list ? make_options(call, field, list, options) : 0;
    struct view *to = view_list(item, "options");
    for (size_t i = 0; i < count; i++) {
        struct view *option = view_item(to);
        view_str(option, "value", options[i].value);
        view_str(option, "label", options[i].label);
        view_bool(option, "selected", str_eq(options[i].value, selected));
    }
    return list;
}

void desk_blind_put(
    struct page_call *call, struct view *view, enum chamber chamber, const struct form *posted)
{
    for (int f = 0; f < BLIND_FIELD_COUNT; f++) {
        enum blind_field field = (enum blind_field)f;
        const struct shape_list *list = choices(field);
        struct form_option options[OPTIONS_MAX];
        const char *name = blind_field_name(field).p;
        if (list)
            form_show_choice(
                view, posted, name, STR(""), options, make_options(call, field, list, options));
        else
            form_show(view, posted, name, STR_NULL);
    }
    view_bool(view, "hasNotified", chamber == CHAMBER_HOUSE);
}

void desk_fault_label(struct fail *fail, struct str name, struct str label)
{
    struct fail named;
    struct str text = str_from(fail->text);
    struct str rest = str_slice(text, name.n, text.n);
    if (!str_starts(text, name) || !str_starts(rest, STR(": ")))
        return;
    (void)fail_set(&named, fail->err, "%.*s%.*s", STR_ARG(label), STR_ARG(rest));
    *fail = named;
}

void desk_blind_label(struct fail *fail)
{
    for (int f = 0; f < BLIND_FIELD_COUNT; f++)
        desk_fault_label(
            fail, blind_field_name((enum blind_field)f), blind_field_words((enum blind_field)f));
}

bool desk_blind_read(struct page_call *call, struct form *form, struct blind_row *ret)
{
    struct fail why;
    *ret = blind_row_none;
    for (int f = 0; f < BLIND_FIELD_COUNT; f++) {
        enum blind_field field = (enum blind_field)f;
        const char *name = blind_field_name(field).p;
        if (blind_set(ret, field, form_value(form, name), call->arena, &why)) {
            desk_blind_label(&why);
            form_fault(form, name, &why);
        }
    }
    if (!form_is_faulty(form) && blind_is_empty(ret))
        form_fault_text(form, NULL, "Type what the page shows.");
    return !form_is_faulty(form);
}
