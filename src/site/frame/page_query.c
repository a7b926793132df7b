/* The query of a page as a form; see page_query.h. */
#include "site/frame/page_query.h"

#include "html/table.h"
#include "site/frame/page_call_parts.h"

/* What other sites add to links. */
static bool is_mark(struct str name)
{
    static const struct str marks[] = {
        STR_INIT("fbclid"), STR_INIT("gclid"), STR_INIT("mc_cid"), STR_INIT("mc_eid"),
        STR_INIT("ref")};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (str_eq(name, marks[i]))
            return true;
    return str_starts(name, STR("utm_"));
}

/* False: the address would be longer than one of this site may be. */
static bool redirect(struct page_call *call, struct str path, const struct form *form)
{
    struct link_param params[QUERY_PAIRS_MAX];
    for (size_t i = 0; i < form->count; i++)
        params[i] = (struct link_param){form->pairs[i].name, form->pairs[i].value};
    if (!str_is_null(call->reply->link))
        path = arena_fmt(call->arena, "%.*s%.*s", STR_ARG(call->reply->link), STR_ARG(path));
    struct str link = link_make(call->arena, path, params, form->count);
    if (str_is_null(page_local(link)))
        return false;
    page_redirect(call, link, FLASH_NONE);
    return true;
}

static const struct page_query_name *find_name(
    const struct page_query_name *names, size_t count, struct str name)
{
    for (size_t i = 0; i < count; i++)
        if (str_eq(name, str_from(names[i].name)) ||
            (names[i].alias && str_eq(name, str_from(names[i].alias))))
            return &names[i];
    return NULL;
}

/* A value that is given twice is refused, so that there is nothing to look up. */
static bool is_repeated(
    const struct page_call *call, const struct page_query_name *names, size_t count,
    const struct page_query_name *name)
{
    size_t found = 0;
    for (size_t i = 0; i < call->query.count; i++)
        found += call->query.pairs[i].value.n &&
                 find_name(names, count, call->query.pairs[i].name) == name;
    return found > 1;
}

/* True: the query was another than the form. */
static bool read(
    struct page_call *call, const struct page_query_name *names, size_t count, struct form *form)
{
    bool changed = false;
    for (size_t i = 0; i < call->query.count; i++) {
        const struct query_pair *pair = &call->query.pairs[i];
        const struct page_query_name *known = find_name(names, count, pair->name);
        struct str name = known ? str_from(known->name) : pair->name;
        struct str value = pair->value;
        bool keep = value.n && !is_mark(name);
        if (keep && known && known->settle && !is_repeated(call, names, count, known))
            value = known->settle(call, value);
        if (keep)
            form->pairs[form->count++] = (struct form_pair){name, value};
        changed |= !keep || !str_eq(name, pair->name) || !str_eq(value, pair->value);
    }
    return changed;
}

static void find_faults(const struct page_query_name *names, size_t count, struct form *form)
{
    for (size_t i = 0; i < form->count; i++) {
        struct str name = form->pairs[i].name;
        const struct page_query_name *known = find_name(names, count, name);
        if (!known)
            form_fault_text(form, NULL, "There is no filter \"%.*s\" on this page.", STR_ARG(name));
        for (size_t k = 0; known && k < i; k++)
            if (str_eq(name, form->pairs[k].name))
                form_fault_text(
                    form, known->name, "The address has this more than once. Choose one.");
    }
}

struct form *page_query_form(
    struct page_call *call, struct str path, const struct page_query_name *names, size_t count)
{
    struct form *form = ARENA_NEW(call->arena, struct form);
    form_init(form, call->arena);
    bool changed = read(call, names, count, form);
    if (changed && redirect(call, path, form))
        return NULL;
    call->query_form = form;
    if (changed)
        form_fault_text(form, NULL, "The address of this page is too long.");
    find_faults(names, count, form);
    return form;
}

struct str page_cursor_text(struct arena *arena, const struct cursor *cursor)
{
    char space[CURSOR_TEXT_SIZE_MAX];
    struct buf b = buf_over(space, sizeof space);
    cursor_encode(&b, cursor);
    return arena_str(arena, buf_view(&b));
}

void page_cursor_links(
    struct page_call *call, struct view *table, struct str path, const struct link_param *filters,
    size_t filter_count, const struct cursor *next)
{
    struct link_param none = {STR("cursor"), STR_NULL}, older = none;
    if (next)
        older.value = page_cursor_text(call->arena, next);
    table_pages(table, path, filters, filter_count, none, older);
    if (str_is_null(page_query(call, STR("cursor"))))
        return;
    view_str(table, "previous", link_make(call->arena, path, filters, filter_count));
    view_bool(table, "paged", true);
}
