/* From a scanned page to a reading; see scan_reading.h. */
#include "paper/scan_reading.h"

#include "base/hidden.h"
#include "base/utf8.h"

/* One line, without white space at its ends or doubled; null stays null. */
static struct str line_of(struct str text, size_t size_max, struct arena *arena)
{
    if (str_is_null(text))
        return STR_NULL;
    text = utf8_cut(text, size_max);
    char *line = arena_alloc(arena, text.n + 1);
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++) {
        char c = ascii_is_space(text.p[i]) ? ' ' : text.p[i];
        if (c != ' ' || (n && line[n - 1] != ' '))
            line[n++] = c;
    }
    return str_trim(str_of(line, n));
}

/* A reason may quote what was read, hidden characters and all; then it is replaced. */
static struct str reason_of(struct str reason, struct arena *arena)
{
    struct str line = line_of(reason, CELL_REASON_MAX, arena);
    return str_is_null(line) || hidden_free_line(line) ? line
                                                       : STR("what was read has hidden characters");
}

static struct cell_source take_cell(
    const struct scan_row *from, enum cell cell, struct arena *arena, struct str *ret)
{
    struct str text = line_of(from->cell[cell], READING_CELL_SIZE_MAX, arena);
    if (!str_is_null(text) && !hidden_free_line(text))
        return (struct cell_source){.reason = STR("its text has a hidden character")};
    if (from->source[cell].how != CELL_NOT_READ)
        *ret = text;
    return (struct cell_source){
        .how = from->source[cell].how,
        .reason = reason_of(from->source[cell].reason, arena),
    };
}

static void take_row(
    const struct scan_row *from, int page, struct arena *arena, struct reading_row *ret)
{
    struct cell_source *source = ARENA_ARRAY(arena, struct cell_source, CELL_COUNT);
    *ret = (struct reading_row){
        .page = page, .status = READING_NEW, .place = from->place, .source = source};
    for (int c = 0; c < CELL_COUNT; c++)
        source[c] = take_cell(from, (enum cell)c, arena, &ret->cell[c]);
}

void scan_reading(
    const struct scan_page *page, int number, struct arena *arena, struct reading *ret)
{
    struct reading_page *only = ARENA_NEW(arena, struct reading_page);
    *only = (struct reading_page){
        .page = number,
        .turn = page->turn,
        .skew = page->skew,
        .form = scan_form_name(page->form),
        .reason = reason_of(page->reason, arena),
    };
    *ret = (struct reading){
        .kind = READING_HOUSE_SCAN,
        .rows = ARENA_ARRAY(arena, struct reading_row, page->row_count + 1),
        .pages = only,
        .page_count = 1,
    };
    for (size_t i = 0; i < page->row_count && ret->row_count < READING_ROWS_MAX; i++)
        if (page_place_is_valid(&page->rows[i].place)) {
            struct reading_row *row = &ret->rows[ret->row_count++];
            take_row(&page->rows[i], number, arena, row);
            row->row = (int)ret->row_count;
        }
}
