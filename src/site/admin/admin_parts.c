/* What the pages of admins share; see admin_parts.h. */
#include "site/admin/admin_parts.h"

int64_t admin_before(const struct page_call *call)
{
    int64_t before;
    struct str text = page_query(call, STR("before"));
    return str_to_i64(text, &before) && before > 0 ? before : 0;
}

void admin_pages(
    const struct page_call *call, struct view *table, const char *path,
    const struct link_param *filters, size_t filter_count, int64_t last)
{
    const struct link_param none = {STR("before"), STR_NULL};
    struct link_param newest = {STR("before"), STR("0")}, older = none;
    if (last)
        older.value = arena_fmt(call->arena, "%lld", (long long)last);
    table_pages(
        table, str_from(path), filters, filter_count, admin_before(call) ? newest : none, older);
}

void admin_badge(struct view *v, const char *name, const char *kind, struct str label)
{
    struct view *badge = view_object(v, name);
    view_text(badge, "kind", kind);
    view_str(badge, "label", label);
}

struct str admin_filter(const struct page_call *call, const char *name)
{
    struct str value = page_query(call, str_from(name));
    return value.n ? value : STR_NULL;
}

const struct form_option admin_roles[ROLE_COUNT] = {
    {STR_INIT("member"), STR_INIT("Member")},
    {STR_INIT("reviewer"), STR_INIT("Reviewer")},
    {STR_INIT("admin"), STR_INIT("Admin")},
};

void admin_plans(struct form_option ret[static PLAN_COUNT])
{
    for (enum plan plan = 0; plan < PLAN_COUNT; plan++)
        ret[plan] = (struct form_option){plan_info(plan)->key, plan_info(plan)->name};
}

void admin_account_state(struct view *v, int64_t disabled_at, int64_t deleted_at)
{
    if (deleted_at != INSTANT_NONE)
        admin_badge(v, "badge", "off", STR("Deleted"));
    else if (disabled_at != INSTANT_NONE)
        admin_badge(v, "badge", "bad", STR("Disabled"));
    else
        admin_badge(v, "badge", "good", STR("Enabled"));
}
