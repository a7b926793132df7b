/* Reads both files of committees, and holds their shared helpers; see committees_read.h. */
#include "conflict/committees_read.h"

#include <assert.h>

void committees_read_init(struct committees_read *r, struct arena *arena)
{
    *r = (struct committees_read){.arena = arena};
    r->members_end = &r->members;
    r->odd_end = &r->odd;
    intmap_init(&r->by_id);
    intmap_init(&r->by_member);
}

void committees_read_finish(struct committees_read *r)
{
    intmap_finish(&r->by_id);
    intmap_finish(&r->by_member);
}

bool committees_leave_out(
    struct committees_read *r, const struct json_in *entry, struct str committee, size_t seats)
{
    if (!entry->err)
        return false;
    struct committees_odd *odd = ARENA_NEW(r->arena, struct committees_odd);
    *odd = (struct committees_odd){
        .committee = str_is_null(committee) ? committee : arena_str(r->arena, committee),
        .what = arena_str(r->arena, str_from(entry->fail->text)),
        .seats = seats,
    };
    *r->odd_end = odd;
    r->odd_end = &odd->next;
    r->odd_count++;
    return true;
}

uint64_t committees_key(struct str id)
{
    uint64_t key = 0;
    assert(id.n < sizeof key); /* so that ids of different lengths differ */
    for (size_t i = 0; i < id.n; i++)
        key = key << 8 | (uint8_t)id.p[i];
    return key;
}

enum err committees_read(
    struct committees_read *r, const struct import_file *index,
    const struct import_file *membership, struct fail *fail)
{
    if (json_in_first(index->text) == '{' && json_in_first(membership->text) == '[')
        return fail_set(
            fail, ERR_INVALID,
            "%.*s: line 1: not a list of committees: pass the list first, the membership second",
            STR_ARG(index->name));
    enum err err = committees_read_index(r, index, fail);
    return err ? err : committees_read_membership(r, membership, index->name, fail);
}
