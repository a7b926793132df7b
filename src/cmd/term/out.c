/* Records on standard output, as JSON lines or as text; see out.h. */
#include "cmd/term/out.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>

#include "base/disk.h"
#include "base/hidden.h"
#include "cmd/term/layout.h"
#include "status/words.h"

enum { OUT_LINE_MAX = 1 << 20, OUT_LAID_OUT_MAX = 256 << 20, OUT_NAME_WIDTH = 20 };

void out_init(struct out *o, FILE *to, bool json, enum colour_when colour)
{
    *o = (struct out){.to = to, .json = json, .colour = colour};
    terminal_init(&o->terminal, to, colour);
    buf_init(&o->header, OUT_LINE_MAX);
    buf_init(&o->line, OUT_LINE_MAX);
    buf_init(&o->laid_out, OUT_LAID_OUT_MAX);
    grid_init(&o->grid);
}

void out_lay_out(struct out *o)
{
    if (!o->terminal.is_tty)
        terminal_assume(&o->terminal);
}

bool out_is_page(const struct out *o)
{
    return o->terminal.is_tty && !o->json;
}

static void write_view(struct out *o, const struct buf *b)
{
    if (o->over.hide)
        o->over.hide(o->over.ctx);
    fwrite(buf_view(b).p, 1, b->n, o->to); /* out_finish checks for errors */
    if (o->over.show)
        o->over.show(o->over.ctx);
}

static void print_waiting(struct out *o)
{
    struct buf *to = &o->laid_out;
    if (o->grid.row_count == 0)
        return;
    buf_reset(to);
    if (o->printed && !o->grid.begun)
        buf_char(to, '\n');
    if (o->style == OUT_BLOCK)
        grid_print_blocks(&o->grid, &o->terminal, to);
    else
        grid_print(&o->grid, &o->terminal, to);
    o->printed = true;
    write_view(o, to);
    fflush(o->to);
}

void out_flush(struct out *o)
{
    print_waiting(o);
    fflush(o->to);
}

bool out_finish(struct out *o)
{
    print_waiting(o);
    buf_finish(&o->header);
    buf_finish(&o->line);
    buf_finish(&o->laid_out);
    grid_finish(&o->grid);
    errno = 0;
    if (fflush(o->to) == 0 && !ferror(o->to))
        return true;
    fprintf(
        stderr, "stockact: cannot write to standard output%s%s: some output is lost\n",
        errno ? ": " : "", errno ? disk_reason(errno) : "");
    if (o->lost[0])
        fprintf(stderr, "stockact: %s\n", o->lost);
    return false;
}

/* Blocks, and a table after a block, are tables of their own. */
static void begin_layout(struct out *o, enum out_style style)
{
    if (o->style == style && style == OUT_TABLE)
        return;
    print_waiting(o);
    grid_restart(&o->grid);
}

void out_begin(struct out *o, enum out_style style)
{
    if (out_is_page(o))
        begin_layout(o, style);
    o->style = style;
    o->next_mood = OUT_PLAIN;
    buf_reset(&o->header);
    buf_reset(&o->line);
    if (o->json) {
        json_init(&o->writer, &o->line);
        json_object_begin(&o->writer);
    }
}

static const struct {
    enum paint paint;
    enum glyph glyph;
} moods[] = {
    [OUT_GOOD] = {PAINT_GOOD, GLYPH_TICK},
    [OUT_WAITING] = {PAINT_DOUBT, GLYPH_WAIT},
    [OUT_DOUBTFUL] = {PAINT_DOUBT, GLYPH_DOUBT},
    [OUT_BAD] = {PAINT_BAD, GLYPH_CROSS},
};

/* A cell on a terminal, without the tab or line feed of plain text. */
static void put_cell(struct out *o, const char *name, struct str text, bool number)
{
    enum out_mood mood = str_eq(text, STR("-")) ? OUT_PLAIN : o->next_mood;
    enum paint paint = mood ? moods[mood].paint : str_eq(text, STR("-")) ? PAINT_FAINT : PAINT_NONE;
    buf_reset(&o->line);
    if (mood)
        buf_fmt(&o->line, "%s ", terminal_glyph(&o->terminal, moods[mood].glyph));
    hidden_show(&o->line, text);
    grid_cell(&o->grid, name, buf_view(&o->line), paint, number);
    o->next_mood = OUT_PLAIN;
}

static void put_text(struct out *o, const char *name, struct str text)
{
    if (out_is_page(o)) {
        put_cell(o, name, text, false);
        return;
    }
    enum paint paint = o->next_mood ? moods[o->next_mood].paint : PAINT_NONE;
    BUF_SCOPED(shown, OUT_LINE_MAX);
    hidden_show(&shown, text);
    if (o->style == OUT_BLOCK) {
        buf_fmt(&o->line, "%-*s  ", OUT_NAME_WIDTH, name);
        terminal_paint(&o->terminal, &o->line, paint, buf_view(&shown));
        buf_char(&o->line, '\n');
    } else {
        if (o->line.n) {
            buf_char(&o->line, '\t');
            buf_char(&o->header, '\t');
        }
        terminal_paint(&o->terminal, &o->header, PAINT_STRONG, str_from(name));
        terminal_paint(&o->terminal, &o->line, paint, buf_view(&shown));
    }
    o->next_mood = OUT_PLAIN;
}

void out_mood(struct out *o, enum out_mood mood)
{
    o->next_mood = mood;
}

void out_state(struct out *o, const char *name, struct str value, enum out_mood mood)
{
    out_mood(o, mood);
    out_str(o, name, value);
}

void out_str(struct out *o, const char *name, struct str value)
{
    if (o->json) {
        json_key(&o->writer, str_from(name));
        json_str(&o->writer, value);
    } else {
        put_text(o, name, value.n ? value : STR("-"));
    }
}

void out_secret(struct out *o, const char *name, struct str value, const char *lost, ...)
{
    va_list args;
    va_start(args, lost);
    vsnprintf(o->lost, sizeof o->lost, lost, args);
    va_end(args);
    out_str(o, name, value);
}

void out_i64(struct out *o, const char *name, int64_t value)
{
    if (o->json) {
        json_key(&o->writer, str_from(name));
        json_i64(&o->writer, value);
        return;
    }
    BUF_SCOPED(text, 32);
    buf_i64(&text, value);
    if (out_is_page(o))
        put_cell(o, name, buf_view(&text), true);
    else
        put_text(o, name, buf_view(&text));
}

void out_count(struct out *o, const char *name, int64_t value)
{
    if (!out_is_page(o)) {
        out_i64(o, name, value);
        return;
    }
    ARENA_SCOPED(arena);
    put_cell(o, name, words_number(&arena, value), true);
}

void out_i64_unless(struct out *o, const char *name, int64_t value, int64_t none)
{
    if (value == none)
        out_str(o, name, STR_NULL);
    else
        out_i64(o, name, value);
}

void out_bytes_unless(struct out *o, const char *name, int64_t bytes, int64_t none)
{
    if (bytes == none || !out_is_page(o)) {
        out_i64_unless(o, name, bytes, none);
        return;
    }
    ARENA_SCOPED(arena);
    put_cell(o, name, words_bytes(&arena, bytes), false);
}

void out_bool(struct out *o, const char *name, bool value)
{
    if (o->json) {
        json_key(&o->writer, str_from(name));
        json_bool(&o->writer, value);
    } else {
        put_text(o, name, value ? STR("yes") : STR("no"));
    }
}

/* "2026-11-23T01:34:21.357Z" as "2026-11-23 01:34:21Z", which a narrow column can break. */
static void put_moment(struct out *o, const char *name, struct str instant)
{
    BUF_SCOPED(text, INSTANT_TEXT_SIZE);
    buf_str(&text, str_slice(instant, 0, 10));
    buf_char(&text, ' ');
    buf_str(&text, str_slice(instant, 11, 19));
    buf_char(&text, 'Z');
    out_str(o, name, buf_view(&text));
}

void out_instant(struct out *o, const char *name, int64_t ms)
{
    char text[INSTANT_TEXT_SIZE];
    if (ms == INSTANT_NONE) {
        out_str(o, name, STR_NULL);
        return;
    }
    instant_print(ms, text);
    if (out_is_page(o))
        put_moment(o, name, str_of(text, sizeof text));
    else
        out_str(o, name, str_of(text, sizeof text));
}

void out_raw(struct out *o, const char *name, struct str json)
{
    if (o->json) {
        json_key(&o->writer, str_from(name));
        json_raw(&o->writer, json);
    } else {
        put_text(o, name, json);
    }
}

static void end_layout(struct out *o)
{
    if (!grid_same_columns(&o->grid)) {
        print_waiting(o);
        grid_restart(&o->grid);
    }
    grid_row_end(&o->grid);
    if (grid_is_full(&o->grid))
        print_waiting(o);
}

void out_end(struct out *o)
{
    if (out_is_page(o)) {
        end_layout(o);
        return;
    }
    if (o->json) {
        json_object_end(&o->writer);
        buf_char(&o->line, '\n');
    } else if (o->style == OUT_TABLE) {
        if (!o->header_done) {
            buf_char(&o->header, '\n');
            write_view(o, &o->header);
            o->header_done = true;
        }
        buf_char(&o->line, '\n');
    }
    write_view(o, &o->line);
}

/* Each line wrapped, with its own indent before what continues it. */
static void put_wrapped(struct out *o, struct str text)
{
    struct str line;
    buf_reset(&o->laid_out);
    while (str_split(&text, '\n', &line)) {
        size_t indent = 0;
        while (indent < line.n && line.p[indent] == ' ')
            indent++;
        layout_wrap(
            &o->laid_out, str_slice(line, indent, line.n), 0, indent, (size_t)o->terminal.columns);
    }
    write_view(o, &o->laid_out);
    o->printed = true;
}

void out_line(struct out *o, const char *format, ...)
{
    if (o->json)
        return;
    char *text = NULL;
    va_list args;
    va_start(args, format);
    int n = vasprintf(&text, format, args);
    va_end(args);
    if (n < 0)
        return;
    print_waiting(o);
    buf_reset(&o->line);
    hidden_show_lines(&o->line, str_of(text, (size_t)n));
    if (out_is_page(o)) {
        put_wrapped(o, buf_view(&o->line));
    } else {
        buf_char(&o->line, '\n');
        write_view(o, &o->line);
    }
    free(text);
}

void out_page(struct out *o, const struct buf *text)
{
    out_flush(o);
    write_view(o, text);
    o->printed = true;
}

void out_if_empty(struct out *o, const char *line)
{
    if (out_is_page(o) && !o->printed && o->grid.row_count == 0)
        out_line(o, "%s", line);
}
