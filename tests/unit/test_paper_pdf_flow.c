/* The place of pages in their report. */
#include "unit.h"

#include "base/mem.h"
#include "paper/pdf_flow.h"

enum { HEIGHT = 79200 };

static int top(const char *content)
{
    int value = 0;
    if (!pdf_flow_top(str_from(content), NULL, &value))
        fail_msg("no sheet: %s", content);
    return value;
}

static void assert_none(const char *content)
{
    int value;
    assert_false(pdf_flow_top(str_from(content), NULL, &value));
}

static void top_follows_the_transformations(void **state)
{
    assert_int_equal(top("q q 0.75 0 0 -0.75 0 720 cm"), 72000);
    assert_int_equal(top("0.75 0 0 -0.75 0 676.5 cm 1 0 0 1 0 -864 cm"), 132450);
    assert_int_equal(
        top(".24 0 0 -.24 0 792 cm q 3.125 0 0 3.125 90 -543.75 cm Q q 1 0 0 1 0 -2218.75 cm Q"),
        132450);
}

/* The first sheet of newer reports covers the page; the report lies on it. */
static void report_on_the_sheet_of_the_page_counts(void **state)
{
    assert_int_equal(top(".24 0 0 -.24 0 792 cm q 3.125 0 0 3.125 90 300 cm Q"), 72000);
}

static void letters_and_pictures_are_no_sheets(void **state)
{
    assert_int_equal(
        top("0.75 0 0 -0.75 0 720 cm q 1 0 0 -1 698 9000 cm Q q 0 -1 1 0 0 -9000 cm Q"), 72000);
    assert_none("1 0 0 1 0 720 cm");
    assert_none("BT 1 0 0 -1 0 720 Tm (0.75 0 0 -0.75 0 720 cm) Tj ET");
    assert_none("(a \\) b (0.75 0 0 -0.75 0 720 cm)) Tj % 0.75 0 0 -0.75 0 720 cm");
    assert_none("BI /W 1 ID 0.75 0 0 -0.75 0 720 cm EI");
    assert_none("0 0 -0.75 0 720 cm");
    assert_none("1 0 0 -1 0 99999999 cm");
    assert_none("");
}

/* A square with round corners and this side, from a place on; `end` draws it. */
static struct str square(struct arena *arena, int left, int top, int side, const char *end)
{
    int right = left + side, low = top + side;
    return arena_fmt(
        arena,
        "%d %d m %d %d l 0 0 0 0 %d %d c %d %d l 0 0 0 0 %d %d c %d %d l 0 0 0 0 %d %d c %d %d l"
        " 0 0 0 0 %d %d c h %s ",
        left, top, left, low, left, low, right, low, right, low, right, top, right, top, left, top,
        left, top, end);
}

static void check_boxes_are_squares_and_ticks(void **state)
{
    static const char tick[] = "700 346 m 702 349 l 707 344 l S ";
    static const char place[] = "q .24 0 0 -.24 0 792 cm q 3.125 0 0 3.125 90.625 300 cm ";
    struct arena arena;
    arena_init(&arena);
    const struct {
        struct str drawn;
        int count;
        bool checked;
    } cases[] = {
        {square(&arena, 697, 340, 12, "S"), 1, false},
        {str_from(tick), 1, true},
        {square(&arena, 697, 340, 12, "f"), 0, false}, /* filled only */
        {square(&arena, 697, 340, 30, "S"), 0, false}, /* too large */
        {STR("697 340 12 12 re S"), 0, false},         /* its corners are sharp */
        {STR("700 346 m 702 349 l S"), 0, false},      /* a line */
        {STR("697 340 m 709 340 l 709 352 l 697 352 l h S"), 0, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct pdf_boxes *boxes = ARENA_NEW(&arena, struct pdf_boxes);
        int value;
        boxes->page = 2;
        boxes->height = HEIGHT;
        pdf_flow_top(arena_fmt(&arena, "%s%.*sQ Q", place, STR_ARG(cases[i].drawn)), boxes, &value);
        assert_int_equal(boxes->count, cases[i].count);
        if (!boxes->count)
            continue;
        const struct pdf_box *box = &boxes->box[0];
        assert_int_equal(box->page, 2);
        assert_int_equal(box->checked, cases[i].checked);
        assert_true(box->left > 5440 && box->left < 5540); /* 21.75 + 0.75 x 703 points */
        assert_true(box->top > 3290 && box->top < 3340);   /* 72 + 0.75 x 346 */
    }
    arena_finish(&arena);
}

static void any_end_is_fine(void **state)
{
    static const char text[] = "q 0.75 0 0 -0.75 0 720 cm (a\\) ( <0024> [ ID x EI";
    int value;
    for (size_t n = 0; n < sizeof text; n++)
        pdf_flow_top(str_of(text, n), NULL, &value);
}

static void nesting_is_bounded(void **state)
{
    char deep[400];
    for (size_t i = 0; i < sizeof deep; i += 2) {
        deep[i] = 'q';
        deep[i + 1] = ' ';
    }
    int value;
    assert_false(pdf_flow_top(str_of(deep, sizeof deep), NULL, &value));
}

static struct pdf_flow check(const int *tops, size_t count)
{
    struct pdf_flow_page pages[16] = {{false}};
    assert_true(count <= 16);
    for (size_t i = 0; i < count; i++)
        pages[i] = (struct pdf_flow_page){.known = tops[i] > 0, .top = tops[i], .height = HEIGHT};
    return pdf_flow_check(pages, count);
}

#define CHECK(...)                                                                                 \
    check((const int[]){__VA_ARGS__}, sizeof((const int[]){__VA_ARGS__}) / sizeof(int))

static void lost_page_is_a_step_higher_than_a_page(void **state)
{
    assert_int_equal(CHECK(72000, 132450, 192900, 251000).gap, 0);
    assert_int_equal(CHECK(72000, 192900, 251000).gap, 2);
    assert_int_equal(CHECK(72000, 132450, 251001).gap, 3);
    assert_int_equal(CHECK(132450, 192900).gap, 1);
    assert_int_equal(CHECK(72000, 132450, 251001).restart, 0);
}

static void step_back_is_another_report_or_order(void **state)
{
    assert_int_equal(CHECK(72000, 132450, 72000).restart, 3);
    assert_int_equal(CHECK(72000, 132450, 192900, 132450).restart, 4);
    assert_int_equal(CHECK(72000, 132450, 132450).restart, 3);
    assert_int_equal(CHECK(72000, 132450, 192900).restart, 0);
}

static void nothing_is_said_about_unknown_pages(void **state)
{
    const struct pdf_flow flow = CHECK(0, 900000, 0, 72000);
    assert_int_equal(flow.gap, 0);
    assert_int_equal(flow.restart, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(top_follows_the_transformations),
        cmocka_unit_test(report_on_the_sheet_of_the_page_counts),
        cmocka_unit_test(letters_and_pictures_are_no_sheets),
        cmocka_unit_test(check_boxes_are_squares_and_ticks),
        cmocka_unit_test(any_end_is_fine),
        cmocka_unit_test(nesting_is_bounded),
        cmocka_unit_test(lost_page_is_a_step_higher_than_a_page),
        cmocka_unit_test(step_back_is_another_report_or_order),
        cmocka_unit_test(nothing_is_said_about_unknown_pages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
