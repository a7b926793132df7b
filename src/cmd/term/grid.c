/* Aligned tables; see grid.h. */
#include "cmd/term/grid.h"

#include <assert.h>

#include "base/mem.h"
#include "cmd/term/layout.h"

enum {
    GAP = 2,              /* columns between two columns of the table */
    LAST_COLUMN_MIN = 24, /* room of a last column that flows over the edge */
    CELL_LINES_MAX = 4,   /* a cell of more lines is harder to read than a folded row */
    FOLD_INDENT = 4,
};

void grid_init(struct grid *t)
{
    *t = (struct grid){0};
    buf_init(&t->text, GRID_TEXT_MAX);
    buf_init(&t->names, GRID_TEXT_MAX);
}

void grid_finish(struct grid *t)
{
    buf_finish(&t->text);
    buf_finish(&t->names);
    mem_free(t->cells);
    *t = (struct grid){0};
}

static size_t first_of_current_row(const struct grid *t)
{
    return t->row_count * t->column_count;
}

void grid_cell(struct grid *t, const char *name, struct str value, enum paint paint, bool number)
{
    assert(t->cell_count - first_of_current_row(t) < GRID_COLUMNS_MAX);
    t->cells = mem_grow(t->cells, t->cell_count, &t->cells_max, sizeof *t->cells);
    struct grid_cell *cell = &t->cells[t->cell_count++];
    *cell = (struct grid_cell){.paint = paint, .number = number, .name_at = t->text.n};
    buf_camel(&t->text, name);
    cell->name_n = t->text.n - cell->name_at;
    cell->at = t->text.n;
    buf_str(&t->text, value);
    cell->n = t->text.n - cell->at;
}

static struct str name_of(const struct grid *t, const struct grid_cell *cell)
{
    return str_slice(buf_view(&t->text), cell->name_at, cell->name_at + cell->name_n);
}

static struct str value_of(const struct grid *t, const struct grid_cell *cell)
{
    return str_slice(buf_view(&t->text), cell->at, cell->at + cell->n);
}

bool grid_same_columns(const struct grid *t)
{
    struct str names = buf_view(&t->names), name;
    if (t->column_count == 0)
        return true;
    for (size_t i = first_of_current_row(t); i < t->cell_count; i++)
        if (!str_split(&names, '\t', &name) || !str_eq(name, name_of(t, &t->cells[i])))
            return false;
    return str_is_null(names);
}

void grid_row_end(struct grid *t)
{
    size_t first = first_of_current_row(t);
    for (size_t i = first; i < t->cell_count && t->column_count == 0; i++) {
        if (i > first)
            buf_char(&t->names, '\t');
        buf_str(&t->names, name_of(t, &t->cells[i]));
    }
    t->column_count = t->cell_count - first;
    t->row_count++;
}

bool grid_is_full(const struct grid *t)
{
    return t->row_count >= GRID_ROWS_MAX || t->text.n > GRID_TEXT_MAX / 2;
}

static size_t longest_word(struct str text)
{
    struct str word;
    size_t longest = 0;
    while (str_split(&text, ' ', &word)) {
        size_t wide = layout_columns(word);
        longest = wide > longest ? wide : longest;
    }
    return longest;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

struct measure {
    size_t word, value, name; /* the widest word of all, and the widest whole value and name */
};

static void measure(const struct grid *t, struct measure measures[GRID_COLUMNS_MAX])
{
    for (size_t i = 0; i < t->row_count * t->column_count; i++) {
        struct measure *m = &measures[i % t->column_count];
        struct str name = name_of(t, &t->cells[i]), value = value_of(t, &t->cells[i]);
        m->word = larger(m->word, larger(longest_word(name), longest_word(value)));
        m->value = larger(m->value, layout_columns(value));
        m->name = larger(m->name, layout_columns(name));
    }
}

/* The widest line of the cell in a column of this width. */
static size_t widest_line(struct str value, size_t width)
{
    struct str line;
    size_t widest = 0;
    while (layout_next_line(&value, width, &line))
        widest = larger(widest, layout_columns(line));
    return widest;
}

/* Takes back what a wrapped column has without use. */
static void tighten(struct grid *t, size_t *left)
{
    size_t used[GRID_COLUMNS_MAX] = {0};
    for (size_t i = 0; i < t->row_count * t->column_count; i++) {
        size_t at = i % t->column_count;
        size_t wide = larger(
            widest_line(name_of(t, &t->cells[i]), t->widths[at]),
            widest_line(value_of(t, &t->cells[i]), t->widths[at]));
        used[at] = larger(used[at], wide);
    }
    for (size_t i = 0; i < t->column_count; i++)
        if (used[i] < t->widths[i]) {
            *left += t->widths[i] - used[i];
            t->widths[i] = used[i];
        }
}

/* A long word of the last column flows over the edge. Its other words are wrapped at the edge. */
static void wrap_last_column(struct grid *t, size_t columns)
{
    size_t n = t->column_count, used = GAP * (n - 1);
    for (size_t i = 0; i + 1 < n; i++)
        used += t->widths[i];
    if (used + LAST_COLUMN_MIN <= columns && used + t->widths[n - 1] > columns)
        t->widths[n - 1] = columns - used;
}

/* Gives each column its widest value if all fit, or shares the room that is left after the longest
 * word of each. False: not even those fit, or a cell would be tall. */
static bool share_columns(struct grid *t, size_t columns)
{
    struct measure measures[GRID_COLUMNS_MAX] = {0};
    size_t n = t->column_count, used = GAP * (n - 1);
    measure(t, measures);
    for (size_t i = 0; i < n; i++) {
        t->widths[i] = measures[i].word;
        used +=
            i + 1 < n || measures[i].word < LAST_COLUMN_MIN ? measures[i].word : LAST_COLUMN_MIN;
    }
    if (used > columns)
        return false;
    size_t left = columns - used;
    /* One column at a time: what a short one lacks is found before a long one has taken it. */
    for (bool grown = true; grown;) {
        grown = false;
        for (size_t i = 0; i < n && left > 0; i++)
            if (t->widths[i] < measures[i].value) {
                t->widths[i]++;
                left--;
                grown = true;
            }
    }
    tighten(t, &left);
    for (size_t i = 0; i < n; i++) {
        size_t more = measures[i].name > t->widths[i] ? measures[i].name - t->widths[i] : 0;
        if (measures[i].value > CELL_LINES_MAX * t->widths[i])
            return false;
        if (more > left)
            continue;
        t->widths[i] += more;
        left -= more;
    }
    wrap_last_column(t, columns);
    return true;
}

static void put_padded(
    const struct terminal *terminal, struct buf *to, const struct grid_cell *cell, struct str line,
    enum paint paint, size_t width, bool last)
{
    size_t wide = layout_columns(line);
    size_t pad = wide < width ? width - wide : 0;
    if (cell->number)
        layout_spaces(to, pad);
    terminal_paint(terminal, to, paint, line);
    if (!last)
        layout_spaces(to, (cell->number ? 0 : pad) + GAP);
}

static bool any_rest(const struct str *rests, size_t from, size_t n)
{
    for (size_t i = from; i < n; i++)
        if (!str_is_null(rests[i]))
            return true;
    return false;
}

/* One row of the table: as many lines as its cell with the most lines. */
static void put_row(
    const struct grid *t, const struct terminal *terminal, struct buf *to,
    const struct grid_cell *row, bool names)
{
    struct str rests[GRID_COLUMNS_MAX];
    size_t n = t->column_count;
    for (size_t i = 0; i < n; i++)
        rests[i] = names ? name_of(t, &row[i]) : value_of(t, &row[i]);
    while (any_rest(rests, 0, n)) {
        for (size_t i = 0; i < n; i++) {
            struct str line = STR("");
            layout_next_line(&rests[i], t->widths[i], &line);
            put_padded(
                terminal, to, &row[i], line, names ? PAINT_STRONG : row[i].paint, t->widths[i],
                i + 1 == n);
        }
        while (to->n > 0 && to->p[to->n - 1] == ' ')
            to->n--;
        buf_char(to, '\n');
    }
}

static void put_block(
    const struct grid *t, const struct terminal *terminal, struct buf *to,
    const struct grid_cell *row)
{
    size_t width = 0, n = t->column_count;
    for (size_t i = 0; i < n; i++)
        width = larger(width, layout_columns(name_of(t, &row[i])));
    for (size_t i = 0; i < n; i++) {
        struct str name = name_of(t, &row[i]), rest = value_of(t, &row[i]), line;
        size_t columns = (size_t)terminal->columns;
        size_t room = columns > width + GAP + LAST_COLUMN_MIN ? columns - width - GAP : columns;
        terminal_paint(terminal, to, PAINT_FAINT, name);
        layout_spaces(to, width - layout_columns(name) + GAP);
        for (bool first = true; layout_next_line(&rest, room, &line); first = false) {
            layout_spaces(to, first ? 0 : width + GAP);
            terminal_paint(terminal, to, row[i].paint, line);
            buf_char(to, '\n');
        }
    }
}

static bool is_none(struct str value)
{
    return str_eq(value, STR("-"));
}

static void put_folded(
    const struct grid *t, const struct terminal *terminal, struct buf *to,
    const struct grid_cell *row)
{
    size_t n = t->column_count, columns = (size_t)terminal->columns, at = 0;
    for (size_t i = 0; i < n && i < 2; i++) {
        if (i > 0)
            layout_spaces(to, GAP);
        terminal_paint(
            terminal, to, row[i].paint ? row[i].paint : PAINT_STRONG, value_of(t, &row[i]));
    }
    for (size_t i = 2; i < n; i++) {
        struct str name = name_of(t, &row[i]), rest = value_of(t, &row[i]), line;
        if (is_none(rest))
            continue;
        size_t wide = layout_columns(name) + 1 + layout_columns(rest);
        if (at == 0 || at + 3 + wide > columns) {
            buf_char(to, '\n');
            layout_spaces(to, FOLD_INDENT);
            at = FOLD_INDENT;
        } else {
            buf_char(to, ' ');
            terminal_paint(
                terminal, to, PAINT_FAINT, str_from(terminal_glyph(terminal, GLYPH_DOT)));
            buf_char(to, ' ');
            at += 3;
        }
        terminal_paint(terminal, to, PAINT_FAINT, name);
        buf_char(to, ' ');
        at += wide;
        size_t room = columns > FOLD_INDENT + layout_columns(name) + 1
                          ? columns - FOLD_INDENT - layout_columns(name) - 1
                          : columns;
        for (bool first = true; layout_next_line(&rest, room, &line); first = false) {
            if (!first) {
                buf_char(to, '\n');
                layout_spaces(to, FOLD_INDENT + layout_columns(name) + 1);
            }
            terminal_paint(terminal, to, row[i].paint, line);
        }
    }
    buf_char(to, '\n');
}

/* Forgets the complete rows; the current row becomes the first. */
static void forget(struct grid *t)
{
    size_t first = first_of_current_row(t);
    size_t text_at = first < t->cell_count ? t->cells[first].name_at : t->text.n;
    memmove(t->text.p, t->text.p + text_at, t->text.n - text_at);
    t->text.n -= text_at;
    for (size_t i = first; i < t->cell_count; i++) {
        t->cells[i - first] = t->cells[i];
        t->cells[i - first].name_at -= text_at;
        t->cells[i - first].at -= text_at;
    }
    t->cell_count -= first;
    t->row_count = 0;
}

void grid_print_blocks(struct grid *t, const struct terminal *terminal, struct buf *to)
{
    for (size_t row = 0; row < t->row_count; row++) {
        if (t->begun)
            buf_char(to, '\n');
        put_block(t, terminal, to, t->cells + row * t->column_count);
        t->begun = true;
    }
    forget(t);
}

void grid_print(struct grid *t, const struct terminal *terminal, struct buf *to)
{
    if (t->row_count == 0)
        return;
    if (!t->begun)
        t->folded = !share_columns(t, (size_t)terminal->columns);
    if (!t->begun && !t->folded)
        put_row(t, terminal, to, t->cells, true);
    for (size_t row = 0; row < t->row_count; row++) {
        const struct grid_cell *first = t->cells + row * t->column_count;
        if (t->folded)
            put_folded(t, terminal, to, first);
        else
            put_row(t, terminal, to, first, false);
    }
    t->begun = true;
    forget(t);
}

void grid_restart(struct grid *t)
{
    assert(t->row_count == 0);
    buf_reset(&t->names);
    t->column_count = 0;
    t->begun = false;
    t->folded = false;
}
