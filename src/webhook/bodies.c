/* Bodies by the number of their event; see bodies.h. */
#include "webhook/bodies.h"

#include <assert.h>

#include "base/hidden.h"

static struct body **find(struct bodies *bodies, int64_t event_no)
{
    struct body **at = &bodies->lists[(uint64_t)event_no % BODIES_LISTS];
    while (*at && (*at)->event_no != event_no)
        at = &(*at)->next;
    return at;
}

static struct body *create(int64_t event_no, struct str type, struct str text)
{
    struct body *body = MEM_NEW(struct body);
    BUF_SCOPED(escaped, SIZE_MAX);
    hidden_json(&escaped, text); /* an earlier version stored hidden characters as they are */
    *body = (struct body){
        .event_no = event_no,
        .type = {mem_strdup(type), type.n},
        .body = {mem_strdup(buf_view(&escaped)), escaped.n},
    };
    return body;
}

struct body *bodies_take(struct bodies *bodies, int64_t event_no, struct str type, struct str text)
{
    struct body **at = find(bodies, event_no), *body = *at;
    if (!body) {
        body = create(event_no, type, text);
        bodies->bytes += body->body.n;
        *at = body;
    }
    body->users++;
    return body;
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
