/* Counts in words; see counts.h. */
#include "cmd/term/counts.h"

#include "cmd/term/layout.h"
#include "cmd/term/next_steps.h"
#include "status/words.h"

enum { TEXT_MAX = 1 << 16, MARGIN = 2 };

static const struct {
    enum glyph glyph;
    enum paint paint;
} marks[] = {
    [OUT_PLAIN] = {GLYPH_DOT, PAINT_FAINT},
    [OUT_GOOD] = {GLYPH_TICK, PAINT_GOOD},
    [OUT_DOUBTFUL] = {GLYPH_DOUBT, PAINT_DOUBT},
    [OUT_BAD] = {GLYPH_CROSS, PAINT_BAD},
};

static void put_mark(struct buf *to, const struct terminal *t, enum out_mood mood)
{
    struct str mark = str_from(terminal_glyph(t, marks[mood].glyph));
    layout_spaces(to, MARGIN);
    terminal_paint(t, to, marks[mood].paint, mark);
    layout_spaces(to, (t->utf8 ? 2 : 3) - layout_columns(mark));
}

static void put_count(
    struct buf *to, const struct terminal *t, const struct count_line *count, size_t widest,
    struct arena *arena)
{
    struct str number = words_number(arena, count->value);
    size_t indent = MARGIN + (t->utf8 ? 2 : 3) + widest + 1;
    put_mark(to, t, count->value ? count->mood : OUT_PLAIN);
    layout_spaces(to, widest - number.n);
    buf_str(to, number);
    layout_wrap(
        to, str_from(count->value == 1 ? count->one : count->many), indent - 1, indent,
        (size_t)t->columns);
}

bool counts_page(
    struct out *out, const struct counts_words *words, const struct count_line *counts, size_t n)
{
    const struct terminal *t = &out->terminal;
    ARENA_SCOPED(arena);
    BUF_SCOPED(to, TEXT_MAX);
    size_t widest = 0;
    if (!out_is_page(out))
        return false;
    out_flush(out);
    if (out->printed)
        buf_char(&to, '\n');
    if (words->title) {
        terminal_paint(t, &to, PAINT_STRONG, str_from(words->title));
        buf_char(&to, '\n');
    }
    for (size_t i = 0; i < n; i++) {
        size_t digits = words_number(&arena, counts[i].value).n;
        widest = digits > widest ? digits : widest;
    }
    for (size_t i = 0; i < n; i++)
        if (counts[i].value || i == 0)
            put_count(&to, t, &counts[i], widest, &arena);
    if (words->unchanged) {
        put_mark(&to, t, OUT_PLAIN);
        buf_fmt(&to, "%s\n", words->unchanged);
    }
    if (words->next)
        next_steps_put(&to, t, &(struct next_step){str_from(words->next), words->why}, 1);
    out_page(out, &to);
    return true;
}

void counts_fields(struct out *out, const struct count_line *counts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out_i64(out, counts[i].name, counts[i].value);
}

void counts_print(
    struct out *out, const struct counts_words *words, const struct count_line *counts, size_t n)
{
    if (counts_page(out, words, counts, n))
        return;
    out_begin(out, OUT_BLOCK);
    counts_fields(out, counts, n);
    out_end(out);
}
