/* Writes notes; see note.h. */
#include "mcp/note.h"

#include <inttypes.h>

#include "mcp/parameters.h"

void note_put(struct buf *members, struct str text)
{
    struct json_out j;
    if (text.n == 0)
        return;
    buf_str(members, STR(",\"note\":"));
    json_init(&j, members);
    json_str(&j, text);
}

static bool gives(const struct call *call, struct str name)
{
    for (const struct argument *a = call->tool->arguments; !str_is_null(a->name); a++)
        if (str_eq(a->name, name))
            return argument_is_given(a, &call->values[a - call->tool->arguments]);
    return false;
}

void note_waiting(struct buf *text, const struct call *call)
{
    bool of_one = gives(call, STR("politician_slug")) || gives(call, STR("slug"));
    if (call->waiting <= 0)
        return;
    buf_fmt(
        text,
        "%s%" PRId64
        " known %s of %s not published here: do not conclude that nothing else was traded.",
        text->n ? " " : "", call->waiting, call->waiting == 1 ? "report" : "reports",
        of_one               ? call->waiting == 1 ? "this politician is" : "this politician are"
        : call->waiting == 1 ? "all politicians is"
                             : "all politicians are");
}

static void put_nothing(struct buf *text, const struct call *call, struct str next_cursor)
{
    const struct argument *a = call->tool->arguments;
    if (next_cursor.n > 0) {
        buf_str(
            text, STR("This page is empty, but there are more: call again with nextCursor as "
                      "cursor and the same other arguments."));
        return;
    }
    if (gives(call, STR("cursor"))) {
        buf_str(text, STR("There is nothing more after this cursor."));
        return;
    }
    if (!parameters_filter(call)) {
        buf_str(
            text, STR("The server has published nothing of this kind yet. get_coverage says what "
                      "it knows."));
        return;
    }
    buf_text(text, call->tool->nothing);
    for (size_t i = 0; !str_is_null(a[i].name); i++)
        if (!str_is_null(a[i].if_nothing) && argument_is_given(&a[i], &call->values[i])) {
            buf_char(text, ' ');
            buf_str(text, a[i].if_nothing);
        }
}

void note_nothing(struct buf *text, const struct call *call, struct str next_cursor)
{
    put_nothing(text, call, next_cursor);
    note_waiting(text, call);
}
