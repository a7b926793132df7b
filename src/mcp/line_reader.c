/* Splits bytes into lines; see line_reader.h. */
#include "mcp/line_reader.h"

void line_reader_init(struct line_reader *r)
{
    *r = (struct line_reader){0};
    buf_init(&r->line, LINE_MAX_SIZE);
}

void line_reader_finish(struct line_reader *r)
{
    buf_finish(&r->line);
}

/* Frees the memory of a long line before the next line. */
static void begin_line(struct line_reader *r)
{
    enum { KEPT_MAX = 64 * 1024 };
    if (r->line.cap > KEPT_MAX) {
        buf_finish(&r->line);
        buf_init(&r->line, LINE_MAX_SIZE);
    }
    buf_reset(&r->line);
    r->skipping = false;
    r->returned = false;
}

static void put(struct line_reader *r, struct str part)
{
    if (!r->skipping)
        buf_str(&r->line, part);
    if (r->line.overflow) {
        r->skipping = true;
        buf_reset(&r->line);
    }
}

static void return_line(struct line_reader *r, struct str *ret_line)
{
    *ret_line = r->skipping ? STR_NULL : buf_view(&r->line);
    r->returned = true;
}

bool line_reader_next(struct line_reader *r, struct str *rest, struct str *ret_line)
{
    if (r->returned)
        begin_line(r);
    ptrdiff_t end = str_find_char(*rest, '\n');
    if (end < 0) {
        put(r, *rest);
        *rest = str_slice(*rest, rest->n, rest->n);
        return false;
    }
    put(r, str_slice(*rest, 0, (size_t)end));
    *rest = str_slice(*rest, (size_t)end + 1, rest->n);
    return_line(r, ret_line);
    return true;
}

bool line_reader_end(struct line_reader *r, struct str *ret_line)
{
    if (r->returned)
        begin_line(r);
    if (r->line.n == 0 && !r->skipping)
        return false;
    return_line(r, ret_line);
    return true;
}
