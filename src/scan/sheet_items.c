/* What goes on the sheet; see sheet_items.h. */
#include "scan/sheet_items.h"

#include <stdlib.h>

#include "base/hidden.h"
#include "base/search.h"

/* Filled lines. */

enum {
    HEAD_HALVES = 3, /* a head is at least 3/2 as tall as most bands */
    TWO = 2,
    LABEL_INK = 20,       /* thousandths, in the cells of a head */
    LABELS_PERCENT = 70,  /* of the amounts have one */
    EXAMPLE_PERCENT = 88, /* of the height of most lines: the example is lower than that */
    EXAMPLE_AFTER = 2,    /* bands after the head, at most: a stray line may part it */
    ABOVE_MIN = 3,        /* long lines above the table of a first page */
    MARKED_MAX = 4,       /* amounts with marks: more are a bar, or the Senate's example */
    FACTS_MIN = 2,        /* of type, amount and date: a title, or noise, may have one */
    JOINED_MAX = 3,       /* lines without rules between them: what is taller belongs to the head */
    DOUBLE_LEAST = 175,   /* percent of the height of most lines: two lines without a rule */
    DOUBLE_MOST = 225,
    LOW_PART = 3, /* one of so many bands is low, if the sides of boxes part lines */
    PERCENT = 100,

    /* Measured on worse scans of 205 pages. */
    RULED_INK = 100, /* dots: marks of a ruled form have 143 at least, rests of lines 57 at most */
    UNLIKE = 6,      /* times the other mark's ink: in rows 2.8 at most, in titles 19 at least */
};

#define NARROW_DATES 2.2 /* times the width of an amount, in the narrow form */
#define LIST_HEIGHT 45   /* dots: lines of a typed list are lower, those of a form taller */
#define LINE_TALLEST 1.5 /* times the width of an amount: what is taller is two lines of a form */

static int height_of(const struct page_table *table, int band)
{
    return table->band[band]->bottom - table->band[band]->top;
}

static int usual_height(const struct page_table *table, struct arena *arena)
{
    int *heights = ARENA_ARRAY(arena, int, (size_t)table->band_count + 1);
    for (int i = 0; i < table->band_count; i++)
        heights[i] = height_of(table, i);
    qsort(heights, (size_t)table->band_count, sizeof *heights, order_ints);
    return heights[table->band_count / TWO];
}

/* How many cells of amounts have ink, in percent. */
static int inked_amounts(const struct bitmap *map, const struct page_table *table, int band)
{
    int inked = 0;
    for (int c = 0; c < table->columns.count; c++)
        if (table->columns.role[c] == COLUMN_AMOUNT)
            inked += area_ink(map, cell_inside(map, table, band, c)) >= LABEL_INK ? 1 : 0;
    return PERCENT * inked / table->columns.amounts;
}

static double width_of(const struct columns *columns, enum column_role role)
{
    int sum = 0, count = 0;
    for (int c = 0; c < columns->count; c++)
        if (columns->role[c] == role) {
            sum += columns->at[c + 1] - columns->at[c];
            count++;
        }
    return count ? (double)sum / count : 0;
}

static enum scan_form form_of(const struct page_table *table, const struct boxes *boxes, int height)
{
    const struct columns *c = &table->columns;
    if (boxes->found)
        return width_of(c, COLUMN_DATE) >= NARROW_DATES * width_of(c, COLUMN_AMOUNT)
                   ? SCAN_FORM_HOUSE_NARROW
                   : SCAN_FORM_HOUSE_BOXES;
    if (c->dates == 1 && c->types == 3)
        return SCAN_FORM_SENATE;
    return c->types == 3 && c->amounts == 10 && height >= LIST_HEIGHT ? SCAN_FORM_HOUSE_RULED
                                                                      : SCAN_FORM_HOUSE_LIST;
}

/* The House prints its example below the head of the first page. */
static bool is_at_example(const struct page_table *table, const struct filled *filled, int band)
{
    return filled->form != SCAN_FORM_SENATE && band <= filled->head + EXAMPLE_AFTER &&
           table->above >= ABOVE_MIN;
}

/* Its line is lower than the others. */
static bool is_example(
    const struct page_table *table, const struct filled *filled, int band, int height)
{
    return filled->form != SCAN_FORM_HOUSE_LIST && is_at_example(table, filled, band) &&
           PERCENT * height_of(table, band) < EXAMPLE_PERCENT * height;
}

/* Whether the sides of printed boxes part its lines: then many bands are too low for a text. A list
 * has no such bands. */
static bool has_box_sides(const struct page_table *table, int first, int height)
{
    int low = 0;
    for (int b = first; b < table->band_count; b++)
        low += TWO * height_of(table, b) < height ? 1 : 0;
    return low > 0 && LOW_PART * low >= table->band_count - first;
}

/* The example of a form whose boxes were not found, so that the form looks like a list. Its line
 * may be as tall as the others. */
static bool is_example_of_boxes(
    const struct page_table *table, const struct filled *filled, int band, int height)
{
    return filled->form == SCAN_FORM_HOUSE_LIST && is_at_example(table, filled, band) &&
           has_box_sides(table, filled->head + 1, height);
}

/* Lines of a form are as tall as amounts are wide. If the rule between two is missing on the page,
 * the marks of both would make one row that neither of them is. */
static bool is_two_lines(const struct page_table *table, const struct filled *filled, int band)
{
    return filled->form != SCAN_FORM_HOUSE_LIST &&
           height_of(table, band) > LINE_TALLEST * width_of(&table->columns, COLUMN_AMOUNT);
}

/* The marks in the columns of one role. */
struct role_marks {
    int inked;     /* cells with clear ink, spilled ink included */
    int marked;    /* those without spilled ink */
    int strongest; /* ink, as in struct scan_mark */
};

static struct role_marks marks_of(
    const struct page_table *table, const struct filled_line *line, enum column_role role)
{
    struct role_marks ret = {0};
    struct scan_mark group[COLUMNS_MAX] = {{0}};
    enum mark_verdict verdict[COLUMNS_MAX];
    int count = 0;
    for (int c = 0; c < table->columns.count; c++)
        if (table->columns.role[c] == role)
            group[count++] = line->mark[c];
    marks_judge(group, count, verdict);
    for (int i = 0; i < count; i++) {
        ret.inked += group[i].clear ? 1 : 0;
        ret.marked += verdict[i] == MARK_CLEAR ? 1 : 0;
        ret.strongest = group[i].strength > ret.strongest ? group[i].strength : ret.strongest;
    }
    return ret;
}

/* Whether a line without a date is a head or a title. In a form without boxes any ink in a cell may
 * be a mark: a head has ink in most amounts, and a title may have letters as a type and a rest of
 * the table's edge as an amount. */
static bool is_label(struct role_marks types, struct role_marks amounts)
{
    return amounts.inked >= MARKED_MAX || types.strongest >= UNLIKE * amounts.strongest ||
           amounts.strongest >= UNLIKE * types.strongest;
}

/* false: the line is empty, or a bar, or a title: it has no name of an asset, or nothing else. */
static bool measure(
    const struct bitmap *map, const struct page_table *table, const struct filled *filled,
    struct filled_line *line)
{
    bool named = false, dated = false;
    int least = filled->form == SCAN_FORM_HOUSE_RULED ? RULED_INK : 0;
    for (int c = 0; c < table->columns.count; c++) {
        enum column_role role = table->columns.role[c];
        struct area area = cell_mark_area(map, table, &filled->boxes, line->band, c);
        if (role == COLUMN_TYPE || role == COLUMN_AMOUNT) {
            line->mark[c] = mark_measure(map, area, filled->boxes.found);
            continue;
        }
        /* owners' letters are as tall as their cells, and so are the lines of lists */
        line->text[c] = mark_is_text(map, area, !filled->boxes.found || role == COLUMN_OWNER);
        named = named || (role == COLUMN_ASSET && line->text[c]);
        if (line->text[c] && (role == COLUMN_DATE || role == COLUMN_NOTIFIED)) {
            /* the low lines of lists are full of text */
            bool ends = filled->form != SCAN_FORM_HOUSE_LIST;
            line->touched[c] = mark_touches_side(map, area, ends);
            dated = true;
        }
    }
    struct role_marks types = marks_of(table, line, COLUMN_TYPE);
    struct role_marks amounts = marks_of(table, line, COLUMN_AMOUNT);
    /* of a printed box that lies askew, the frame looks like a mark */
    bool framed = filled->boxes.found && dated && types.marked == 1;
    if (!named || (amounts.marked >= MARKED_MAX && !framed))
        return false;
    if (!filled->boxes.found && !dated && is_label(types, amounts))
        return false;
    int facts = (types.marked > 0 && types.strongest >= least) +
                (amounts.marked > 0 && amounts.strongest >= least) + dated;
    return facts >= FACTS_MIN;
}

/* Of a measured line. */
static bool is_named(const struct page_table *table, const struct filled_line *line)
{
    for (int c = 0; c < table->columns.count; c++)
        if (table->columns.role[c] == COLUMN_ASSET && line->text[c])
            return true;
    return false;
}

static void leave_out(struct filled *filled, int number, enum left_out_why why)
{
    filled->left_out[filled->left_out_count++] = (struct line_left_out){number, why};
}

/* Splits the bands that are twice as tall as most, if edges of boxes cross their middle. */
static bool split_doubles(
    const struct bitmap *map, struct page_table *table, int first, int height, struct arena *arena)
{
    int before = table->band_count;
    for (int b = first; b < table->band_count; b++) {
        int percent = PERCENT * height_of(table, b) / height;
        if (percent >= DOUBLE_LEAST && percent <= DOUBLE_MOST && boxes_are_doubled(map, table, b)) {
            table_split(table, b, arena);
            b++;
        }
    }
    return table->band_count > before;
}

struct filled filled_find(const struct bitmap *map, struct page_table *table, struct arena *arena)
{
    int height = usual_height(table, arena);
    struct filled filled = {.head = -1};
    for (int b = 0; b < table->band_count && filled.head < 0; b++)
        if (TWO * height_of(table, b) >= HEAD_HALVES * height &&
            inked_amounts(map, table, b) >= LABELS_PERCENT)
            filled.head = b;
    int first = filled.head + 1;
    filled.boxes = boxes_find(map, table, first, arena);
    if (filled.boxes.found && split_doubles(map, table, first, height, arena))
        filled.boxes = boxes_find(map, table, first, arena);
    filled.form = form_of(table, &filled.boxes, height);
    filled.line = ARENA_ARRAY(arena, struct filled_line, (size_t)(table->band_count - first) + 1);
    filled.left_out =
        ARENA_ARRAY(arena, struct line_left_out, (size_t)(table->band_count - first) + 1);
    bool example = false;
    for (int b = first, number = 0; b < table->band_count && !filled.more; b++) {
        struct filled_line *line = &filled.line[filled.count];
        if (is_example(table, &filled, b, height))
            continue;
        number++;
        *line = (struct filled_line){
            .band = b, .number = number, .at_example = is_at_example(table, &filled, b)};
        bool row = measure(map, table, &filled, line), tall = is_two_lines(table, &filled, b);
        bool head =
            filled.head < 0 || (tall && b == first && height_of(table, b) > JOINED_MAX * height);
        if (tall && (row || (!head && is_named(table, line))))
            leave_out(&filled, number, LEFT_OUT_TALL);
        else if (row && !example && is_example_of_boxes(table, &filled, b, height)) {
            example = true;
            leave_out(&filled, number, LEFT_OUT_EXAMPLE);
        } else if (row && !tall && filled.count < SCAN_ROWS_MAX)
            filled.count++;
        else if (!row && !head && is_named(table, line))
            leave_out(&filled, number, LEFT_OUT_NAME);
        else
            filled.more = row;
    }
    return filled;
}

enum {
    SCALE_LIST = 20, /* tenths: the small letters of typed lists */
    SCALE_FORM = 15,
    LINE_ROWS = 2,  /* rows whose dates share a line of the sheet */
    OWNER_LOOK = 1, /* of the dates: the one whose line has the owners */
};

const enum sheet_look sheet_date_looks[DATE_LOOKS] = {
    LOOK_THIN, LOOK_RAW, LOOK_WIDE, LOOK_LARGE, LOOK_SLANT};

/* How sure the program is of a name does not tell all that it misread. */
static const enum sheet_look asset_looks[ASSET_LOOKS] = {LOOK_SOFT, LOOK_HEAVY};

struct items {
    const struct bitmap *map;
    const struct page_table *table;
    const struct filled *filled;
    struct sheet_item *item;
    int count;
};

static void add(struct items *items, int band, struct sheet_text text, bool next)
{
    int column = text.cell == CELL_TYPE ? items->table->columns.nth[text.column] : text.column;
    text.area = cell_between(items->map, items->table, band, text.column);
    text.column = column;
    items->item[items->count++] = (struct sheet_item){.text = text, .next = next};
}

/* The names of the types, by the number of the type. */
static void add_head(struct items *items)
{
    const struct columns *columns = &items->table->columns;
    for (int c = 0; c < columns->count && items->filled->head >= 0; c++)
        if (columns->role[c] == COLUMN_TYPE)
            add(items, items->filled->head,
                (struct sheet_text){.row = SHEET_HEAD, .cell = CELL_TYPE, .column = c}, false);
}

/* The texts of a row's columns of this kind, in one look. */
static void add_texts(
    struct items *items, int row, enum column_role role, enum sheet_look look, bool *next)
{
    static const enum cell cells[] = {
        [COLUMN_OWNER] = CELL_OWNER,
        [COLUMN_ASSET] = CELL_ASSET,
        [COLUMN_DATE] = CELL_DATE,
        [COLUMN_NOTIFIED] = CELL_NOTIFIED,
    };
    const struct columns *columns = &items->table->columns;
    const struct filled_line *line = &items->filled->line[row];
    for (int c = 0; c < columns->count; c++)
        if (columns->role[c] == role && line->text[c]) {
            add(items, line->band,
                (struct sheet_text){.row = row, .cell = cells[role], .column = c, .look = look},
                *next);
            *next = true;
        }
}

/* A line of the sheet has one look: the program scales a line by its height, so it reads lines of
 * mixed sizes badly. Two letters of an owner are read better before a date than alone. */
static void add_dates(struct items *items, int first)
{
    int last = first + LINE_ROWS < items->filled->count ? first + LINE_ROWS : items->filled->count;
    for (int look = 0; look < DATE_LOOKS; look++) {
        bool next = false;
        for (int row = first; row < last; row++) {
            if (look == OWNER_LOOK)
                add_texts(items, row, COLUMN_OWNER, LOOK_SOFT, &next);
            add_texts(items, row, COLUMN_DATE, sheet_date_looks[look], &next);
            add_texts(items, row, COLUMN_NOTIFIED, sheet_date_looks[look], &next);
        }
    }
}

/* Names of assets may have two lines of their own. */
static void add_assets(struct items *items, int row)
{
    for (int look = 0; look < ASSET_LOOKS; look++) {
        bool next = false;
        add_texts(items, row, COLUMN_ASSET, asset_looks[look], &next);
    }
}

struct text_sheet sheet_items_make(
    const struct bitmap *map, const struct page_table *table, const struct filled *filled,
    bool names, struct arena *arena)
{
    size_t room = (size_t)(filled->count + 1) * (DATE_LOOKS + ASSET_LOOKS) * COLUMNS_MAX;
    struct items items = {map, table, filled, ARENA_ARRAY(arena, struct sheet_item, room), 0};
    if (names && filled->count > 0)
        add_head(&items);
    for (int row = 0; row < filled->count; row += LINE_ROWS)
        add_dates(&items, row);
    for (int row = 0; row < filled->count; row++)
        add_assets(&items, row);
    bool list = filled->form == SCAN_FORM_HOUSE_LIST;
    return sheet_make(map, items.item, items.count, list ? SCALE_LIST : SCALE_FORM, arena);
}

/* --- words of the sheet */

enum {
    COLUMNS = 12,
    LEVEL = 0, /* columns of the table */
    LEFT = 6,
    TOP = 7,
    WIDTH = 8,
    HEIGHT = 9,
    SURE = 10,
    WORD = 11,
    LEVEL_WORD = '5',
    WORD_SIZE_MAX = 80,
    AROUND = 12, /* dots: a word may begin so far outside of its text */
};

struct found_word {
    struct str text;
    int sure;
    int x, y; /* its middle */
};

/* The digits before a point; false: the text is no such number. */
static bool number_of(struct str text, int *ret)
{
    int64_t value;
    ptrdiff_t point = str_find_char(text, '.');
    if (point >= 0)
        text = str_slice(text, 0, (size_t)point);
    if (!str_to_i64(text, &value) || value < 0 || value > 2 * SHEET_SIDE_MAX)
        return false;
    *ret = (int)value;
    return true;
}

static bool word_of(struct str line, struct found_word *ret)
{
    struct str part[COLUMNS];
    int left, top, width, height;
    for (int i = 0; i < COLUMNS; i++)
        if (!str_split(&line, '\t', &part[i]))
            return false;
    ret->text = str_trim(part[WORD]);
    if (part[LEVEL].n != 1 || part[LEVEL].p[0] != LEVEL_WORD || ret->text.n == 0 ||
        ret->text.n > WORD_SIZE_MAX || !hidden_free_line(ret->text))
        return false;
    if (!number_of(part[LEFT], &left) || !number_of(part[TOP], &top) ||
        !number_of(part[WIDTH], &width) || !number_of(part[HEIGHT], &height) ||
        !number_of(part[SURE], &ret->sure))
        return false;
    ret->x = left + width / 2;
    ret->y = top + height / 2;
    return true;
}

/* The text that the word stands in; negative: none. */
static int text_at(const struct text_sheet *sheet, int x, int y)
{
    for (int i = 0; i < sheet->count; i++) {
        const struct area *a = &sheet->text[i].area;
        if (x >= a->left - AROUND && x < a->right + AROUND && y >= a->top - AROUND &&
            y < a->bottom + AROUND)
            return i;
    }
    return -1;
}

static void add_word(struct sheet_reading *r, const struct found_word *word, struct arena *arena)
{
    if (str_is_null(r->text)) {
        *r = (struct sheet_reading){arena_str(arena, word->text), word->sure, word->sure};
        return;
    }
    int letters = (int)r->text.n, more = (int)word->text.n;
    if (letters + more >= SHEET_TEXT_SIZE_MAX)
        return;
    r->text = arena_fmt(arena, "%.*s %.*s", STR_ARG(r->text), STR_ARG(word->text));
    r->least = word->sure < r->least ? word->sure : r->least;
    r->mean = (r->mean * letters + word->sure * more) / (letters + more);
}

struct sheet_reading *sheet_words_read(
    const struct text_sheet *sheet, struct str tsv, struct arena *arena)
{
    struct sheet_reading *readings =
        ARENA_ARRAY(arena, struct sheet_reading, (size_t)sheet->count + 1);
    struct str line;
    struct found_word word;
    for (int i = 0; i < SHEET_WORDS_MAX && str_split(&tsv, '\n', &line);) {
        if (!word_of(line, &word))
            continue;
        i++;
        int text = text_at(sheet, word.x, word.y);
        if (text >= 0)
            add_word(&readings[text], &word, arena);
    }
    return readings;
}
