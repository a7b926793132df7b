/* Shared by the readers of both formats; see members_read.h. */
#include "people/members_read.h"

#include <string.h>

#include "base/hidden.h"

struct member *members_read_add(struct members_read *m)
{
    m->items = mem_grow(m->items, m->count, &m->room, sizeof *m->items);
    struct member *member = &m->items[m->count++];
    *member = (struct member){.birthday = DAY_NONE, .listed_on = DAY_NONE};
    return member;
}

void members_read_finish(struct members_read *m)
{
    mem_free(m->items);
    *m = (struct members_read){.arena = m->arena};
}

void member_name_add(struct member *member, size_t room, struct str first, struct str last)
{
    if (first.n == 0)
        return;
    for (size_t i = 0; i < member->name_count; i++)
        if (str_eq(member->names[i].first, first) && str_eq(member->names[i].last, last))
            return;
    if (member->name_count < room)
        member->names[member->name_count++] = (struct member_name){first, last};
}

struct str members_join(struct arena *arena, struct str a, struct str b)
{
    if (a.n == 0 || b.n == 0)
        return a.n ? a : b;
    return arena_fmt(arena, "%.*s %.*s", STR_ARG(a), STR_ARG(b));
}

/* The last position where `last` occurs as complete words after a space; -1: none. */
static ptrdiff_t last_name_at(struct str full, struct str last)
{
    for (size_t i = full.n; last.n && i-- > 1;) {
        size_t end = i + last.n;
        if (full.p[i - 1] == ' ' && end <= full.n && memcmp(full.p + i, last.p, last.n) == 0 &&
            (end == full.n || full.p[end] == ' ' || full.p[end] == ','))
            return (ptrdiff_t)i;
    }
    return -1;
}

struct member_name members_split_full(struct arena *arena, struct str full, struct str last)
{
    ptrdiff_t at = last_name_at(full, last);
    if (at < 0)
        for (size_t i = full.n; i-- > 1 && at < 0;)
            if (full.p[i - 1] == ' ')
                at = (ptrdiff_t)i;
    if (at < 0)
        return (struct member_name){STR_NULL, STR_NULL};
    return (struct member_name){
        arena_str(arena, str_trim(str_slice(full, 0, (size_t)at))),
        arena_str(arena, str_trim(str_slice(full, (size_t)at, full.n))),
    };
}

const char *members_hidden(struct arena *arena, const struct member *member)
{
    const char *wrong = hidden_reason(arena, "the displayed name", member->name);
    if (!wrong)
        wrong = hidden_reason(arena, "the first name", member->first);
    if (!wrong)
        wrong = hidden_reason(arena, "the last name", member->last);
    for (size_t i = 0; i < member->name_count && !wrong; i++) {
        wrong = hidden_reason(arena, "another name", member->names[i].first);
        if (!wrong)
            wrong = hidden_reason(arena, "another name", member->names[i].last);
    }
    for (size_t i = 0; i < member->term_count && !wrong; i++)
        wrong = hidden_reason(arena, "a party", member->terms[i].party);
    return wrong;
}

bool members_state_valid(struct str state)
{
    return state.n == 2 && state.p[0] >= 'A' && state.p[0] <= 'Z' && state.p[1] >= 'A' &&
           state.p[1] <= 'Z';
}
