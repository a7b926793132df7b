/* The filter of a list by committee; see list_committee.h. */
#include "site/data/list_committee.h"

#include <stdlib.h>

#include "market/seats_shipped.h"

/* The map's name is that of today. */
static struct str full_name(struct str id)
{
    size_t count;
    const struct committee_entry *entry = industry_of_committee(id, &count);
    return count ? entry->name : seats_shipped_name(id, INT32_MAX);
}

struct str list_committee_title(struct arena *arena, struct str id)
{
    struct str parent = full_name(str_slice(id, 0, COMMITTEE_ID_SIZE));
    struct str name = seats_shipped_name(id, INT32_MAX);
    BUF_SCOPED(b, SIZE_MAX);
    if (id.n == COMMITTEE_ID_SIZE || str_is_null(parent) || str_is_null(name))
        return str_is_null(parent) || id.n > COMMITTEE_ID_SIZE ? id : parent;
    committee_title(&b, name, parent);
    return arena_str(arena, buf_view(&b));
}

static int by_label(const void *a, const void *b)
{
    const struct form_option *x = a, *y = b;
    return str_cmp(x->label, y->label);
}

/* Those that oversee an industry, or all. The map is in order of ids: a committee's subcommittees
 * follow it. */
static size_t put_committees(
    struct page_call *call, struct str given, bool all, struct form_option *options)
{
    size_t count, n = 0;
    const struct committee_entry *entries = industry_committees(&count);
    for (size_t i = 0; i < count; i++) {
        struct str id = str_slice(entries[i].committee, 0, COMMITTEE_ID_SIZE);
        if ((!entries[i].industry && !all) || (n && str_eq_nocase(options[n - 1].value, id)))
            continue;
        struct str value = str_eq_nocase(id, given) ? given : id;
        options[n++] = (struct form_option){value, list_committee_title(call->arena, id)};
    }
    qsort(options, n, sizeof *options, by_label);
    return n;
}

static bool has(const struct form_option *options, size_t count, struct str value)
{
    for (size_t i = 0; i < count; i++)
        if (str_eq(options[i].value, value))
            return true;
    return false;
}

static struct str upper(struct arena *arena, struct str text)
{
    char *copy = arena_alloc(arena, text.n);
    for (size_t i = 0; i < text.n; i++)
        copy[i] = ascii_upper(text.p[i]);
    return str_of(copy, text.n);
}

void list_committee_show(struct page_call *call, const char *field)
{
    struct str given = call->query_form ? form_value(call->query_form, field) : STR_NULL;
    size_t most;
    (void)industry_committees(&most);
    struct form_option *options = ARENA_ARRAY(call->arena, struct form_option, most + 2);
    options[0] = (struct form_option){STR(""), STR("Any")};
    size_t count = 1 + put_committees(call, given, strcmp(field, "seat") == 0, options + 1);
    if (!str_is_null(given) && !has(options, count, given)) {
        struct str id = upper(call->arena, given);
        struct str title = committee_id_valid(id) ? list_committee_title(call->arena, id) : given;
        options[count++] = (struct form_option){given, title};
    }
    form_show_choice(call->view, call->query_form, field, STR(""), options, count);
}
