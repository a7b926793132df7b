/* Indents JSON; see json_indent.h. */
#include "api/json_indent.h"

static void new_line(struct buf *b, int depth)
{
    buf_char(b, '\n');
    for (int i = 0; i < depth; i++)
        buf_text(b, "  ");
}

/* Copies a string with its quotes. Returns the position after it. */
static size_t put_string(struct buf *b, struct str json, size_t at)
{
    size_t end = at + 1;
    while (end < json.n && json.p[end] != '"')
        end += json.p[end] == '\\' ? 2 : 1;
    buf_str(b, str_slice(json, at, end + 1));
    return end + 1;
}

void json_indent(struct buf *b, struct str json)
{
    int depth = 0;
    for (size_t i = 0; i < json.n;) {
        char c = json.p[i];
        if (c == '"') {
            i = put_string(b, json, i);
            continue;
        }
        if (c == '}' || c == ']')
            new_line(b, --depth);
        buf_char(b, c);
        if (c == ':')
            buf_char(b, ' ');
        else if (c == ',')
            new_line(b, depth);
        else if (c == '{' || c == '[')
            new_line(b, ++depth);
        i++;
    }
}
