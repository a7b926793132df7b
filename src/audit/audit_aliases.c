/*
 * data/member_aliases.csv against the names and terms of the imported members. Each of its names
 * must have a last name in common with its member, and lead to that member alone in each of the
 * terms. A database that has none of these members, as one of invented members, is not compared.
 */
#include "audit/audit_parts.h"
#include "names/name.h"
#include "people/aliases.h"
#include "people/match.h"

struct audit_aliases_run {
    struct audit *audit;
    struct arena arena;
    struct member_list members;
    struct match *match;
};

static const struct member *member_of(const struct member_list *members, struct str id)
{
    for (size_t i = 0; i < members->count; i++)
        if (str_eq(members->items[i].id, id))
            return &members->items[i];
    return NULL;
}

static bool has_any(const struct member_list *members, const struct aliases *aliases)
{
    for (size_t i = 0; i < aliases->count; i++)
        if (member_of(members, aliases->items[i].id))
            return true;
    return false;
}

static bool share_last_name(
    struct audit_aliases_run *run, const struct alias *alias, const struct member *member)
{
    struct name a, b;
    if (!name_read_printed(&a, &run->arena, STR_NULL, alias->last) ||
        !name_read_printed(&b, &run->arena, STR_NULL, member->last))
        return false;
    for (int i = 0; i < a.count; i++)
        for (int k = 0; k < b.count; k++)
            if (str_eq(a.word[i], b.word[k]))
                return true;
    return false;
}

/* Why the name does not lead to the member alone in that term; null: it does. */
static struct str doubt_in_term(
    struct audit_aliases_run *run, const struct alias *alias, const struct member *member,
    const struct member_term *term)
{
    const struct match_query query = {
        .first = alias->first,
        .last = alias->last,
        .chamber = term->chamber,
        .state = term->state,
        .district = term->district,
        .date = term->start,
    };
    struct match_answer answer = match_find(run->match, &query);
    if (answer.verdict == MATCH_ONE && answer.member == member)
        return STR_NULL;
    return answer.verdict == MATCH_ONE
               ? arena_fmt(&run->arena, "the name of %.*s", STR_ARG(answer.member->id))
               : str_from(match_verdict_text(answer.verdict));
}

static struct str doubt_of(
    struct audit_aliases_run *run, const struct alias *alias, const struct member *member)
{
    struct str doubt = STR_NULL;
    if (!member)
        return STR("no member has that id");
    if (!share_last_name(run, alias, member))
        return arena_fmt(&run->arena, "the member is %.*s", STR_ARG(member->name));
    for (size_t i = 0; i < member->term_count && str_is_null(doubt); i++)
        if (member->terms[i].start != DAY_NONE)
            doubt = doubt_in_term(run, alias, member, &member->terms[i]);
    return doubt;
}

static void compare(struct audit_aliases_run *run)
{
    struct aliases aliases;
    aliases_read(&run->arena, &aliases);
    if (!has_any(&run->members, &aliases))
        return;
    run->match = match_create(&run->members);
    for (size_t i = 0; i < aliases.count; i++) {
        const struct alias *alias = &aliases.items[i];
        struct str doubt = doubt_of(run, alias, member_of(&run->members, alias->id));
        if (!str_is_null(doubt))
            audit_tell(
                run->audit, AUDIT_ALIAS, alias->id,
                arena_fmt(&run->arena, "%.*s %.*s", STR_ARG(alias->first), STR_ARG(alias->last)),
                doubt, run->audit->config->now_ms);
    }
    match_destroy(run->match);
}

enum err audit_aliases(struct audit *audit, struct fail *fail)
{
    struct audit_aliases_run run = {.audit = audit};
    arena_init(&run.arena);
    enum err err = member_load(audit->config->db, &run.arena, &run.members, fail);
    if (!err)
        compare(&run);
    arena_finish(&run.arena);
    return err;
}
