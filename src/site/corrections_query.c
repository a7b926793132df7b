/* The query of corrections; see corrections_query.h. */
#include "site/corrections_query.h"

#include "shape/param.h"
#include "site/page_query.h"

static const struct page_query_name names[] = {
    {"politician_slug", "politician"},
    {"kind", NULL},
    {"trade_id", NULL},
    {"filing", NULL},
    {"cursor", NULL}};

static struct str given(struct corrections_query *query, struct form *form, const char *name)
{
    struct str value = form_value(form, name);
    if (!str_is_null(value))
        query->given[query->given_count++] = (struct link_param){str_from(name), value};
    return value;
}

static void read_kind(struct corrections_query *query, struct form *form)
{
    struct str text = given(query, form, "kind");
    query->range.kind = str_is_null(text) ? CORRECTION_NONE : correction_kind_from_name(text);
    if (!str_is_null(text) && !query->range.kind)
        form_fault_text(form, "kind", "This must be field, withdrawn, reinstated or backfill.");
}

static void read_politician(struct page_call *call, struct corrections_query *query)
{
    struct str text = given(query, call->query_form, "politician_slug");
    if (!str_is_null(text) && !param_politician(text, call->arena, &query->range.politician))
        form_fault_text(
            call->query_form, "politician_slug", "This must be a slug or an id of a member.");
}

static void read_cursor(struct corrections_query *query, struct form *form)
{
    struct cursor cursor;
    int64_t no = 0;
    struct str text = form_value(form, "cursor"), prefix = STR("correction-");
    if (str_is_null(text))
        return;
    if (!cursor_decode(text, CURSOR_CORRECTIONS, &cursor)) {
        form_fault_text(
            form, NULL,
            "The address of this page is damaged. Begin again at the newest corrections.");
        return;
    }
    struct str id = cursor_id(&cursor);
    if (str_starts(id, prefix))
        (void)str_to_i64(str_slice(id, prefix.n, id.n), &no);
    query->range.before_at = cursor.at_ms;
    query->range.before_no = no;
}

static void show(struct page_call *call)
{
    struct form_option options[CORRECTION_KIND_COUNT] = {{STR(""), STR("Any")}};
    static const struct str labels[CORRECTION_KIND_COUNT] = {
        [CORRECTION_FIELD] = STR_INIT("Corrected"),
        [CORRECTION_WITHDRAWN] = STR_INIT("Withdrawn"),
        [CORRECTION_REINSTATED] = STR_INIT("Reinstated"),
        [CORRECTION_BACKFILL] = STR_INIT("History imported"),
    };
    for (int kind = 1; kind < CORRECTION_KIND_COUNT; kind++)
        options[kind] =
            (struct form_option){correction_kind_name((enum correction_kind)kind), labels[kind]};
    form_show_choice(call->view, call->query_form, "kind", STR(""), options, CORRECTION_KIND_COUNT);
    form_show(call->view, call->query_form, "politician_slug", STR(""));
}

bool corrections_query_read(struct page_call *call, struct str path, struct corrections_query *ret)
{
    struct form *form = page_query_form(call, path, names, sizeof names / sizeof *names);
    *ret = (struct corrections_query){.range = CORRECTION_RANGE_ALL};
    if (!form)
        return false;
    read_politician(call, ret);
    read_kind(ret, form);
    ret->range.trade_id = given(ret, form, "trade_id");
    ret->range.filing_id = given(ret, form, "filing");
    read_cursor(ret, form);
    show(call);
    view_bool(call->view, "filtered", ret->given_count > 0);
    return !form_is_faulty(form);
}

struct str corrections_next(struct arena *arena, const struct correction_list *list)
{
    if (!list->more)
        return STR_NULL;
    struct cursor cursor =
        cursor_at(CURSOR_CORRECTIONS, list->last_at, correction_id(arena, list->last_no));
    return page_cursor_text(arena, &cursor);
}
