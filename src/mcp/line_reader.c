/* Lines out of bytes; see line_reader.h. */
#include "mcp/line_reader.h"

void line_reader_init(struct line_reader *r)
{
    *r = (struct line_reader){0};
    buf_init(&r->begun, LINE_MAX_SIZE);
}

void line_reader_finish(struct line_reader *r)
{
    buf_finish(&r->begun);
}

/* A long line's memory is not kept for the short ones that follow. */
static void begin_line(struct line_reader *r)
{
    enum { KEPT_MAX = 64 * 1024 };
    if (r->begun.cap > KEPT_MAX) {
        buf_finish(&r->begun);
        buf_init(&r->begun, LINE_MAX_SIZE);
    }
    buf_reset(&r->begun);
    r->skipping = false;
    r->handed_out = false;
}

static void put(struct line_reader *r, struct str part)
{
    if (!r->skipping)
        buf_str(&r->begun, part);
    if (r->begun.overflow) {
        r->skipping = true;
        buf_reset(&r->begun);
    }
}

static void hand_out(struct line_reader *r, struct str *ret_line)
{
    *ret_line = r->skipping ? STR_NULL : buf_view(&r->begun);
    r->handed_out = true;
}

bool line_reader_next(struct line_reader *r, struct str *rest, struct str *ret_line)
{
    if (r->handed_out)
        begin_line(r);
    ptrdiff_t end = str_find_char(*rest, '\n');
    if (end < 0) {
        put(r, *rest);
        *rest = str_slice(*rest, rest->n, rest->n);
        return false;
    }
    put(r, str_slice(*rest, 0, (size_t)end));
    *rest = str_slice(*rest, (size_t)end + 1, rest->n);
    hand_out(r, ret_line);
    return true;
}

bool line_reader_end(struct line_reader *r, struct str *ret_line)
{
    if (r->handed_out)
        begin_line(r);
    if (r->begun.n == 0 && !r->skipping)
        return false;
    hand_out(r, ret_line);
    return true;
}
