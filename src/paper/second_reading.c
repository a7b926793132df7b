/* Compares two readings; see second_reading.h. */
#include "paper/second_reading.h"

#include <stdlib.h>

#include "base/utf8.h"
#include "paper/cell/html_cell.h"
#include "paper/house_plain.h"
#include "paper/house_words.h"
#include "paper/html_tags.h"

/*
 * The second reading of a House report. The file draws a table cell by cell,
 * so in the order of drawing a row is: its ID and owner, the lines of its asset, its type, dates
 * and amount, and its labelled details. A page that ends within a row moves the rest of its asset
 * and amount behind the header of the next one.
 */

enum {
    LONG_LINE = 70, /* letters; a shorter line of a detail is its last */
    LABEL_MAX = 40,
    ID_DIGITS_MIN = 8,
};

/* A line of the table's text. */
struct second_line {
    struct str text;
    bool apart;  /* an empty line stands before it */
    bool turned; /* the first of its page */
};

/* Where the reader is, between two rows. */
enum second_state {
    SECOND_TAIL,   /* behind the amount's lower bound */
    SECOND_DETAIL, /* in a labelled text */
    SECOND_HEAD,   /* in the ID, owner and asset of the next row */
    SECOND_OVER,   /* behind the table */
};

struct second_reader {
    struct arena *arena;
    struct second_reading *out;
    size_t room;
    struct str text; /* the lines that are kept, with line ends */
    struct second_line *lines;
    size_t line_count, line_room;
    bool apart, turned; /* of the next line */
    size_t titles;      /* words of the table's header that were found; 0: not in it */
    size_t table;       /* the first line of the table */
    bool has_table;
};

/* What stands between two rows. */
struct second_gap {
    enum second_state state;
    struct second_row *row; /* that it follows; NULL: it is before the first */
    struct str tail;        /* behind the lower bound of its amount */
    enum cell detail;
    struct str last; /* line of the detail */
    bool unclear;    /* whether the head's first line belongs to the detail */
    struct str head;
};

static struct second_row *second_reading_add(
    struct second_reading *s, size_t *room, struct arena *arena);

/* More than a cell can have is dropped: the cell then differs. */
static void append(struct arena *arena, struct str *to, struct str text)
{
    if (text.n && to->n <= READING_CELL_SIZE_MAX)
        *to = to->n ? arena_fmt(arena, "%.*s %.*s", STR_ARG(*to), STR_ARG(text)) : text;
}

/* --- lines */

/* The titles of the columns, in the order of drawing. The last ones may be missing. */
static const char *const titles[] = {
    "ID",   "Owner",  "Asset", "Transaction", "Type", "Date", "Notification",
    "Date", "Amount", "Cap.",  "Gains",       ">",    "$200?"};

enum { TITLES = sizeof titles / sizeof *titles, TITLES_FIRST = 3 };

/* Whether the line is of the table's header, which may go on in the next. */
static bool take_header(struct second_reader *r, struct str line)
{
    struct str word;
    size_t found = r->titles;
    bool taken = true;
    while (taken && str_split(&line, ' ', &word)) {
        taken = found < TITLES && str_eq_nocase(word, str_from(titles[found]));
        found += taken;
    }
    taken = taken && (r->titles || found >= TITLES_FIRST);
    r->titles = taken ? found : 0;
    return taken;
}

/* The check boxes of older forms are letters of a symbol font, each on a line. */
static bool is_box(struct str text)
{
    return text.n == 1 && str_find_char(STR("bcdefg"), text.p[0]) >= 0;
}

/* The first box of a row is on the line of its amount: "Over g". The next one is on a line
 * below. The amount may continue after the next page's header. */
static void cut_box(struct second_reader *r, struct str box)
{
    struct str *last = r->line_count ? &r->lines[r->line_count - 1].text : NULL;
    if (last && box.p[0] == 'f' && last->n > 2 && last->p[last->n - 1] == 'g' &&
        last->p[last->n - 2] == ' ')
        *last = str_trim(str_slice(*last, 0, last->n - 1));
}

static void keep_line(struct second_reader *r, struct str text)
{
    r->lines = arena_grow(r->arena, r->lines, r->line_count, &r->line_room, sizeof *r->lines);
    r->lines[r->line_count++] =
        (struct second_line){.text = text, .apart = r->apart, .turned = r->turned};
    r->apart = r->turned = false;
}

static void add_line(struct second_reader *r, struct str text)
{
    if (!text.n) {
        r->apart = true;
    } else if (take_header(r, text)) {
        if (!r->has_table)
            r->table = r->line_count;
        r->has_table = true;
    } else if (is_box(text)) {
        cut_box(r, text);
    } else if (!house_label_begins(text, STR("Filing ID #"))) {
        keep_line(r, text);
    }
}

/* Keeps the lines without headers, numbers of the report and boxes. */
static void split_lines(struct second_reader *r, struct str text)
{
    struct str page, line;
    for (bool first = true; str_split(&text, '\f', &page); first = false) {
        r->turned |= !first;
        r->titles = 0;
        while (str_split(&page, '\n', &line))
            add_line(r, str_trim(line));
    }
}

/* Puts the lines behind each other, so that a row may break anywhere. */
static void join_lines(struct second_reader *r)
{
    size_t size = 0;
    for (size_t i = 0; i < r->line_count; i++)
        size += r->lines[i].text.n + 1;
    char *p = arena_alloc(r->arena, size + 1);
    r->text = str_of(p, size);
    for (size_t i = 0; i < r->line_count; i++) {
        struct str *line = &r->lines[i].text;
        memcpy(p, line->p, line->n);
        *line = str_of(p, line->n);
        p += line->n;
        *p++ = '\n';
    }
}

/* --- between two rows */

/* The cell whose label the line begins with, and the text behind it; CELL_COUNT: none. */
static enum cell find_label(struct second_reader *r, struct str line, struct str *ret_text)
{
    ptrdiff_t colon = str_find_char(str_slice(line, 0, LABEL_MAX), ':');
    if (colon < 0)
        return CELL_COUNT;
    struct str found = house_label_letters(r->arena, str_slice(line, 0, (size_t)colon));
    *ret_text = str_trim(str_slice(line, (size_t)colon + 1, line.n));
    return house_label_cell(found);
}

/* The note below the table, or the heading of the next part of the form. */
static bool ends_table(struct second_reader *r, const struct second_line *line)
{
    static const struct str headings[] = {
        STR_INIT("ASSETCLASSDETAILS"), STR_INIT("INITIALPUBLICOFFERINGS"), STR_INIT("COMMENTS"),
        STR_INIT("CERTIFICATIONANDSIGNATURE")};
    if (house_label_begins(line->text, STR("* For the complete list")))
        return true;
    if (!line->apart && !line->turned)
        return false;
    struct str found = house_label_letters(r->arena, line->text);
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        if (str_eq(found, headings[i]))
            return true;
    return false;
}

static void begin_head(struct second_reader *r, struct second_gap *gap, struct str text)
{
    gap->state = SECOND_HEAD;
    append(r->arena, &gap->head, text);
}

/* A line in or behind a labelled text. */
static void continue_detail(
    struct second_reader *r, struct second_gap *gap, const struct second_line *line)
{
    if (line->apart) {
        begin_head(r, gap, line->text);
    } else if (line->turned) {
        gap->unclear = gap->last.n >= LONG_LINE;
        begin_head(r, gap, line->text);
    } else {
        append(r->arena, &gap->row->cell[gap->detail], line->text);
        gap->last = line->text;
    }
}

/* A label follows, so that what seemed to be the next row's head belongs to the detail. */
static void settle_detail(struct second_reader *r, struct second_gap *gap)
{
    if (!gap->unclear)
        return;
    append(r->arena, &gap->row->cell[gap->detail], gap->head);
    gap->head = STR_NULL;
    gap->unclear = false;
}

static void add_to_gap(
    struct second_reader *r, struct second_gap *gap, const struct second_line *line)
{
    struct str text;
    if (gap->state == SECOND_OVER || ends_table(r, line)) {
        gap->state = SECOND_OVER;
        return;
    }
    /* Above the first row, a label belongs to none. */
    bool may_be_label = gap->row && (gap->state != SECOND_HEAD || gap->unclear);
    enum cell label = may_be_label ? find_label(r, line->text, &text) : CELL_COUNT;
    if (label != CELL_COUNT) {
        settle_detail(r, gap);
        gap->state = SECOND_DETAIL;
        gap->detail = label;
        gap->last = line->text;
        append(r->arena, &gap->row->cell[label], text);
    } else if (gap->state == SECOND_TAIL) {
        append(r->arena, &gap->tail, line->text);
    } else if (gap->state == SECOND_DETAIL) {
        continue_detail(r, gap, line);
    } else {
        append(r->arena, &gap->head, line->text);
    }
}

/* Reads the lines, and parts of lines, from one place of the text to another. */
static void read_gap(
    struct second_reader *r, size_t *at_line, const char *from, const char *to,
    struct second_gap *gap)
{
    for (; *at_line < r->line_count; ++*at_line) {
        struct second_line line = r->lines[*at_line];
        const char *begin = line.text.p, *end = line.text.p + line.text.n;
        if (begin >= to)
            return;
        if (end <= from)
            continue;
        bool whole = begin >= from;
        begin = whole ? begin : from;
        line.text = str_trim(str_of(begin, (size_t)((end < to ? end : to) - begin)));
        line.apart &= whole;
        line.turned &= whole;
        if (line.text.n)
            add_to_gap(r, gap, &line);
        if (end > to)
            return; /* its rest is behind the row */
    }
}

/* --- the cells */

static bool is_dollars(struct str word)
{
    return word.n > 1 && word.p[0] == '$' && ascii_is_digit(word.p[1]);
}

/* The rest of the amount, and of what a page's end cut off: "- $15,000 Stock (ABC) [ST]". */
static void read_tail(struct second_reader *r, struct second_gap *gap)
{
    struct str *cell = gap->row->cell, rest = gap->tail, word, held = STR_NULL;
    bool range = false, upper = false;
    while (str_split(&rest, ' ', &word)) {
        if (!range && str_eq(word, STR("-"))) {
            range = true;
            append(r->arena, &cell[CELL_AMOUNT], word);
        } else if (range && !upper && is_dollars(word) && (str_is_null(held) || !rest.n)) {
            upper = true;
            append(r->arena, &cell[CELL_AMOUNT], word);
        } else if (
            str_eq_nocase(word, STR("(partial)")) && str_eq_nocase(cell[CELL_TYPE], STR("S"))) {
            append(r->arena, &cell[CELL_TYPE], word);
        } else if (!is_box(word)) {
            append(r->arena, &held, word);
        }
    }
    append(r->arena, &cell[CELL_ASSET], held);
}

static bool is_number(struct str word)
{
    for (size_t i = 0; i < word.n; i++)
        if (!ascii_is_digit(word.p[i]))
            return false;
    return word.n >= ID_DIGITS_MIN;
}

static bool is_owner(struct str word)
{
    static const struct str owners[] = {STR_INIT("SP"), STR_INIT("JT"), STR_INIT("DC")};
    for (size_t i = 0; i < sizeof owners / sizeof *owners; i++)
        if (str_eq_nocase(word, owners[i]))
            return true;
    return false;
}

/* "2000115357 SP Harbor Tools, Inc. (HRBR)" */
static void read_head(struct second_row *row, const struct second_gap *gap)
{
    struct str rest = gap->head, after = rest, word;
    row->unread[CELL_ID] = row->unread[CELL_OWNER] = row->unread[CELL_ASSET] = gap->unclear;
    if (str_split(&after, ' ', &word) && is_number(word)) {
        row->cell[CELL_ID] = word;
        rest = after;
    }
    after = rest;
    if (str_split(&after, ' ', &word) && is_owner(word)) {
        row->cell[CELL_OWNER] = word;
        rest = after;
    }
    row->cell[CELL_ASSET] = str_trim(rest);
}

static void read_pattern(
    struct second_reader *r, const struct house_plain_row *found, struct second_row *row)
{
    append(r->arena, &row->cell[CELL_ASSET], found->between);
    row->cell[CELL_TYPE] = found->type;
    row->cell[CELL_DATE] = found->date;
    row->cell[CELL_NOTIFIED] = found->notified;
    row->cell[CELL_AMOUNT] = found->over;
    append(r->arena, &row->cell[CELL_AMOUNT], found->amount);
}

/* --- the table */

/* Finds the next row from `from` on; false: there is none. *ret_at: its first byte. */
static bool next_row(
    struct str text, struct str *from, struct house_plain_row *ret, const char **ret_at)
{
    for (; from->n; *from = str_slice(*from, 1, from->n)) {
        bool begins_word = from->p == text.p || ascii_is_space(from->p[-1]);
        *ret_at = from->p;
        if (begins_word && house_plain_take(from, ret))
            return true;
    }
    return false;
}

static void end_gap(struct second_reader *r, struct second_gap *gap)
{
    if (!gap->row)
        return;
    read_tail(r, gap);
    if (gap->unclear)
        gap->row->unread[gap->detail] = true;
}

static void read_rows(struct second_reader *r)
{
    struct second_gap gap = {.state = SECOND_HEAD, .unclear = !r->has_table};
    struct house_plain_row found;
    struct str rest = r->text;
    const char *end = r->text.p + r->text.n, *from = r->text.p, *at;
    size_t line = r->has_table ? r->table : 0;
    while (r->out->row_count < READING_ROWS_MAX && next_row(r->text, &rest, &found, &at)) {
        read_gap(r, &line, from, at, &gap);
        end_gap(r, &gap);
        struct second_row *row = second_reading_add(r->out, &r->room, r->arena);
        row->row = (int)r->out->row_count;
        read_head(row, &gap);
        read_pattern(r, &found, row);
        gap = (struct second_gap){.state = SECOND_TAIL, .row = row};
        from = rest.p;
    }
    read_gap(r, &line, from, end, &gap);
    gap.unclear = false;
    end_gap(r, &gap);
}

void house_second_read(struct str text, struct arena *arena, struct second_reading *ret)
{
    struct second_reader r = {.arena = arena, .out = ret};
    *ret = (struct second_reading){.row_count = 0};
    split_lines(&r, text);
    join_lines(&r);
    read_rows(&r);
}

/*
 * The second reading of a Senate page. It goes through the tags and texts as
 * they stand in the file: nine titles of columns, then nine cells for each row, up to the end of
 * the table. Of a cell it knows only the whole text.
 */

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

/* Appends a row, in memory of the arena. `room` begins with 0. */
static struct second_row *second_reading_add(
    struct second_reading *s, size_t *room, struct arena *arena)
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
