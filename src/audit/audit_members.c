/* Filers of public filings, and answers of reviewers, against the terms of the members. */
#include "audit/audit_parts.h"
#include "names/name.h"
#include "people/filer.h"
#include "people/match.h"
#include "store/public/member.h"

/*
 * data/member_aliases.csv against the names and terms of the imported members. Each of its names
 * must have a last name in common with its member, and lead to that member alone in each of the
 * terms. A database that has none of these members, as one of invented members, is not compared.
 */

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

static void compare_aliases(struct audit_aliases_run *run)
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
        compare_aliases(&run);
    arena_finish(&run.arena);
    return err;
}

struct audit_members_run {
    struct audit *audit;
    struct arena arena; /* of one batch */
    struct audit_filing filings[AUDIT_BATCH];
    size_t count;
    int64_t last;
};

static void keep(void *ctx, const struct audit_filing *filing)
{
    struct audit_members_run *run = ctx;
    struct audit_filing *kept = &run->filings[run->count++];
    *kept = *filing;
    kept->id = arena_str(&run->arena, filing->id);
    kept->politician_id = arena_str(&run->arena, filing->politician_id);
    kept->name = arena_str(&run->arena, filing->name);
    kept->party = arena_str(&run->arena, filing->party);
    kept->state = arena_str(&run->arena, filing->state);
    run->last = filing->no;
}

static enum err compare(
    struct audit_members_run *run, const struct audit_filing *f, struct fail *fail)
{
    struct member_term term;
    struct str name;
    struct db *db = run->audit->config->db;
    TRY(member_name_of(db, f->member_no, &run->arena, &name, fail));
    if (!str_eq(name, f->name))
        audit_tell(run->audit, AUDIT_NAME, f->id, f->name, name, f->public_at);
    enum err err = member_term_at(
        db, f->politician_id, f->chamber, instant_day_new_york(f->filed_at), &run->arena, &term,
        fail);
    if (err == ERR_NOT_FOUND) {
        audit_tell(
            run->audit, AUDIT_NO_TERM, f->id, f->politician_id,
            arena_fmt(
                &run->arena, "no term in the %.*s by the filing date",
                STR_ARG(chamber_name(f->chamber))),
            f->public_at);
        return OK;
    }
    if (!err && !str_eq(term.party, f->party))
        audit_tell(run->audit, AUDIT_PARTY, f->id, f->party, term.party, f->public_at);
    if (!err && !str_eq(term.state, f->state))
        audit_tell(run->audit, AUDIT_STATE, f->id, f->state, term.state, f->public_at);
    return err;
}

static void tell_answer(void *ctx, const struct audit_line *line)
{
    struct audit_members_run *run = ctx;
    struct str other = arena_fmt(&run->arena, "no term for %.*s at any time", STR_ARG(line->other));
    audit_tell(run->audit, AUDIT_ANSWER, line->subject, line->is, other, line->since);
}

static void tell_crowded(
    void *ctx, const struct member_term *term, struct str id, struct str other, int32_t day)
{
    struct audit_members_run *run = ctx;
    struct str seat = term->chamber == CHAMBER_SENATE || !term->district
                          ? term->state
                          : arena_fmt(&run->arena, "%.*s-%d", STR_ARG(term->state), term->district);
    audit_tell(
        run->audit, AUDIT_HOLDERS, id,
        arena_fmt(
            &run->arena, "%.*s %.*s from %.*s", STR_ARG(chamber_name(term->chamber)), STR_ARG(seat),
            STR_ARG(day_str(&run->arena, day))),
        arena_fmt(&run->arena, "held by %.*s as well", STR_ARG(other)), run->audit->config->now_ms);
}

static enum err count_holders(struct audit_members_run *run, struct fail *fail)
{
    struct member_list members;
    TRY(member_load(run->audit->config->db, &run->arena, &members, fail));
    member_seats_check(member_end_terms(&members, &run->arena), members.count, tell_crowded, run);
    return OK;
}

enum err audit_members(struct audit *audit, struct fail *fail)
{
    MEM_FREED struct audit_members_run *run = MEM_NEW(struct audit_members_run);
    struct db *db = audit->config->db;
    run->audit = audit;
    arena_init(&run->arena);
    enum err err = audit_each_line(db, AUDIT_LINES_ANSWERS, tell_answer, run, fail);
    if (!err)
        err = audit_aliases(audit, fail);
    if (!err)
        err = count_holders(run, fail);
    do {
        arena_reset(&run->arena);
        run->count = 0;
        if (!err)
            err = audit_each_filing(db, run->last, AUDIT_BATCH, keep, run, fail);
        for (size_t i = 0; i < run->count && !err; i++) {
            err = compare(run, &run->filings[i], fail);
            audit_progress(audit);
        }
        audit->counts->compared[AUDIT_MEMBERS] += (int64_t)run->count;
    } while (!err && run->count == AUDIT_BATCH);
    arena_finish(&run->arena);
    return err;
}
