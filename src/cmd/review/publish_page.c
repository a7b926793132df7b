/* The lines of `publish`; see publish_page.h. */
#include "cmd/review/publish_page.h"

#include "base/hidden.h"
#include "cmd/term/layout.h"
#include "review/published_words.h"

enum { TEXT_MAX = 1 << 16, MARGIN = 2, GAP = 2, ROOM_MIN = 24 };

void publish_page_line(
    struct out *out, struct str what, const struct publish_draft_result *result, struct str reason)
{
    const struct terminal *t = &out->terminal;
    bool failed = !str_is_null(reason);
    struct str mark = str_from(terminal_glyph(t, failed ? GLYPH_CROSS : GLYPH_TICK));
    BUF_SCOPED(words, TEXT_MAX);
    BUF_SCOPED(text, TEXT_MAX);
    ARENA_SCOPED(arena);
    layout_spaces(&text, MARGIN);
    terminal_paint(t, &text, failed ? PAINT_BAD : PAINT_GOOD, mark);
    buf_char(&text, ' ');
    hidden_show(&text, what);
    if (failed)
        hidden_show(&words, reason);
    else
        buf_str(&words, published_words(result, &arena));
    size_t margin = MARGIN + layout_columns(mark) + 1, columns = (size_t)t->columns;
    size_t at = margin + layout_columns(what), indent = at + GAP;
    if (indent + ROOM_MIN > columns && at + GAP + layout_columns(buf_view(&words)) > columns)
        indent = margin + GAP; /* below the id */
    layout_wrap(&text, buf_view(&words), at, indent, columns);
    out_page(out, &text);
}
