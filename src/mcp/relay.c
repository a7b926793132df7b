/* Tools that make one request; see relay.h. */
#include "mcp/relay.h"

#include <inttypes.h>

#include "core/query.h"

static void put_value(struct buf *b, const struct argument *a, const struct argument_value *value)
{
    if (a->kind == ARGUMENT_INTEGER)
        buf_fmt(b, "%" PRId64, value->number);
    else
        query_encode(b, value->text);
}

static bool is_given(const struct argument *a, const struct argument_value *value)
{
    return a->kind == ARGUMENT_INTEGER || !str_is_null(value->text);
}

void relay_start(struct call *call)
{
    const struct tool *tool = call->tool;
    struct buf target;
    char sep = '?';
    buf_init(&target, SIZE_MAX);
    buf_str(&target, tool->path);
    if (!str_is_null(tool->in_path))
        query_encode(&target, call_value(call, tool->in_path)->text);
    for (const struct argument *a = tool->arguments; !str_is_null(a->name); a++) {
        const struct argument_value *value = &call->values[a - tool->arguments];
        if (str_eq(a->name, tool->in_path) || !is_given(a, value))
            continue;
        buf_char(&target, sep);
        buf_str(&target, a->name);
        buf_char(&target, '=');
        put_value(&target, a, value);
        sep = '&';
    }
    call_get(call, buf_view(&target));
    buf_finish(&target);
}

void relay_answered(struct call *call, const struct api_answer *answer)
{
    call_result(call, str_slice(answer->text, 1, answer->text.n - 1));
}
