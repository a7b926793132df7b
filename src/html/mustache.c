/* A set of templates; see mustache.h. */
#include "html/mustache.h"

#include "html/mustache_parts.h"

struct mustache_set {
    struct arena arena;
    struct mustache *first;
};

struct mustache_set *mustache_set_create(void)
{
    struct mustache_set *set = MEM_NEW(struct mustache_set);
    arena_init(&set->arena);
    return set;
}

void mustache_set_destroy(struct mustache_set *set)
{
    if (!set)
        return;
    arena_finish(&set->arena);
    mem_free(set);
}

enum err mustache_set_add(
    struct mustache_set *set, struct str name, struct str text, struct fail *fail)
{
    struct mustache_node *nodes;
    if (mustache_find(set, name))
        return fail_set(fail, ERR_EXISTS, "there are two templates \"%.*s\"", STR_ARG(name));
    name = arena_str(&set->arena, name);
    TRY(mustache_parse(&set->arena, name, arena_str(&set->arena, text), &nodes, fail));
    struct mustache *template = ARENA_NEW(&set->arena, struct mustache);
    *template = (struct mustache){.name = name, .nodes = nodes, .next = set->first};
    set->first = template;
    return OK;
}

const struct mustache *mustache_find(const struct mustache_set *set, struct str name)
{
    const struct mustache *template = set->first;
    while (template && !str_eq(template->name, name))
        template = template->next;
    return template;
}

static void link_nodes(const struct mustache_set *set, struct mustache_node *node)
{
    for (; node; node = node->next) {
        if (node->kind == MUSTACHE_PARTIAL || node->kind == MUSTACHE_PARENT)
            node->target = mustache_find(set, node->text);
        link_nodes(set, node->children);
    }
}

void mustache_set_link(struct mustache_set *set)
{
    for (struct mustache *template = set->first; template; template = template->next)
        link_nodes(set, template->nodes);
}

static enum err check_nodes(
    const struct mustache *template, const struct mustache_node *node, struct fail *fail)
{
    enum err err = OK;
    for (; node && !err; node = node->next) {
        bool names = node->kind == MUSTACHE_PARTIAL || node->kind == MUSTACHE_PARENT;
        if (names && !node->target)
            return fail_set(
                fail, ERR_NOT_FOUND, "%.*s:%u: there is no template \"%.*s\"",
                STR_ARG(template->name), node->line, STR_ARG(node->text));
        if (node->kind == MUSTACHE_RAW)
            return fail_set(
                fail, ERR_REFUSED, "%.*s:%u: write {{%.*s}}, which escapes",
                STR_ARG(template->name), node->line, STR_ARG(node->text));
        err = check_nodes(template, node->children, fail);
    }
    return err;
}

enum err mustache_set_check(const struct mustache_set *set, struct fail *fail)
{
    for (const struct mustache *template = set->first; template; template = template->next)
        TRY(check_nodes(template, template->nodes, fail));
    return OK;
}
