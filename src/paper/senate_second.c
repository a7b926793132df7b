/*
 * The second reading of a Senate page; see second_reading.h. It goes through the tags and texts as
 * they stand in the file: nine titles of columns, then nine cells for each row, up to the end of
 * the table. Of a cell it knows only the whole text.
 */
#include <stdlib.h>

#include "base/buf.h"
#include "core/html_cell.h"
#include "paper/html_tags.h"
#include "paper/second_reading.h"

enum { COLUMNS = 9, NAME_MAX = 16 };

/* The titles, and the cells; a symbol is CELL_TICKER alone, an asset CELL_ASSET alone. */
static const struct {
    struct str title;
    enum cell cell;
} columns[COLUMNS] = {
    {STR_INIT("#"), CELL_ID},
    {STR_INIT("Transaction Date"), CELL_DATE},
    {STR_INIT("Owner"), CELL_OWNER},
    {STR_INIT("Ticker"), CELL_TICKER},
    {STR_INIT("Asset Name"), CELL_ASSET},
    {STR_INIT("Asset Type"), CELL_ASSET_TYPE},
    {STR_INIT("Type"), CELL_TYPE},
    {STR_INIT("Amount"), CELL_AMOUNT},
    {STR_INIT("Comment"), CELL_COMMENT},
};

struct second_page {
    struct arena *arena;
    struct second_reading *out;
    size_t room;
    struct buf text; /* of the cell at hand */
    bool in_cell, is_title, in_table;
    size_t count; /* cells of the row, or titles, so far */
    struct str cells[COLUMNS];
};

/* --- cells and rows */

/* Texts are decoded twice, because some cells were encoded twice. */
static struct str cell_text(struct second_page *p)
{
    struct str once = html_cell_decode(p->arena, buf_view(&p->text));
    return str_trim(str_find_char(once, '&') < 0 ? once : html_cell_decode(p->arena, once));
}

static void end_row(struct second_page *p)
{
    if (p->in_table && p->count == COLUMNS) {
        struct second_row *row = second_reading_add(p->out, &p->room, p->arena);
        for (size_t c = 0; c < COLUMNS; c++)
            row->cell[columns[c].cell] = p->cells[c];
    }
    p->count = 0;
}

/* A cell more than nine makes none of them a row. */
static void end_cell(struct second_page *p)
{
    if (!p->in_cell)
        return;
    p->in_cell = false;
    struct str text = cell_text(p);
    if (p->is_title && (p->count >= COLUMNS || !str_eq(text, columns[p->count].title)))
        p->count = 0;
    else if (p->count++ < COLUMNS)
        p->cells[p->count - 1] = text;
    if (p->is_title && p->count == COLUMNS) {
        p->in_table = true;
        p->count = 0;
    }
}

static void begin_cell(struct second_page *p, bool is_title)
{
    end_cell(p);
    p->in_cell = true;
    p->is_title = is_title;
    buf_reset(&p->text);
}

static void read_tag(struct second_page *p, const struct html_piece *tag)
{
    if (html_piece_is(tag, "th") || html_piece_is(tag, "td")) {
        begin_cell(p, html_piece_is(tag, "th"));
    } else if (html_piece_is(tag, "/th") || html_piece_is(tag, "/td")) {
        end_cell(p);
    } else if (html_piece_is(tag, "tr") || html_piece_is(tag, "/tr")) {
        end_cell(p);
        end_row(p);
    } else if (html_piece_is(tag, "table") || html_piece_is(tag, "/table")) {
        end_cell(p);
        end_row(p);
        p->in_table = false;
    } else if (p->in_cell) {
        buf_char(&p->text, ' ');
    }
}

static void read_tags(struct second_page *p, struct str html)
{
    while (html.n) {
        struct html_piece piece = html_tags_take(&html);
        if (piece.part == HTML_TAG)
            read_tag(p, &piece);
        for (size_t i = 0; p->in_cell && i < piece.text.n; i++)
            if (piece.text.p[i] != '\0') /* which browsers drop */
                buf_char(&p->text, piece.text.p[i]);
    }
    end_cell(p);
    end_row(p);
}

/* --- the order of rows */

static int by_number(const void *a, const void *b)
{
    const struct second_row *x = a, *y = b;
    return (x->row > y->row) - (x->row < y->row);
}

/* By the numbers that are printed; if one of them is none, or there twice, from the last row up. */
static void number_rows(struct second_reading *out)
{
    bool taken[READING_ROWS_MAX + 1] = {false}, sound = true;
    for (size_t i = 0; i < out->row_count && sound; i++) {
        int64_t number;
        sound = str_to_i64(out->rows[i].cell[CELL_ID], &number) && number >= 1 &&
                number <= READING_ROWS_MAX && !taken[number];
        if (!sound)
            break;
        taken[number] = true;
        out->rows[i].row = (int)number;
    }
    for (size_t i = 0; i < out->row_count && !sound; i++)
        out->rows[i].row = (int)(out->row_count - i);
    if (out->row_count)
        qsort(out->rows, out->row_count, sizeof *out->rows, by_number);
}

void senate_second_read(struct str html, struct arena *arena, struct second_reading *ret)
{
    struct second_page p = {.arena = arena, .out = ret};
    *ret = (struct second_reading){.row_count = 0};
    buf_init(&p.text, html.n + 1);
    read_tags(&p, html);
    buf_finish(&p.text);
    number_rows(ret);
}
