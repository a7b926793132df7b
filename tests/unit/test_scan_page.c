/* Pages of paper forms, drawn here, are read by their form. */
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "drawn_form.h"
#include "scan/row_marks.h"

enum {
    TSV_MAX = 1000,
    DATES = 5, /* looks */
    ASSETS = 2,
};

/* The page turned by quarters, clockwise. */
static struct drawing turned(const struct drawing *d, int quarters)
{
    struct drawing t = *d;
    if (quarters % 2) {
        t.width = d->height;
        t.height = d->width;
    }
    t.dots = mem_alloc(DRAWN_WIDTH * DRAWN_HEIGHT);
    for (int y = 0; y < t.height; y++)
        for (int x = 0; x < t.width; x++) {
            int from_x = quarters == 1   ? y
                         : quarters == 2 ? d->width - 1 - x
                         : quarters == 3 ? d->width - 1 - y
                                         : x;
            int from_y = quarters == 1   ? d->height - 1 - x
                         : quarters == 2 ? d->height - 1 - y
                         : quarters == 3 ? x
                                         : y;
            t.dots[y * t.width + x] = d->dots[from_y * d->width + from_x];
        }
    return t;
}

static struct drawing skewed(const struct drawing *d, double degrees)
{
    struct drawing t = *d;
    double sine = sin(degrees / 57.29578), cosine = cos(degrees / 57.29578);
    t.dots = mem_alloc(DRAWN_WIDTH * DRAWN_HEIGHT);
    for (int y = 0; y < t.height; y++)
        for (int x = 0; x < t.width; x++) {
            double rx = x - t.width / 2.0, ry = y - t.height / 2.0;
            int from_x = (int)(cosine * rx + sine * ry + t.width / 2.0);
            int from_y = (int)(cosine * ry - sine * rx + t.height / 2.0);
            bool on = from_x >= 0 && from_y >= 0 && from_x < d->width && from_y < d->height;
            t.dots[y * t.width + x] = on ? d->dots[from_y * d->width + from_x] : DRAWN_WHITE;
        }
    return t;
}

static void assert_cell(const struct scan_row *row, enum cell cell, const char *text)
{
    assert_int_equal(row->cell[cell].n, strlen(text));
    assert_memory_equal(row->cell[cell].p, text, strlen(text));
    assert_int_equal(row->source[cell].how, CELL_FROM_BOX);
}

static void assert_reason(const struct scan_row *row, enum cell cell, const char *reason)
{
    assert_null(row->cell[cell].p);
    assert_int_equal(row->source[cell].how, CELL_NOT_READ);
    assert_non_null(strstr(row->source[cell].reason.p, reason));
}

static struct drawing form_with_two_rows(void)
{
    struct drawing d = drawn_form(drawn_boxes, 4, true);
    drawn_name(&d, 0);
    drawn_mark(&d, 0, 2);
    drawn_mark(&d, 0, 8);
    drawn_name(&d, 2);
    drawn_mark(&d, 2, 4);
    drawn_mark(&d, 2, 18);
    return d;
}

static void assert_two_rows(const struct scan_page *page)
{
    assert_int_equal(page->form, SCAN_FORM_HOUSE_BOXES);
    assert_int_equal(page->row_count, 2);
    assert_cell(&page->rows[0], CELL_TYPE, "P");
    assert_cell(&page->rows[0], CELL_AMOUNT, "$1,001 - $15,000");
    assert_cell(&page->rows[1], CELL_TYPE, "S (partial)");
    assert_cell(&page->rows[1], CELL_AMOUNT, "Spouse/DC Over $1,000,000");
}

static void boxes_are_read_in_all_four_directions(void **state)
{
    struct drawing d = form_with_two_rows();
    for (int quarters = 0; quarters < 4; quarters++) {
        struct arena arena;
        struct drawing t = turned(&d, quarters);
        arena_init(&arena);
        struct scan_page page = drawn_measure(&t, &arena);
        assert_two_rows(&page);
        assert_int_equal(page.turn, (360 - 90 * quarters) % 360);
        arena_finish(&arena);
        mem_free(t.dots);
    }
    mem_free(d.dots);
}

static void skewed_pages_are_straightened(void **state)
{
    static const double angles[] = {-3, -0.7, 1, 3};
    struct drawing d = form_with_two_rows();
    for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
        struct arena arena;
        struct drawing t = skewed(&d, angles[i]);
        arena_init(&arena);
        struct scan_page page = drawn_measure(&t, &arena);
        assert_two_rows(&page);
        assert_in_range(page.skew + (int)(100 * angles[i]) + 20, 0, 40);
        arena_finish(&arena);
        mem_free(t.dots);
    }
    mem_free(d.dots);
}

/* The edge of the paper, seen as one line or two. */
static void lines_outside_of_the_table_do_not_hide_it(void **state)
{
    for (int lines = 1; lines <= 2; lines++) {
        struct drawing d = form_with_two_rows();
        for (int i = 0; i < lines; i++)
            drawn_ink(&d, d.left[d.columns] + 40 + 20 * i, 10, DRAWN_THICK, DRAWN_HEIGHT - 20);
        for (int quarters = 0; quarters < 4; quarters++) {
            struct arena arena;
            struct drawing t = turned(&d, quarters);
            arena_init(&arena);
            struct scan_page page = drawn_measure(&t, &arena);
            assert_two_rows(&page);
            arena_finish(&arena);
            mem_free(t.dots);
        }
        mem_free(d.dots);
    }
}

static void places_are_those_of_the_lines(void **state)
{
    struct arena arena;
    struct drawing d = form_with_two_rows();
    arena_init(&arena);
    struct scan_page page = drawn_measure(&d, &arena);
    assert_int_equal(page.row_count, 2);
    const struct page_place *place = &page.rows[1].place;
    assert_in_range(
        place->top * DRAWN_HEIGHT / PAGE_PLACE_WHOLE, drawn_top(2) - 4, drawn_top(2) + 4);
    assert_in_range(
        place->height * DRAWN_HEIGHT / PAGE_PLACE_WHOLE, DRAWN_LINE - 4, DRAWN_LINE + 4);
    assert_in_range(place->left * DRAWN_WIDTH / PAGE_PLACE_WHOLE, DRAWN_LEFT - 4, DRAWN_LEFT + 4);
    arena_finish(&arena);
    mem_free(d.dots);
}

static void unclear_marks_are_not_read(void **state)
{
    struct arena arena;
    struct drawing d = drawn_form(drawn_boxes, 4, true);
    for (int line = 0; line < 4; line++)
        drawn_name(&d, line);
    drawn_mark(&d, 0, 2); /* two types, no amount */
    drawn_mark(&d, 0, 3);
    for (int line = 0; line < 4; line++)
        drawn_date(&d, line, 6);
    drawn_mark(&d, 1, 2); /* a faint amount */
    drawn_ink(&d, d.left[10] + 25, drawn_top(1) + 28, 8, 6);
    drawn_mark(&d, 2, 2); /* a mark that spills into its neighbour */
    drawn_mark(&d, 2, 11);
    drawn_ink(&d, d.left[12] + 18, drawn_top(2) + 28, 8, 8);
    drawn_mark(&d, 3, 12); /* two amounts, no type */
    drawn_mark(&d, 3, 13);
    arena_init(&arena);
    struct scan_page page = drawn_measure(&d, &arena);
    assert_int_equal(page.row_count, 4);
    assert_reason(&page.rows[0], CELL_TYPE, "more than one type is marked");
    assert_reason(&page.rows[0], CELL_AMOUNT, "no amount is marked");
    assert_reason(&page.rows[1], CELL_AMOUNT, "too faint");
    assert_cell(&page.rows[2], CELL_AMOUNT, "$100,001 - $250,000");
    assert_reason(&page.rows[3], CELL_TYPE, "no type is marked");
    assert_reason(&page.rows[3], CELL_AMOUNT, "more than one amount is marked");
    arena_finish(&arena);
    mem_free(d.dots);
}

static void lines_without_a_trade_are_no_rows(void **state)
{
    struct arena arena;
    struct drawing d = drawn_form(drawn_boxes, 4, true);
    drawn_text(&d, d.left[0] + 10, drawn_top(0) + 30, 40); /* an owner alone */
    drawn_name(&d, 1);                                     /* "nothing to report" */
    drawn_name(&d, 2);                                     /* a note and a blot */
    drawn_mark(&d, 2, 17);
    arena_init(&arena);
    struct scan_page page = drawn_measure(&d, &arena);
    assert_int_equal(page.form, SCAN_FORM_HOUSE_BOXES);
    assert_int_equal(page.row_count, 0);
    assert_int_equal(page.sheet.height, 0);
    assert_str(page.reason, "lines 2, 3 have a name, and too few marks that can be read: not read");
    arena_finish(&arena);
    mem_free(d.dots);
}

static void ruled_forms_are_read_without_boxes(void **state)
{
    struct arena arena;
    struct drawing d = drawn_form(drawn_ruled, 5, false);
    drawn_name(&d, 0);
    drawn_mark(&d, 0, 3);
    drawn_mark(&d, 0, 8);
    arena_init(&arena);
    struct scan_page page = drawn_measure(&d, &arena);
    assert_int_equal(page.form, SCAN_FORM_HOUSE_RULED);
    assert_int_equal(page.row_count, 1);
    assert_cell(&page.rows[0], CELL_TYPE, "S");
    assert_cell(&page.rows[0], CELL_AMOUNT, "$15,001 - $50,000");
    arena_finish(&arena);
    mem_free(d.dots);
}

static void senate_forms_have_one_date_and_their_own_amounts(void **state)
{
    struct arena arena;
    struct drawing d = drawn_form(drawn_senate, 8, false);
    for (int i = 6; i < 11; i++) /* its example has a letter in most amounts */
        drawn_cross(&d, d.left[i] + 14, DRAWN_TOP + DRAWN_HEAD + 12, 18);
    drawn_name(&d, 1);
    drawn_mark(&d, 1, 2);
    drawn_mark(&d, 1, 12);
    arena_init(&arena);
    struct scan_page page = drawn_measure(&d, &arena);
    assert_int_equal(page.form, SCAN_FORM_SENATE);
    assert_int_equal(page.row_count, 1);
    assert_cell(&page.rows[0], CELL_TYPE, "Purchase");
    assert_cell(&page.rows[0], CELL_AMOUNT, "Over $1,000,000");
    arena_finish(&arena);
    mem_free(d.dots);
}

/* Appends a line of tesseract's table for a word at this place of the sheet. */
static void put_word(struct buf *tsv, int left, int top, int sure, const char *word)
{
    char line[200];
    int n = snprintf(
        line, sizeof line, "5\t1\t1\t1\t1\t1\t%d\t%d\t%d\t%d\t%d.5\t%s\n", left + 4, top + 4, 40,
        10, sure, word);
    buf_str(tsv, str_of(line, (size_t)n));
}

static bool is_ink(const struct gray *sheet, int x, int y)
{
    return sheet->dots[y * sheet->width + x] < DRAWN_WHITE / 2;
}

/* Where the texts of the sheet begin, from top to bottom; returns their number. */
static int text_tops(const struct gray *sheet, int *ret, int max)
{
    int count = 0;
    bool before = false;
    for (int y = 0; y < sheet->height; y++) {
        bool ink = false;
        for (int x = 0; x < sheet->width; x++)
            ink = ink || is_ink(sheet, x, y);
        if (ink && !before && count < max)
            ret[count++] = y;
        before = ink;
    }
    return count;
}

/* The date stands on the sheet in DATES looks, the asset below in ASSETS. Of both, `other` is what
 * the last look reads as. */
static void read_words(
    const struct drawing *d, const char *date, const char *other, const char *asset,
    const char *other_asset, int asset_sure, struct arena *arena, struct scan_page *ret)
{
    char space[TSV_MAX];
    int tops[DATES + ASSETS + 1];
    struct buf tsv = buf_over(space, sizeof space);
    *ret = drawn_measure(d, arena);
    assert_int_equal(ret->row_count, 1);
    assert_int_equal(text_tops(&ret->sheet, tops, DATES + ASSETS + 1), DATES + ASSETS);
    for (int i = 0; i < DATES; i++)
        put_word(&tsv, 30, tops[i], 50, i + 1 == DATES ? other : date);
    put_word(&tsv, 30, tops[DATES], asset_sure, asset);
    put_word(&tsv, 30, tops[DATES + 1], asset_sure, other_asset);
    scan_page_text(ret, buf_view(&tsv), arena);
}

static struct drawing form_with_a_date(void)
{
    struct drawing d = drawn_form(drawn_boxes, 4, true);
    drawn_name(&d, 0);
    drawn_mark(&d, 0, 2);
    drawn_mark(&d, 0, 8);
    drawn_date(&d, 0, 6);
    return d;
}

static void dates_are_read_if_all_looks_agree(void **state)
{
    static const struct {
        const char *word, *other;
        const char *date; /* NULL: not read */
    } cases[] = {
        {"4/7/21", "4/7/21", "04/07/2021"},
        {"04-07-2021", "4-7-2021", "04/07/2021"},
        {"4/7/21", "4/9/21", NULL},
        {"4/7/21", "4/7", NULL},
        {"2/30/21", "2/30/21", NULL},
        {"4/7/1921", "4/7/1921", NULL},
        {"4/7", "4/7", NULL},
        {"April", "April", NULL},
    };
    struct drawing d = form_with_a_date();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena;
        struct scan_page page;
        arena_init(&arena);
        read_words(&d, cases[i].word, cases[i].other, "Acme Inc.", "ACME INC", 95, &arena, &page);
        const struct scan_row *row = &page.rows[0];
        if (cases[i].date)
            assert_string_equal(row->cell[CELL_DATE].p, cases[i].date);
        else
            assert_null(row->cell[CELL_DATE].p);
        assert_int_equal(
            row->source[CELL_DATE].how, cases[i].date ? CELL_FROM_TEXT : CELL_NOT_READ);
        assert_string_equal(row->cell[CELL_ASSET].p, "Acme Inc.");
        arena_finish(&arena);
    }
    mem_free(d.dots);
}

/* Such as a 1 beside a ruled line, which is read as a 4. */
static void a_date_that_touches_a_line_of_the_table_is_doubted(void **state)
{
    for (int touches = 0; touches < 2; touches++) {
        struct arena arena;
        struct scan_page page;
        struct drawing d = form_with_a_date();
        if (touches)
            drawn_ink(&d, d.left[6] + 34, drawn_top(0) + 34, 8, 42);
        arena_init(&arena);
        read_words(&d, "4/7/21", "4/7/21", "Acme Inc.", "ACME INC", 95, &arena, &page);
        assert_str(page.rows[0].cell[CELL_DATE], "04/07/2021");
        assert_int_equal(cell_source_is_unsure(&page.rows[0].source[CELL_DATE]), touches);
        arena_finish(&arena);
        mem_free(d.dots);
    }
}

/* Lists have a column for the box "Cap. gains > $200?" among those of types. */
static void the_mark_of_a_capital_gain_is_read_beside_the_type(void **state)
{
    static const enum type_name names[] = {TYPE_PURCHASE, TYPE_SALE, TYPE_EXCHANGE, TYPE_GAIN};
    static const struct {
        struct scan_mark gain;
        const char *want; /* NULL: not read */
    } cases[] = {
        {{.clear = true, .strength = 90}, "checked"},
        {{.strength = 0}, "not checked"},
        {{.faint = true, .strength = 40}, NULL},
        {{.clear = true, .strength = 25}, NULL}, /* perhaps spilled from the type's mark */
    };
    struct columns columns = {.count = 4, .types = 4};
    for (int i = 0; i < columns.count; i++)
        columns.role[i] = COLUMN_TYPE;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scan_mark marks[COLUMNS_MAX] = {
            [1] = {.clear = true, .strength = 100}, [3] = cases[i].gain};
        struct scan_row row = {.place = {0}};
        row_marks_type(&columns, marks, names, SCAN_FORM_HOUSE_LIST, &row);
        assert_cell(&row, CELL_TYPE, "S");
        if (cases[i].want)
            assert_cell(&row, CELL_CAP_GAINS, cases[i].want);
        else
            assert_reason(&row, CELL_CAP_GAINS, "not clear");
    }
}

static void names_are_read_if_the_program_is_sure(void **state)
{
    static const struct {
        const char *name, *other;
        int sure;
    } cases[] = {
        {"Acme", "Acme", 60}, {"Acme", "Acne", 95},  {"Acme", "Acmes", 95},
        {"Acme", "", 95},     {"Ac!me", "Acme", 95},
    };
    struct arena arena;
    struct scan_page page;
    struct drawing d = form_with_a_date();
    arena_init(&arena);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        read_words(
            &d, "4/7/21", "4/7/21", cases[i].name, cases[i].other, cases[i].sure, &arena, &page);
        assert_null(page.rows[0].cell[CELL_ASSET].p);
        assert_reason(&page.rows[0], CELL_ASSET, "is not clear");
    }
    read_words(&d, "4/7/21", "4/7/21", "Acme", "Acme", 95, &arena, &page);
    assert_str(page.rows[0].cell[CELL_ASSET], "Acme");
    assert_null(page.rows[0].source[CELL_ASSET].reason.p);
    read_words(&d, "4/7/21", "4/7/21", "Acme", "Acme", 85, &arena, &page);
    assert_str(page.rows[0].cell[CELL_ASSET], "Acme");
    assert_non_null(strstr(page.rows[0].source[CELL_ASSET].reason.p, "may be others"));
    page = drawn_measure(&d, &arena);
    scan_page_text(&page, STR_NULL, &arena);
    assert_non_null(strstr(page.rows[0].source[CELL_ASSET].reason.p, "did not run"));
    arena_finish(&arena);
    mem_free(d.dots);
}

/* A list whose only row has a date and a name, read alike in all looks. */
static struct scan_page askew_list(double degrees, struct arena *arena)
{
    struct scan_page page;
    struct drawing d = drawn_form(drawn_list, 6, false);
    drawn_name(&d, 2);
    drawn_mark(&d, 2, 3);
    drawn_mark(&d, 2, 8);
    drawn_date(&d, 2, 5);
    for (int i = 0; i < d.columns; i++) /* lists have no example */
        drawn_blank(
            &d, d.left[i] + 5, drawn_top(0) - DRAWN_EXAMPLE + 5, d.left[i + 1] - d.left[i] - 7,
            DRAWN_EXAMPLE - 7);
    struct drawing t = skewed(&d, degrees);
    read_words(&t, "4/7/21", "4/7/21", "Acme", "Acme", 95, arena, &page);
    assert_int_equal(page.form, SCAN_FORM_HOUSE_LIST);
    mem_free(t.dots);
    mem_free(d.dots);
    return page;
}

static void small_letters_of_a_page_that_lay_askew_are_in_doubt(void **state)
{
    struct arena arena;
    arena_init(&arena);
    struct scan_page straight = askew_list(0.4, &arena), askew = askew_list(3, &arena);
    assert_str(straight.rows[0].cell[CELL_DATE], "04/07/2021");
    assert_true(str_is_null(straight.rows[0].source[CELL_ASSET].reason));
    assert_reason(&askew.rows[0], CELL_DATE, "is not clear");
    assert_str(askew.rows[0].cell[CELL_ASSET], "Acme");
    assert_str(
        askew.rows[0].source[CELL_ASSET].reason, "the page lay askew: some letters may be others");
    arena_finish(&arena);
}

/* A form whose only row is on this line, with a date, of what tesseract reads as this name. */
static struct scan_page page_with_name(int line, const char *name, struct arena *arena)
{
    struct scan_page page;
    struct drawing d = drawn_form(drawn_boxes, 4, true);
    drawn_name(&d, line);
    drawn_mark(&d, line, 2);
    drawn_mark(&d, line, 8);
    drawn_date(&d, line, 6);
    read_words(&d, "4/7/21", "4/7/21", name, name, 95, arena, &page);
    mem_free(d.dots);
    return page;
}

static void the_printed_example_is_no_row(void **state)
{
    static const char *const names[] = {
        "Example:",           "Example: Mega Corp. Common Stock", "Exarnple Mega Corp", "Exampie:",
        "Examplo: Moga Gorp", "Mega Corp. Common Stock",          "| Example; hlega",
    };
    struct arena arena;
    arena_init(&arena);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct scan_page page = page_with_name(0, names[i], &arena);
        assert_int_equal(page.row_count, 0);
        assert_str(page.reason, "line 1 was left out: it reads like the printed example");
    }
    arena_finish(&arena);
}

static void a_filled_line_is_a_row_whatever_its_name(void **state)
{
    static const struct {
        int line;
        const char *name;
    } cases[] = {
        {0, "Vanguard Mega Cap Growth ETF (MGK)"},
        {0, "Exxon Mega Corp"},
        {0, "Omega Corp"},
        {0, "Vanguard Mega Corp Example"},
        {0, "Express Scripts Holding Company"},
        {0, "Amphenol Corporation"},
        {2, "Example: Mega Corp. Common Stock"}, /* the form has its example further up */
        {2, "Mega Corp."},
    };
    struct arena arena;
    arena_init(&arena);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scan_page page = page_with_name(cases[i].line, cases[i].name, &arena);
        assert_int_equal(page.row_count, 1);
        assert_str(page.rows[0].cell[CELL_ASSET], cases[i].name);
        assert_true(str_is_null(page.reason));
    }
    arena_finish(&arena);
}

static void pages_without_a_form_have_no_rows(void **state)
{
    static const struct {
        int width, height;
    } sizes[] = {{1, 1}, {299, 2000}, {1700, 2200}, {2000, 400}, {5000, 5000}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct arena arena;
        struct drawing d = {.width = sizes[i].width, .height = sizes[i].height};
        d.dots = mem_alloc((size_t)(d.width * d.height));
        unsigned state_of_noise = 1;
        for (int k = 0; k < d.width * d.height; k++) {
            state_of_noise = state_of_noise * 1664525U + 1013904223U;
            d.dots[k] = (uint8_t)(state_of_noise >> 24);
        }
        arena_init(&arena);
        struct scan_page page = drawn_measure(&d, &arena);
        assert_int_equal(page.form, SCAN_FORM_NONE);
        assert_int_equal(page.row_count, 0);
        assert_non_null(page.reason.p);
        scan_page_text(&page, STR("5\t\t\n"), &arena);
        arena_finish(&arena);
        mem_free(d.dots);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_are_read_in_all_four_directions),
        cmocka_unit_test(skewed_pages_are_straightened),
        cmocka_unit_test(lines_outside_of_the_table_do_not_hide_it),
        cmocka_unit_test(places_are_those_of_the_lines),
        cmocka_unit_test(unclear_marks_are_not_read),
        cmocka_unit_test(lines_without_a_trade_are_no_rows),
        cmocka_unit_test(ruled_forms_are_read_without_boxes),
        cmocka_unit_test(senate_forms_have_one_date_and_their_own_amounts),
        cmocka_unit_test(dates_are_read_if_all_looks_agree),
        cmocka_unit_test(a_date_that_touches_a_line_of_the_table_is_doubted),
        cmocka_unit_test(the_mark_of_a_capital_gain_is_read_beside_the_type),
        cmocka_unit_test(names_are_read_if_the_program_is_sure),
        cmocka_unit_test(small_letters_of_a_page_that_lay_askew_are_in_doubt),
        cmocka_unit_test(the_printed_example_is_no_row),
        cmocka_unit_test(a_filled_line_is_a_row_whatever_its_name),
        cmocka_unit_test(pages_without_a_form_have_no_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
