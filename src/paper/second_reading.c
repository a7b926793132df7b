/* Compares two readings; see second_reading.h. */
#include "paper/second_reading.h"

#include <string.h>

#include "base/utf8.h"
#include "core/cell.h"
#include "paper/house_words.h"

/* The cells that are compared; some are two cells of the first reading. */
static const struct {
    enum cell cell, more; /* CELL_COUNT: no other */
} compared[] = {
    {CELL_ID, CELL_COUNT},           {CELL_OWNER, CELL_COUNT},      {CELL_TICKER, CELL_TICKER_TWO},
    {CELL_ASSET, CELL_ASSET_DETAIL}, {CELL_ASSET_TYPE, CELL_COUNT}, {CELL_TYPE, CELL_COUNT},
    {CELL_DATE, CELL_COUNT},         {CELL_NOTIFIED, CELL_COUNT},   {CELL_AMOUNT, CELL_COUNT},
    {CELL_STATUS, CELL_COUNT},       {CELL_SUBHOLDING, CELL_COUNT}, {CELL_LOCATION, CELL_COUNT},
    {CELL_DESCRIPTION, CELL_COUNT},  {CELL_COMMENT, CELL_COUNT},
};

enum { COMPARED = sizeof compared / sizeof *compared };

struct second_row *second_reading_add(struct second_reading *s, size_t *room, struct arena *arena)
{
    s->rows = arena_grow(arena, s->rows, s->row_count, room, sizeof *s->rows);
    struct second_row *row = &s->rows[s->row_count++];
    memset(row, 0, sizeof *row);
    return row;
}

/* The size of the white space at the start of the text; a no-break space is one. */
static size_t space_size(struct str text)
{
    static const struct str no_break = STR_INIT("\xc2\xa0");
    if (text.n && ascii_is_space(text.p[0]))
        return 1;
    return str_starts(text, no_break) ? no_break.n : 0;
}

/* The next byte that is no white space, of both texts one after the other; -1: none. */
static int next_byte(struct str *text, struct str *more)
{
    for (;;) {
        size_t size = space_size(*text);
        if (size) {
            *text = str_slice(*text, size, text->n);
        } else if (text->n) {
            int byte = (unsigned char)text->p[0];
            *text = str_slice(*text, 1, text->n);
            return byte;
        } else if (more->n) {
            *text = *more;
            *more = STR_NULL;
        } else {
            return -1;
        }
    }
}

/* The start of the text in one line, with single spaces. */
static struct str shown(struct str text, struct arena *arena)
{
    char *out = arena_alloc(arena, text.n + 1);
    size_t n = 0;
    while (text.n) {
        size_t size = space_size(text);
        if (!size)
            out[n++] = text.p[0];
        else if (n && out[n - 1] != ' ')
            out[n++] = ' ';
        text = str_slice(text, size ? size : 1, text.n);
    }
    return utf8_cut(str_trim(str_of(out, n)), SECOND_READING_SHOWN_MAX);
}

static bool are_equal(struct str text, struct str more, struct str other)
{
    struct str none = STR_NULL;
    int a, b;
    do {
        a = next_byte(&text, &more);
        b = next_byte(&other, &none);
    } while (a == b && a >= 0);
    return a == b;
}

struct cell_counts {
    size_t compared, differ, unread;
};

/* Notes the cells of the row that differ. */
static void compare_row(
    struct reading_row *first, const struct second_row *second, struct arena *arena,
    struct cell_counts *counts)
{
    struct str *differ = NULL;
    for (size_t i = 0; i < COMPARED; i++) {
        enum cell cell = compared[i].cell;
        struct str more = compared[i].more == CELL_COUNT ? STR_NULL : first->cell[compared[i].more];
        if (second->unread[cell]) {
            counts->unread++;
            continue;
        }
        counts->compared++;
        if (are_equal(first->cell[cell], more, second->cell[cell]))
            continue;
        counts->differ++;
        if (!differ)
            first->second = differ = ARENA_ARRAY(arena, struct str, CELL_COUNT);
        differ[cell] = shown(second->cell[cell], arena);
    }
}

/* "rows: 3, cells: 42, different: 0, not compared: 1" */
static struct str detail_of(size_t rows, const struct cell_counts *counts, struct arena *arena)
{
    struct str text = arena_fmt(
        arena, "rows: %zu, cells: %zu, different: %zu", rows, counts->compared, counts->differ);
    return counts->unread
               ? arena_fmt(arena, "%.*s, not compared: %zu", STR_ARG(text), counts->unread)
               : text;
}

void second_reading_check(
    struct reading *first, const struct second_reading *second, struct arena *arena)
{
    bool same = first->row_count == second->row_count;
    struct cell_counts counts = {0};
    for (size_t i = 0; i < first->row_count && same; i++)
        compare_row(&first->rows[i], &second->rows[i], arena, &counts);
    struct str detail = same ? detail_of(first->row_count, &counts, arena)
                             : arena_fmt(
                                   arena, "rows: %zu, in the second reading: %zu", first->row_count,
                                   second->row_count);
    reading_check_add(first, STR("second_reading"), same, detail);
}

void house_ptr_read_twice(
    struct str bbox, const struct pdf_facts *facts, struct arena *arena, struct reading *ret)
{
    struct str text;
    struct second_reading second;
    house_ptr_read(bbox, facts, arena, ret);
    if (ret->kind != READING_HOUSE_PTR ||
        !house_words_in_order(bbox, facts->capitals > 0, arena, &text))
        return;
    house_second_read(text, arena, &second);
    second_reading_check(ret, &second, arena);
}

void senate_page_read_twice(struct str html, struct arena *arena, struct reading *ret)
{
    struct second_reading second;
    senate_page_read(html, arena, ret);
    if (ret->kind != READING_SENATE_PTR)
        return;
    senate_second_read(html, arena, &second);
    second_reading_check(ret, &second, arena);
}
