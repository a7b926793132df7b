/* Lists of deadlines; see deadlines.h. */
#include "http/deadlines.h"

#include <stddef.h>

void deadlines_init(struct deadlines *ds)
{
    for (int kind = 0; kind < DEADLINE_KINDS; kind++)
        ds->lists[kind].prev = ds->lists[kind].next = &ds->lists[kind];
}

void deadline_init(struct deadline *d)
{
    *d = (struct deadline){.kind = DEADLINE_NONE};
}

static void unlink_deadline(struct deadline *d)
{
    d->prev->next = d->next;
    d->next->prev = d->prev;
    d->prev = d->next = NULL;
}

void deadline_clear(struct deadline *d)
{
    if (d->next)
        unlink_deadline(d);
    d->kind = DEADLINE_NONE;
}

void deadline_set(struct deadlines *ds, struct deadline *d, enum deadline_kind kind, int64_t now_ms)
{
    deadline_clear(d);
    struct deadline *list = &ds->lists[kind];
    d->kind = kind;
    d->at_ms = now_ms + ds->length_ms[kind];
    d->prev = list->prev;
    d->next = list;
    list->prev->next = d;
    list->prev = d;
}

struct deadline *deadlines_pop(struct deadlines *ds, int64_t now_ms)
{
    for (int kind = 0; kind < DEADLINE_KINDS; kind++) {
        struct deadline *first = ds->lists[kind].next;
        if (first != &ds->lists[kind] && first->at_ms <= now_ms) {
            unlink_deadline(first);
            return first;
        }
    }
    return NULL;
}
