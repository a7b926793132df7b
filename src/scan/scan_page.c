/* Pages of scanned reports; see scan_page.h. */
#include "scan/scan_page.h"

#include <stdlib.h>

#include "base/search.h"
#include "paper/cell/printed.h"
#include "scan/cell_text.h"
#include "scan/date_votes.h"
#include "scan/row_marks.h"
#include "scan/sheet_items.h"
#include "scan/text_rows.h"

/* Dates against each other. */

enum {
    NOTICE_DAYS_MAX = 400, /* between a trade and its notice */
    YEARS_APART_MAX = 1,   /* from the year in the middle */
    DATE_SIZE = 10,        /* "04/27/2021" */
    YEAR_AT = 6,
    HALF = 2,
};

static bool is_read(const struct scan_row *row, enum cell cell)
{
    return row->source[cell].how == CELL_FROM_TEXT && row->cell[cell].n == DATE_SIZE;
}

static void take_back(struct scan_row *row, enum cell cell, struct str reason)
{
    row->cell[cell] = STR_NULL;
    row->source[cell] = (struct cell_source){CELL_NOT_READ, reason};
}

static int year_of(struct str date)
{
    int64_t year = 0;
    return str_to_i64(str_slice(date, YEAR_AT, date.n), &year) ? (int)year : 0;
}

/* The year in the middle of all that were read; 0: none was. */
static int middle_year(const struct scan_row *rows, size_t count)
{
    int years[2 * SCAN_ROWS_MAX], n = 0;
    for (size_t i = 0; i < count && i < SCAN_ROWS_MAX; i++)
        for (enum cell cell = CELL_DATE; cell <= CELL_NOTIFIED; cell++)
            if (is_read(&rows[i], cell))
                years[n++] = year_of(rows[i].cell[cell]);
    if (!n)
        return 0;
    qsort(years, (size_t)n, sizeof *years, order_ints);
    return years[n / HALF];
}

/* The day of notice that more than half of the rows state; null: there is none. */
static struct str usual_notice(const struct scan_row *rows, size_t count)
{
    size_t read = 0;
    for (size_t i = 0; i < count; i++)
        read += is_read(&rows[i], CELL_NOTIFIED) ? 1 : 0;
    for (size_t i = 0; i < count; i++) {
        size_t same = 0;
        for (size_t k = 0; is_read(&rows[i], CELL_NOTIFIED) && k < count; k++)
            same += is_read(&rows[k], CELL_NOTIFIED) &&
                            str_eq(rows[k].cell[CELL_NOTIFIED], rows[i].cell[CELL_NOTIFIED])
                        ? 1
                        : 0;
        if (HALF * same > read)
            return rows[i].cell[CELL_NOTIFIED];
    }
    return STR_NULL;
}

static bool one_digit_apart(struct str a, struct str b)
{
    int apart = 0;
    for (size_t i = 0; a.n == b.n && i < a.n; i++)
        apart += a.p[i] != b.p[i] ? 1 : 0;
    return apart == 1;
}

static void check_row(struct scan_row *row)
{
    int32_t traded, notified;
    if (!is_read(row, CELL_DATE) || !is_read(row, CELL_NOTIFIED) ||
        !printed_day(row->cell[CELL_DATE], &traded) ||
        !printed_day(row->cell[CELL_NOTIFIED], &notified))
        return;
    if (traded <= notified && notified - traded <= NOTICE_DAYS_MAX)
        return;
    struct str reason = traded > notified ? STR("the trade is later than its notice")
                                          : STR("the trade is long before its notice");
    take_back(row, CELL_DATE, reason);
    take_back(row, CELL_NOTIFIED, reason);
}

/* Discards inconsistent dates: a trade after its notice or long before it, a year far from those of
 * the other rows, a notice day that differs by one digit from that of most rows. */
static void row_dates_check(struct scan_row *rows, size_t count)
{
    int year = middle_year(rows, count);
    struct str usual = usual_notice(rows, count);
    for (size_t i = 0; i < count; i++) {
        for (enum cell cell = CELL_DATE; cell <= CELL_NOTIFIED; cell++)
            if (is_read(&rows[i], cell) &&
                abs(year_of(rows[i].cell[cell]) - year) > YEARS_APART_MAX)
                take_back(&rows[i], cell, STR("the year is far from those of the other rows"));
        if (is_read(&rows[i], CELL_NOTIFIED) && one_digit_apart(rows[i].cell[CELL_NOTIFIED], usual))
            take_back(
                &rows[i], CELL_NOTIFIED, STR("one digit differs from the notice of most rows"));
        check_row(&rows[i]);
    }
}

/* The printed example. */

enum {
    LETTERS_MAX = 24,     /* of a text, from its beginning */
    WORD_FAULTS = 1,      /* letters of "Example" that may be misread, missing or too many */
    BEGINNING_FAULTS = 4, /* of "Example: Mega Corp" */
};

/* The first letters and digits of the text, in lower case. */
static struct str letters_of(struct str text, char space[static LETTERS_MAX])
{
    size_t n = 0;
    for (size_t i = 0; i < text.n && n < LETTERS_MAX; i++)
        if (ascii_is_alnum(text.p[i]))
            space[n++] = ascii_lower(text.p[i]);
    return str_of(space, n);
}

static int least_of(int a, int b)
{
    return a < b ? a : b;
}

/* How many letters must be changed, added or taken away until the text begins with the word. */
static int faults(struct str text, struct str word)
{
    int row[LETTERS_MAX + 1], least = (int)word.n;
    for (size_t k = 0; k <= text.n; k++)
        row[k] = (int)k;
    for (size_t i = 1; i <= word.n; i++) {
        int before = row[0];
        row[0] = (int)i;
        for (size_t k = 1; k <= text.n; k++) {
            int change = before + (word.p[i - 1] == text.p[k - 1] ? 0 : 1);
            before = row[k];
            row[k] = least_of(change, least_of(row[k], row[k - 1]) + 1);
        }
    }
    for (size_t k = 0; k <= text.n; k++)
        least = least_of(least, row[k]);
    return least;
}

/* Whether the text is that of the example, perhaps misread. Ask only about the place where the form
 * has it: a filer may own shares of a company with such a name. */
static bool example_is_text(struct str text)
{
    char space[LETTERS_MAX];
    struct str letters = letters_of(text, space);
    return faults(letters, STR("example")) <= WORD_FAULTS ||
           faults(letters, STR("examplemegacorp")) <= BEGINNING_FAULTS ||
           str_starts(letters, STR("megacorp"));
}

enum {
    HUNDRED = 100,
    LINES_TOLD = 40, /* numbers of lines in a reason */
    ASKEW = 100,     /* hundredths of a degree; scans at hand lie 43 askew at most */
};

struct scan_work {
    struct page_table table;
    struct filled filled;
    struct text_sheet sheet;
    enum type_name names[COLUMNS_MAX]; /* of the types, by their columns */
    struct text_page *lines;           /* NULL: the page has a table */
};

/* Ten-thousandths of the page without its margin. */
static int share_of(int at, int size)
{
    int inner = size - 2 * PICTURE_MARGIN;
    int64_t share = (int64_t)(at - PICTURE_MARGIN) * PAGE_PLACE_WHOLE / inner;
    return share < 0 ? 0 : share > PAGE_PLACE_WHOLE ? PAGE_PLACE_WHOLE : (int)share;
}

static struct page_place place_of(const struct bitmap *map, struct area area)
{
    int left = share_of(area.left, map->width), right = share_of(area.right, map->width);
    int top = share_of(area.top, map->height), bottom = share_of(area.bottom, map->height);
    return (struct page_place){
        left, top, right > left ? right - left : 1, bottom > top ? bottom - top : 1};
}

static void read_types(struct scan_page *page, const enum type_name *names)
{
    const struct scan_work *work = page->work;
    for (size_t i = 0; i < page->row_count; i++)
        row_marks_type(
            &work->table.columns, work->filled.line[i].mark, names, page->form, &page->rows[i]);
}

static void add_reason(struct scan_page *page, struct str reason, struct arena *arena)
{
    page->reason = page->reason.n
                       ? arena_fmt(arena, "%.*s; %.*s", STR_ARG(page->reason), STR_ARG(reason))
                       : reason;
}

/* The lines that are no rows although they are filled. */
static void tell_left_out(struct scan_page *page, struct arena *arena)
{
    static const char *const whys[LEFT_OUT_WHYS][2] = {
        [LEFT_OUT_TALL] =
            {"line %.*s is taller than a row, perhaps two lines in one: not read",
             "lines %.*s are taller than a row, perhaps two lines in one: not read"},
        [LEFT_OUT_EXAMPLE] =
            {"line %.*s was left out: it stands where the form has its printed example"},
        [LEFT_OUT_NAME] =
            {"line %.*s has a name, and too few marks that can be read: not read",
             "lines %.*s have a name, and too few marks that can be read: not read"},
    };
    const struct filled *filled = &page->work->filled;
    for (int why = 0; why < LEFT_OUT_WHYS; why++) {
        struct str numbers = STR_NULL;
        int told = 0;
        for (int i = 0; i < filled->left_out_count; i++)
            if ((int)filled->left_out[i].why == why && told++ < LINES_TOLD)
                numbers = told == 1 ? arena_fmt(arena, "%d", filled->left_out[i].number)
                                    : arena_fmt(
                                          arena, "%.*s, %d", STR_ARG(numbers),
                                          filled->left_out[i].number);
        if (told > LINES_TOLD)
            numbers = arena_fmt(arena, "%.*s and more", STR_ARG(numbers));
        if (told)
            add_reason(page, arena_fmt(arena, whys[why][told > 1], STR_ARG(numbers)), arena);
    }
    if (filled->more)
        add_reason(page, STR("a page is read up to 200 rows: those below were left out"), arena);
}

static void read_marks(const struct bitmap *map, struct arena *arena, struct scan_page *page)
{
    struct scan_work *work = page->work;
    work->filled = filled_find(map, &work->table, arena);
    page->form = work->filled.form;
    page->row_count = (size_t)work->filled.count;
    page->rows = ARENA_ARRAY(arena, struct scan_row, page->row_count + 1);
    for (size_t i = 0; i < page->row_count; i++) {
        const struct filled_line *line = &work->filled.line[i];
        const struct columns *columns = &work->table.columns;
        const struct band *band = work->table.band[line->band];
        page->rows[i].place = place_of(
            map,
            (struct area){columns->at[0], band->top, columns->at[columns->count], band->bottom});
        row_marks_amount(columns, line->mark, page->form, &page->rows[i]);
    }
    bool known = row_marks_names(work->table.columns.types, work->names);
    read_types(page, known && !work->filled.boxes.stray ? work->names : NULL);
    tell_left_out(page, arena);
}

/* A page without a table may be a list without ruled lines. Only its text can tell. */
static void measure_lines(const struct gray *gray, struct arena *arena, struct scan_page *ret)
{
    struct text_page *lines = ARENA_NEW(arena, struct text_page);
    if (!text_page_find(gray, arena, lines))
        return;
    ret->work = ARENA_NEW(arena, struct scan_work);
    ret->work->lines = lines;
    ret->work->sheet = text_page_sheet(lines, arena);
    ret->sheet = ret->work->sheet.gray;
}

void scan_page_measure(const struct gray *gray, struct arena *arena, struct scan_page *ret)
{
    struct upright upright;
    *ret = (struct scan_page){.form = SCAN_FORM_NONE};
    if (!upright_find(gray, arena, &upright)) {
        ret->reason = STR("the picture does not have the shape of a page");
        return;
    }
    if (upright.found) {
        struct bitmap map = picture_bitmap(upright.binary, arena);
        ret->turn = upright.turn;
        ret->skew = (int)(upright.skew * HUNDRED);
        ret->work = ARENA_NEW(arena, struct scan_work);
        ret->work->table = upright.table;
        read_marks(&map, arena, ret);
        PIX *plain = picture_without_lines(upright.binary);
        struct bitmap texts = picture_bitmap(plain, arena);
        picture_free(&plain);
        bool named = row_marks_names(ret->work->table.columns.types, ret->work->names);
        ret->work->sheet =
            sheet_items_make(&texts, &ret->work->table, &ret->work->filled, !named, arena);
        ret->sheet = ret->work->sheet.gray;
    } else {
        ret->reason = STR("the page has no table of a known form");
        measure_lines(gray, arena, ret);
    }
    upright_finish(&upright);
}

/* What was read in the other look of the same text. */
static const struct sheet_reading *other_look(
    const struct text_sheet *sheet, const struct sheet_reading *readings, int number)
{
    static const struct sheet_reading none = {.text = STR_NULL};
    const struct sheet_text *text = &sheet->text[number];
    for (int i = 0; i < sheet->count; i++)
        if (sheet->text[i].row == text->row && sheet->text[i].column == text->column &&
            sheet->text[i].look != text->look)
            return &readings[i];
    return &none;
}

/* Straightening a page blurs the small letters of a list, so that some are misread alike in all
 * looks. */
static bool is_blurred(const struct scan_page *page)
{
    return page->form == SCAN_FORM_HOUSE_LIST && abs(page->skew) >= ASKEW;
}

static void read_text(
    const struct scan_page *page, const struct sheet_reading *readings, int number,
    struct arena *arena, struct scan_row *row)
{
    const struct text_sheet *sheet = &page->work->sheet;
    enum cell cell = sheet->text[number].cell;
    if (cell == CELL_OWNER)
        cell_text_owner(
            &readings[number], page->form == SCAN_FORM_HOUSE_LIST, arena, &row->cell[cell],
            &row->source[cell]);
    if (cell != CELL_ASSET)
        return;
    cell_text_asset(
        &readings[number], other_look(sheet, readings, number), arena, &row->cell[cell],
        &row->source[cell]);
    if (page->form == SCAN_FORM_SENATE)
        cell_text_senate(arena, row);
    if (is_blurred(page) && row->source[cell].how == CELL_FROM_TEXT && !row->source[cell].reason.n)
        row->source[cell].reason = STR("the page lay askew: some letters may be others");
}

/* Whether the row is the printed example, if its line did not tell: its place and its text do. */
static bool is_example(
    const struct scan_work *work, const struct sheet_text *text, struct str reading)
{
    return text->cell == CELL_ASSET && work->filled.line[text->row].at_example &&
           example_is_text(reading);
}

/* A digit that runs into a line of the table may be read as another one. */
static void doubt_touched(struct scan_page *page)
{
    const struct columns *columns = &page->work->table.columns;
    for (size_t i = 0; i < page->row_count; i++)
        for (int c = 0; c < columns->count; c++) {
            enum cell cell = columns->role[c] == COLUMN_DATE ? CELL_DATE : CELL_NOTIFIED;
            struct cell_source *source = &page->rows[i].source[cell];
            if (page->work->filled.line[i].touched[c] && source->how == CELL_FROM_TEXT)
                source->reason = STR("it touches a line of the table");
        }
}

static void drop_examples(struct scan_page *page, const bool *example, struct arena *arena)
{
    size_t kept = 0;
    for (size_t i = 0; i < page->row_count; i++)
        if (!example[i])
            page->rows[kept++] = page->rows[i];
        else
            add_reason(
                page,
                arena_fmt(
                    arena, "line %d was left out: it reads like the printed example",
                    page->work->filled.line[i].number),
                arena);
    page->row_count = kept;
}

/* From the line down to the next one, but not further than a second line of its name. */
static struct area row_area(const struct text_page *lines, int line)
{
    struct area area = lines->line[line];
    int below = area.bottom + 2 * (area.bottom - area.top);
    int next = line + 1 < lines->count ? lines->line[line + 1].top : lines->map.height;
    area.bottom = below < next ? below : next > area.bottom ? next : area.bottom;
    return area;
}

/* The lines of a page of text that are rows. Without any, it stays a page of no known form. */
static void read_lines(
    struct scan_page *page, const struct sheet_reading *readings, struct arena *arena)
{
    const struct scan_work *work = page->work;
    static const struct sheet_reading none = {.text = STR_NULL};
    page->rows = ARENA_ARRAY(arena, struct scan_row, (size_t)work->lines->count + 1);
    for (int line = 0; line < work->lines->count; line++) {
        const struct sheet_reading *looks[TEXT_LOOKS] = {&none, &none, &none};
        struct scan_row *row = &page->rows[page->row_count];
        for (int i = 0; i < work->sheet.count; i++)
            for (int look = 0; look < TEXT_LOOKS; look++)
                if (work->sheet.text[i].row == line &&
                    work->sheet.text[i].look == text_page_looks[look])
                    looks[look] = &readings[i];
        if (!text_row_read(looks, arena, row))
            continue;
        row->place = place_of(&work->lines->map, row_area(work->lines, line));
        page->row_count++;
    }
    if (!page->row_count)
        return;
    page->form = SCAN_FORM_LINES;
    page->turn = work->lines->turn;
    page->skew = (int)(work->lines->skew * HUNDRED);
    page->reason = STR_NULL;
    row_dates_check(page->rows, page->row_count);
}

void scan_page_text(struct scan_page *page, struct str tsv, struct arena *arena)
{
    if (!page->work || page->work->sheet.count == 0)
        return;
    if (page->work->lines) {
        if (!str_is_null(tsv))
            read_lines(page, sheet_words_read(&page->work->sheet, tsv, arena), arena);
        page->work = NULL;
        return;
    }
    const struct text_sheet *sheet = &page->work->sheet;
    const struct sheet_reading *readings = sheet_words_read(sheet, tsv, arena);
    bool heads = false, *example = ARENA_ARRAY(arena, bool, page->row_count + 1);
    for (int i = 0; i < sheet->count; i++) {
        const struct sheet_text *text = &sheet->text[i];
        struct scan_row *row = text->row < 0 ? NULL : &page->rows[text->row];
        if (row && str_is_null(tsv))
            row->source[text->cell].reason = STR("text was not read: tesseract did not run");
        if (row && is_example(page->work, text, readings[i].text))
            example[text->row] = true;
        if (text->look != LOOK_SOFT)
            continue;
        if (!row) {
            page->work->names[text->column] = row_marks_name(readings[i].text);
            heads = true;
        } else if (!str_is_null(tsv))
            read_text(page, readings, i, arena, row);
    }
    if (!str_is_null(tsv))
        date_votes_read(sheet, readings, page->rows, page->row_count, is_blurred(page), arena);
    doubt_touched(page);
    if (heads)
        read_types(page, page->work->names);
    drop_examples(page, example, arena);
    row_dates_check(page->rows, page->row_count);
    page->work = NULL; /* its rows are not those of the page any more */
}
