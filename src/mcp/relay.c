/* Tools that make one request; see relay.h. */
#include "mcp/relay.h"

#include "mcp/note.h"
#include "mcp/parameters.h"
#include "rule/query.h"

void relay_start(struct call *call)
{
    const struct tool *tool = call->tool;
    BUF_SCOPED(target, SIZE_MAX);
    char sep = '?';
    buf_str(&target, tool->path);
    if (!str_is_null(tool->in_path))
        query_encode(&target, call_value(call, tool->in_path)->text);
    parameters_put(&target, call, ARGUMENT_FILTERS, &sep);
    parameters_put(&target, call, ARGUMENT_PAGES, &sep);
    call_get(call, buf_view(&target));
}

void relay_answered(struct call *call, const struct api_answer *answer)
{
    BUF_SCOPED(note, SIZE_MAX);
    BUF_SCOPED(members, SIZE_MAX);
    buf_str(&members, str_slice(answer->text, 1, answer->text.n - 1));
    if (answer->page.is_list && answer->page.count == 0)
        note_nothing(&note, call, answer->page.next_cursor);
    else if (answer->page.no_recent && call->tool->nothing)
        buf_text(&note, call->tool->nothing);
    if (!answer->page.is_list)
        note_waiting(&note, call);
    note_put(&members, buf_view(&note));
    call_result(call, buf_view(&members));
}
