/* The lines of `publish`; see publish_page.h. */
#include "cmd/publish_page.h"

#include "admin/words.h"
#include "base/hidden.h"
#include "cmd/layout.h"

enum { TEXT_MAX = 1 << 16, MARGIN = 2, GAP = 2, ROOM_MIN = 24 };

static void put_counts(struct buf *to, const struct publish_draft_result *r)
{
    const struct {
        size_t count;
        const char *one, *many;
    } parts[] = {
        {r->added, "trade added", "trades added"},
        {r->corrected, "trade corrected", "trades corrected"},
        {r->withdrawn, "trade withdrawn", "trades withdrawn"},
        {r->linked, "row was public already", "rows were public already"},
        {r->overtaken, "row overtaken by an amendment", "rows overtaken by an amendment"},
        {r->held, "row held back", "rows held back"},
        {r->deliveries, "webhook delivery", "webhook deliveries"},
    };
    struct arena arena;
    size_t start = to->n;
    arena_init(&arena);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].count)
            buf_fmt(
                to, "%s%.*s", to->n > start ? ", " : "",
                STR_ARG(words_count(&arena, (int64_t)parts[i].count, parts[i].one, parts[i].many)));
    if (to->n == start)
        buf_text(to, "nothing new");
    arena_finish(&arena);
}

void publish_page_line(
    struct out *out, struct str what, const struct publish_draft_result *result, struct str reason)
{
    const struct terminal *t = &out->terminal;
    bool failed = !str_is_null(reason);
    struct str mark = str_from(terminal_glyph(t, failed ? GLYPH_CROSS : GLYPH_TICK));
    struct buf text, words;
    buf_init(&text, TEXT_MAX);
    buf_init(&words, TEXT_MAX);
    layout_spaces(&text, MARGIN);
    terminal_paint(t, &text, failed ? PAINT_BAD : PAINT_GOOD, mark);
    buf_char(&text, ' ');
    hidden_show(&text, what);
    if (failed)
        hidden_show(&words, reason);
    else
        put_counts(&words, result);
    size_t margin = MARGIN + layout_columns(mark) + 1, columns = (size_t)t->columns;
    size_t at = margin + layout_columns(what), indent = at + GAP;
    if (indent + ROOM_MIN > columns && at + GAP + layout_columns(buf_view(&words)) > columns)
        indent = margin + GAP; /* below the id */
    layout_wrap(&text, buf_view(&words), at, indent, columns);
    out_page(out, &text);
    buf_finish(&words);
    buf_finish(&text);
}
