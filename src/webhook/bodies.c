/* Bodies by the number of their event; see bodies.h. */
#include "webhook/bodies.h"

#include <assert.h>

static struct body **find(struct bodies *bodies, int64_t event_no)
{
    struct body **at = &bodies->lists[(uint64_t)event_no % BODIES_LISTS];
    while (*at && (*at)->event_no != event_no)
        at = &(*at)->next;
    return at;
}

struct body *bodies_take(struct bodies *bodies, int64_t event_no, struct str type, struct str body)
{
    struct body **at = find(bodies, event_no);
    if (!*at) {
        struct body *made = MEM_NEW(struct body);
        *made = (struct body){
            .event_no = event_no,
            .type = {mem_strdup(type), type.n},
            .body = {mem_strdup(body), body.n},
        };
        bodies->bytes += body.n;
        *at = made;
    }
    (*at)->users++;
    return *at;
}

void bodies_release(struct bodies *bodies, struct body *body)
{
    assert(body->users > 0);
    if (--body->users > 0)
        return;
    *find(bodies, body->event_no) = body->next;
    bodies->bytes -= body->body.n;
    mem_free((void *)(uintptr_t)body->type.p);
    mem_free((void *)(uintptr_t)body->body.p);
    mem_free(body);
}
