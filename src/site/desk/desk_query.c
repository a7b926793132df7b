/* The parameters of the desk; see desk_query.h. */
#include "site/desk/desk_query.h"

const struct page_query_name desk_query_names[] = {
    {"stage", NULL}, {"sort", NULL},  {"chamber", NULL},
    {"kind", NULL},  {"clean", NULL}, {"q", NULL},
};

static bool read_stage(struct str value, struct draft_queue_filter *filter)
{
    return draft_queue_stage_from_name(value, &filter->stage);
}

static bool read_sort(struct str value, struct draft_queue_filter *filter)
{
    return draft_queue_sort_from_name(value, &filter->sort);
}

static bool read_chamber(struct str value, struct draft_queue_filter *filter)
{
    filter->chamber = chamber_from_name(value);
    return filter->chamber != CHAMBER_NONE;
}

static bool read_kind(struct str value, struct draft_queue_filter *filter)
{
    filter->kind = str_eq(value, STR("paper")) ? QUEUE_PAPER : QUEUE_READ;
    return filter->kind == QUEUE_PAPER || str_eq(value, STR("read"));
}

static bool read_clean(struct str value, struct draft_queue_filter *filter)
{
    filter->clean = str_eq(value, STR("yes"));
    return filter->clean;
}

static bool read_text(struct str value, struct draft_queue_filter *filter)
{
    filter->text = value;
    return true;
}

static const struct {
    const char *name;
    bool (*read)(struct str value, struct draft_queue_filter *filter);
    const char *accepted;
} readers[DESK_QUERY_NAMES] = {
    {"stage", read_stage, "waiting, accepted or rejected"},
    {"sort", read_sort, "clean, oldest, newest, due, doubts, checks or rows"},
    {"chamber", read_chamber, "house or senate"},
    {"kind", read_kind, "read or paper"},
    {"clean", read_clean, "yes"},
    {"q", read_text, ""},
};

void desk_query_read(struct page_call *call, struct form *form, struct desk_query *ret)
{
    *ret = (struct desk_query){
        .filter = {
            .sort = QUEUE_CLEAN,
            .for_whom = call->visitor.account.email,
            .now_ms = call->now_ms,
        }};
    for (size_t i = 0; i < DESK_QUERY_NAMES; i++) {
        struct str value = str_trim(form_value(form, readers[i].name));
        if (!value.n)
            continue;
        if (readers[i].read(value, &ret->filter))
            ret->given[ret->given_count++] = (struct link_param){str_from(readers[i].name), value};
        else
            form_fault_text(form, readers[i].name, "expected %s", readers[i].accepted);
    }
    ret->filter.blind = call->config->double_entry && ret->filter.stage != QUEUE_ACCEPTED;
}

void desk_query_carry(struct page_call *call, const struct desk_query *query)
{
    struct view *list = view_list(call->view, "carried");
    for (size_t i = 0; i < query->given_count; i++) {
        struct view *item = view_item(list);
        view_str(item, "name", query->given[i].name);
        view_typed(item, "value", query->given[i].value);
    }
}

struct str desk_link(struct page_call *call, struct str filing_id, const struct desk_query *query)
{
    struct str path = str_is_null(filing_id)
                          ? STR("/desk")
                          : arena_fmt(call->arena, "/desk/%.*s", STR_ARG(filing_id));
    return link_make(call->arena, path, query->given, query->given_count);
}

enum err desk_next(
    struct page_call *call, struct db *db, const struct desk_query *query, struct str filing_id,
    struct str *ret, struct fail *fail)
{
    struct draft_queue page;
    struct draft_queue_filter filter = query->filter;
    filter.after = filing_id;
    TRY(draft_queue_page(db, &filter, 0, 1, call->arena, &page, fail));
    *ret = desk_link(call, page.count ? page.items[0].filing_id : STR_NULL, query);
    return OK;
}
