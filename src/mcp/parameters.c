/* Writes query parameters; see parameters.h. */
#include "mcp/parameters.h"

#include <inttypes.h>

#include "base/instant.h"
#include "rule/query.h"

static void put_value(struct buf *b, const struct argument *a, const struct argument_value *value)
{
    if (a->kind == ARGUMENT_INTEGER)
        buf_fmt(b, "%" PRId64, value->number);
    else if (a->kind == ARGUMENT_WHEN)
        instant_put(b, value->number);
    else
        query_encode(b, value->text);
}

void parameters_put(struct buf *b, const struct call *call, enum argument_use use, char *sep)
{
    const struct tool *tool = call->tool;
    for (const struct argument *a = tool->arguments; !str_is_null(a->name); a++) {
        const struct argument_value *value = &call->values[a - tool->arguments];
        if (a->use != use || str_eq(a->name, tool->in_path) || !argument_is_given(a, value))
            continue;
        buf_char(b, *sep);
        buf_str(b, a->name);
        buf_char(b, '=');
        put_value(b, a, value);
        *sep = '&';
    }
}

bool parameters_filter(const struct call *call)
{
    const struct argument *a = call->tool->arguments;
    for (size_t i = 0; !str_is_null(a[i].name); i++)
        if (a[i].use == ARGUMENT_FILTERS && argument_is_given(&a[i], &call->values[i]))
            return true;
    return false;
}
