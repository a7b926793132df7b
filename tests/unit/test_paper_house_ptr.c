/* House reports as words at positions: rows, their cells, and failing checks. */
#include "unit.h"

#include "base/buf.h"
#include "paper/readers.h"

enum { LETTER = 5, SPACE = 3, HEIGHT = 10, HEADING_HEIGHT = 13, BBOX_MAX = 1 << 20 };

/* Left edges of the columns since 2022. */
enum { ID = 25, OWNER = 65, ASSET = 104, TYPE = 262, DATE = 327, NOTIFIED = 382, AMOUNT = 446 };
enum { GAINS = 525 };

/* A report, written from top to bottom. */
struct sheet {
    struct arena arena;
    struct buf bbox;
    int y;
    struct pdf_facts facts;
    struct reading reading;
};

static void turn_page(struct sheet *s)
{
    buf_text(&s->bbox, "<page width=\"612\" height=\"792\">\n");
    s->y = 50;
}

static struct sheet *begin(void)
{
    struct sheet *s = MEM_NEW(struct sheet);
    arena_init(&s->arena);
    buf_init(&s->bbox, BBOX_MAX);
    buf_text(&s->bbox, "<doc>\n");
    s->facts = (struct pdf_facts){.state = PDF_OPEN, .pages = 1};
    turn_page(s);
    return s;
}

static void end(struct sheet *s)
{
    buf_finish(&s->bbox);
    arena_finish(&s->arena);
    mem_free(s);
}

/* Adds the words of the text from x on, on the current line. */
static void put_tall(struct sheet *s, int x, int height, const char *text)
{
    struct str rest = str_from(text), word;
    while (str_split(&rest, ' ', &word)) {
        int right = x + (int)word.n * LETTER;
        buf_fmt(
            &s->bbox, "<word xMin=\"%d\" yMin=\"%d\" xMax=\"%d\" yMax=\"%d\">%.*s</word>\n", x,
            s->y - height, right, s->y, STR_ARG(word));
        x = right + SPACE;
    }
}

static void put(struct sheet *s, int x, const char *text)
{
    put_tall(s, x, HEIGHT, text);
}

static void down(struct sheet *s)
{
    s->y += 12;
}

static void line(struct sheet *s, int x, const char *text)
{
    put(s, x, text);
    down(s);
}

static void heading(struct sheet *s, const char *text)
{
    down(s);
    put_tall(s, 21, HEADING_HEIGHT, text);
    down(s);
}

static void header(struct sheet *s)
{
    static const struct {
        int x;
        const char *title;
    } titles[] = {
        {ID, "ID"},     {OWNER, "Owner"},           {ASSET, "Asset"},   {TYPE, "Transaction"},
        {DATE, "Date"}, {NOTIFIED, "Notification"}, {AMOUNT, "Amount"}, {GAINS, "Cap."},
    };
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        put(s, titles[i].x, titles[i].title);
    down(s);
    put(s, TYPE, "Type");
    put(s, NOTIFIED, "Date");
    line(s, GAINS, "Gains &gt;");
    line(s, GAINS, "$200?");
}

static void head(struct sheet *s)
{
    line(s, 484, "Filing ID #20990001");
    put_tall(s, 117, 24, "P T R");
    down(s);
    heading(s, "F I");
    put(s, 21, "Name:");
    line(s, 99, "Hon. Robin Vale");
    put(s, 21, "Status:");
    line(s, 99, "Member");
    put(s, 21, "State/District:");
    line(s, 99, "cA07");
    heading(s, "T");
    header(s);
}

/* The first line of a row, and its status. */
static void row(struct sheet *s, const char *asset, const char *type, const char *amount)
{
    put(s, ASSET, asset);
    put(s, TYPE, type);
    put(s, DATE, "03/01/2024");
    put(s, NOTIFIED, "03/05/2024");
    line(s, AMOUNT, amount);
}

static void status(struct sheet *s, const char *word)
{
    put(s, ASSET, "F S :");
    line(s, ASSET + 40, word);
}

static void tail(struct sheet *s)
{
    line(s, 25, "* For the complete list of asset type abbreviations, please visit");
    heading(s, "C S");
    line(s, 21, "Digitally Signed: Hon. Robin Vale , 03/08/2024");
}

static const struct reading *read_sheet(struct sheet *s)
{
    buf_text(&s->bbox, "</doc>\n");
    house_ptr_read(buf_view(&s->bbox), &s->facts, &s->arena, &s->reading);
    return &s->reading;
}

static bool passed(const struct reading *r, const char *name)
{
    for (size_t i = 0; i < r->check_count; i++)
        if (str_eq(r->checks[i].name, str_from(name)))
            return r->checks[i].passed;
    fail_msg("no check %s", name);
    return false;
}

static size_t failed_checks(const struct reading *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->check_count; i++)
        n += !r->checks[i].passed;
    return n;
}

static void every_cell_of_a_report_is_read(void **state)
{
    struct sheet *s = begin();
    head(s);
    put(s, OWNER, "SP");
    row(s, "Harbor Tools &amp; Dies, Inc.", "S (partial)", "$1,001 -");
    put(s, ASSET, "(HRBR) [ST]");
    line(s, AMOUNT, "$15,000");
    status(s, "New");
    put(s, ASSET, "S O :");
    line(s, ASSET + 40, "A Trust &gt; Brokerage");
    put(s, ASSET, "L :");
    line(s, ASSET + 40, "Portland, OR, US");
    put(s, ASSET, "D :");
    line(s, ASSET + 40, "Part of a larger");
    line(s, ASSET, "sale.");
    put(s, ASSET, "C :");
    line(s, ASSET + 40, "None: really");
    row(s, "Second Company [OT]", "P", "$770.32");
    status(s, "New");
    tail(s);
    const struct reading *r = read_sheet(s);
    assert_int_equal(r->kind, READING_HOUSE_PTR);
    assert_str(r->document_id, "20990001");
    assert_str(r->filer, "Hon. Robin Vale");
    assert_str(r->filer_status, "Member");
    assert_str(r->state_district, "CA07");
    assert_str(r->filed, "03/08/2024");
    assert_int_equal(failed_checks(r), 0);
    assert_int_equal(r->row_count, 2);
    const struct str *cell = r->rows[0].cell;
    assert_true(str_is_null(cell[CELL_ID]));
    assert_str(cell[CELL_OWNER], "SP");
    assert_str(cell[CELL_ASSET], "Harbor Tools & Dies, Inc. (HRBR) [ST]");
    assert_str(cell[CELL_TYPE], "S (partial)");
    assert_str(cell[CELL_DATE], "03/01/2024");
    assert_str(cell[CELL_NOTIFIED], "03/05/2024");
    assert_str(cell[CELL_AMOUNT], "$1,001 - $15,000");
    assert_str(cell[CELL_STATUS], "New");
    assert_str(cell[CELL_SUBHOLDING], "A Trust > Brokerage");
    assert_str(cell[CELL_LOCATION], "Portland, OR, US");
    assert_str(cell[CELL_DESCRIPTION], "Part of a larger sale.");
    assert_str(cell[CELL_COMMENT], "None: really");
    assert_int_equal(r->rows[0].row, 1);
    assert_int_equal(r->rows[0].page, 1);
    assert_int_equal(r->rows[1].row, 2);
    assert_true(str_is_null(r->rows[1].cell[CELL_OWNER]));
    assert_str(r->rows[1].cell[CELL_AMOUNT], "$770.32");
    end(s);
}

static void row_continues_after_the_header_of_the_next_page(void **state)
{
    struct sheet *s = begin();
    head(s);
    row(s, "A name that", "P", "$15,001 -");
    turn_page(s);
    header(s);
    put(s, ASSET, "goes on (LNG) [ST]");
    line(s, AMOUNT, "$50,000");
    status(s, "New");
    put(s, ASSET, "D :");
    line(s, ASSET + 40, "ends on the");
    turn_page(s);
    header(s);
    line(s, ASSET, "last page");
    row(s, "Another [ST]", "S", "$1,001 - $15,000");
    status(s, "New");
    tail(s);
    const struct reading *r = read_sheet(s);
    assert_int_equal(failed_checks(r), 0);
    assert_int_equal(r->row_count, 2);
    assert_str(r->rows[0].cell[CELL_ASSET], "A name that goes on (LNG) [ST]");
    assert_str(r->rows[0].cell[CELL_AMOUNT], "$15,001 - $50,000");
    assert_str(r->rows[0].cell[CELL_DESCRIPTION], "ends on the last page");
    assert_int_equal(r->rows[0].page, 1);
    assert_int_equal(r->rows[1].page, 3);
    end(s);
}

static void amended_and_deleted_rows_have_the_id_of_the_original(void **state)
{
    struct sheet *s = begin();
    head(s);
    put(s, ID, "2000115357");
    row(s, "Gone [ST]", "S", "$1,001 - $15,000");
    status(s, "Deleted");
    put(s, ID, "2000115358");
    row(s, "Changed [ST]", "S", "$1,001 - $15,000");
    status(s, "aMeNDeD");
    tail(s);
    const struct reading *r = read_sheet(s);
    assert_int_equal(r->rows[0].status, READING_DELETED);
    assert_str(r->rows[0].cell[CELL_ID], "2000115357");
    assert_int_equal(r->rows[1].status, READING_AMENDED);
    assert_str(r->rows[1].cell[CELL_STATUS], "aMeNDeD");
    end(s);
}

static void old_labels_match_in_any_letter_case(void **state)
{
    struct sheet *s = begin();
    head(s);
    row(s, "amazon (aMZN)", "P", "$1,001 - $15,000");
    line(s, ASSET, "FILINg STaTUS : New");
    line(s, ASSET, "SUBHoLDINg oF : IRa: own");
    line(s, ASSET, "LoCaTIoN : US");
    line(s, ASSET, "DESCRIPTIoN : one");
    line(s, ASSET, "CoMMENTS : two");
    tail(s);
    const struct reading *r = read_sheet(s);
    assert_int_equal(failed_checks(r), 1);
    for (size_t i = 0; i < r->check_count; i++)
        if (!r->checks[i].passed) {
            assert_str(r->checks[i].name, "letter_case");
            assert_str(r->checks[i].detail, "FILINg STaTUS :");
        }
    assert_str(r->rows[0].cell[CELL_ASSET], "amazon (aMZN)");
    assert_str(r->rows[0].cell[CELL_SUBHOLDING], "IRa: own");
    assert_str(r->rows[0].cell[CELL_LOCATION], "US");
    assert_str(r->rows[0].cell[CELL_DESCRIPTION], "one");
    assert_str(r->rows[0].cell[CELL_COMMENT], "two");
    end(s);
}

/* The stand-in of a repaired capital (paper/letter_case.h). */
#define REPAIRED_A "\xee\x81\x81"
#define REPAIRED_P "\xee\x81\x90"

static void repaired_capitals_are_read_as_on_the_page(void **state)
{
    struct sheet *s = begin();
    s->facts.capitals = 2;
    head(s);
    row(s, REPAIRED_A "mazon (" REPAIRED_A "MZN) [ST]", REPAIRED_P, "$1,001 - $15,000");
    status(s, "New");
    row(s, "Second [ST]", "P", "$1,001 - $15,000");
    status(s, "New");
    tail(s);
    const struct reading *r = read_sheet(s);
    assert_int_equal(failed_checks(r), 0);
    assert_int_equal(r->row_count, 2);
    assert_str(r->rows[0].cell[CELL_ASSET], "Amazon (AMZN) [ST]");
    assert_str(r->rows[0].cell[CELL_ASSET_STORED], "amazon (aMZN) [ST]");
    assert_str(r->rows[0].cell[CELL_TYPE], "P");
    assert_true(str_is_null(r->rows[1].cell[CELL_ASSET_STORED]));
    end(s);
}

static void characters_of_an_unrepaired_report_stay_as_they_are(void **state)
{
    struct sheet *s = begin();
    head(s);
    row(s, REPAIRED_A "mazon [ST]", "P", "$1,001 - $15,000");
    status(s, "New");
    tail(s);
    const struct reading *r = read_sheet(s);
    assert_str(r->rows[0].cell[CELL_ASSET], REPAIRED_A "mazon [ST]");
    assert_true(str_is_null(r->rows[0].cell[CELL_ASSET_STORED]));
    end(s);
}

static void filing_id_and_type_match_in_any_letter_case(void **state)
{
    struct sheet *s = begin();
    line(s, 484, "filing Id #20990001");
    line(s, 117, "P T R");
    header(s);
    row(s, "One [ST]", "p", "$1,001 - $15,000");
    status(s, "New");
    line(s, 25, "* for the complete list of asset type abbreviations, please visit");
    const struct reading *r = read_sheet(s);
    assert_str(r->document_id, "20990001");
    assert_int_equal(r->row_count, 1);
    assert_true(passed(r, "table_ended"));
    end(s);
}

/* A whole report with one row. */
static struct sheet *whole(void)
{
    struct sheet *s = begin();
    head(s);
    row(s, "One [ST]", "P", "$1,001 - $15,000");
    status(s, "New");
    tail(s);
    return s;
}

static void second_report_fails_the_check(void **state)
{
    static const char *const second[] = {
        "Filing ID #20990002", "P T R", "Digitally Signed: Hon. Robin Vale , 03/09/2024"};
    for (size_t i = 0; i < sizeof second / sizeof *second; i++) {
        struct sheet *s = whole();
        turn_page(s);
        line(s, 117, second[i]);
        const struct reading *r = read_sheet(s);
        assert_int_equal(r->row_count, 1);
        assert_false(passed(r, "one_report"));
        assert_int_equal(failed_checks(r), 1);
        end(s);
    }
}

static void findings_about_the_file_are_checks(void **state)
{
    static const struct {
        struct pdf_facts facts;
        const char *failed;
    } cases[] = {
        {{.state = PDF_OPEN, .pages = 7, .gap = 2}, "pages_whole"},
        {{.state = PDF_OPEN, .pages = 7, .restart = 4}, "one_report"},
        {{.state = PDF_CUT_OFF}, "file_whole"},
        {{.state = PDF_DAMAGED}, "file_whole"},
        {{.state = PDF_UNEXAMINED}, "file_whole"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sheet *s = whole();
        s->facts = cases[i].facts;
        const struct reading *r = read_sheet(s);
        assert_int_equal(r->kind, READING_HOUSE_PTR);
        assert_false(passed(r, cases[i].failed));
        assert_int_equal(failed_checks(r), 1);
        end(s);
    }
}

static void file_without_words_that_is_not_whole_is_no_scan(void **state)
{
    static const struct {
        enum pdf_state state;
        const char *reason;
    } cases[] = {
        {PDF_CUT_OFF, "the end of the PDF is missing"},
        {PDF_ENCRYPTED, "the PDF is encrypted with a password"},
        {PDF_DAMAGED, "the PDF is damaged"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sheet *s = begin();
        s->facts.state = (int)cases[i].state;
        const struct reading *r = read_sheet(s);
        assert_int_equal(r->kind, READING_REFUSED);
        assert_str(r->reason, cases[i].reason);
        end(s);
    }
}

static void tall_check_box_next_to_an_id_does_not_end_the_table(void **state)
{
    struct sheet *s = begin();
    head(s);
    put(s, ID, "2000115357");
    put_tall(s, GAINS + 4, HEADING_HEIGHT, "gfedc");
    row(s, "Gone [ST]", "S", "$1,001 - $15,000");
    status(s, "Deleted");
    tail(s);
    const struct reading *r = read_sheet(s);
    assert_int_equal(r->row_count, 1);
    assert_int_equal(failed_checks(r), 0);
    end(s);
}

static void check_boxes_and_text_after_the_table_belong_to_no_row(void **state)
{
    struct sheet *s = begin();
    head(s);
    put_tall(s, GAINS + 4, HEADING_HEIGHT, "gfedc");
    s->y += 4;
    row(s, "One [ST]", "P", "$1,001 - $15,000");
    status(s, "New");
    put(s, ASSET, "D :");
    line(s, ASSET + 40, "said");
    heading(s, "I V D");
    row(s, "Not a row [ST]", "P", "$1,001 - $15,000");
    status(s, "New");
    tail(s);
    const struct reading *r = read_sheet(s);
    assert_int_equal(r->row_count, 1);
    assert_int_equal(failed_checks(r), 0);
    assert_str(r->rows[0].cell[CELL_ASSET], "One [ST]");
    assert_str(r->rows[0].cell[CELL_DESCRIPTION], "said");
    end(s);
}

/* In older forms the box is drawn in letters, in newer ones as lines (pdf_flow.h). */
static void box_for_capital_gains_is_read_beside_its_row(void **state)
{
    static const char *const want[] = {"checked",     "not checked", "checked",
                                       "not checked", NULL,          NULL};
    struct sheet *s = begin();
    head(s);
    for (int i = 0; i < 6; i++) {
        s->facts.boxes.page = 1;
        if (i < 2) { /* a little lower than its row */
            s->y += 5;
            put_tall(s, GAINS + 4, HEADING_HEIGHT, i ? "g f e d c" : "g f e d c b");
            s->y -= 5;
        } else if (i < 5)
            pdf_boxes_add(&s->facts.boxes, GAINS + 20, s->y - 4, i == 2);
        if (i == 4) /* two of them: which one counts is not known */
            pdf_boxes_add(&s->facts.boxes, GAINS + 20, s->y - 4, true);
        pdf_boxes_add(&s->facts.boxes, AMOUNT, s->y - 4, true); /* of another column */
        row(s, "One [ST]", "S", "$1,001 - $15,000");
        status(s, "New");
    }
    tail(s);
    const struct reading *r = read_sheet(s);
    assert_int_equal(r->row_count, 6);
    for (size_t i = 0; i < r->row_count; i++)
        if (want[i])
            assert_str(r->rows[i].cell[CELL_CAP_GAINS], want[i]);
        else
            assert_true(str_is_null(r->rows[i].cell[CELL_CAP_GAINS]));
    end(s);
}

static void wrong_number_of_status_lines_fails_the_check(void **state)
{
    struct sheet *s = begin();
    head(s);
    row(s, "One [ST]", "P", "$1,001 - $15,000");
    status(s, "New");
    row(s, "Two [ST]", "P", "$1,001 - $15,000");
    tail(s);
    const struct reading *r = read_sheet(s);
    assert_int_equal(r->row_count, 2);
    assert_false(passed(r, "status_lines_equal_rows"));
    assert_int_equal(failed_checks(r), 1);
    end(s);
}

static void report_without_rows_fails_its_checks(void **state)
{
    struct sheet *s = begin();
    head(s);
    tail(s);
    const struct reading *r = read_sheet(s);
    assert_int_equal(r->kind, READING_HOUSE_PTR);
    assert_false(passed(r, "rows_found"));
    end(s);
}

static void truncated_report_fails_the_checks_of_missing_parts(void **state)
{
    struct sheet *s = begin();
    line(s, 117, "P T R");
    header(s);
    row(s, "One [ST]", "P", "$1,001 - $15,000");
    status(s, "New");
    const struct reading *r = read_sheet(s);
    assert_int_equal(r->row_count, 1);
    assert_false(passed(r, "filing_id_printed"));
    assert_false(passed(r, "signed"));
    assert_false(passed(r, "name_printed"));
    assert_false(passed(r, "table_ended"));
    assert_true(passed(r, "rows_found"));
    end(s);
}

static void pages_without_words_are_a_scan(void **state)
{
    struct sheet *s = begin();
    turn_page(s);
    assert_int_equal(read_sheet(s)->kind, READING_HOUSE_SCAN);
    end(s);
}

static void other_form_is_refused_with_a_reason(void **state)
{
    struct sheet *s = begin();
    put_tall(s, 117, 24, "F D R");
    down(s);
    header(s);
    row(s, "One [ST]", "P", "$1,001 - $15,000");
    tail(s);
    const struct reading *r = read_sheet(s);
    assert_int_equal(r->kind, READING_REFUSED);
    assert_true(r->reason.n > 0 && r->row_count == 0);
    end(s);
}

static void invalid_words_are_refused_with_a_reason(void **state)
{
    struct arena arena;
    struct reading r;
    const struct pdf_facts facts = {.state = PDF_OPEN};
    arena_init(&arena);
    house_ptr_read(STR(""), &facts, &arena, &r);
    assert_int_equal(r.kind, READING_REFUSED);
    assert_str(r.reason, "the PDF cannot be read");
    arena_finish(&arena);
}

/* A row ends with its last line on the page on which it begins. */
static void rows_have_places(void **state)
{
    struct sheet *s = begin();
    struct house_place *places;
    head(s);
    int first = s->y;
    row(s, "Harbor", "P", "$1,001 -");
    line(s, ASSET, "Tools [ST]");
    status(s, "New");
    int second = s->y;
    row(s, "Garden Mills [ST]", "S", "$15,001 -");
    buf_text(&s->bbox, "</page>\n");
    turn_page(s);
    header(s);
    status(s, "New");
    buf_text(&s->bbox, "</page></doc>");
    assert_int_equal(house_ptr_places(buf_view(&s->bbox), &s->arena, &places), 2);
    const int rows[][2] = {{first, second - 12}, {second, second}};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(places[i].row, i + 1);
        assert_int_equal(places[i].page, 1);
        assert_int_equal(places[i].top, 100 * (rows[i][0] - HEIGHT));
        assert_int_equal(places[i].bottom, 100 * rows[i][1]);
    }
    assert_int_equal(house_ptr_places(STR("<doc></doc>"), &s->arena, &places), 0);
    assert_int_equal(house_ptr_places(STR("words"), &s->arena, &places), 0);
    end(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cell_of_a_report_is_read),
        cmocka_unit_test(row_continues_after_the_header_of_the_next_page),
        cmocka_unit_test(amended_and_deleted_rows_have_the_id_of_the_original),
        cmocka_unit_test(old_labels_match_in_any_letter_case),
        cmocka_unit_test(repaired_capitals_are_read_as_on_the_page),
        cmocka_unit_test(characters_of_an_unrepaired_report_stay_as_they_are),
        cmocka_unit_test(filing_id_and_type_match_in_any_letter_case),
        cmocka_unit_test(second_report_fails_the_check),
        cmocka_unit_test(findings_about_the_file_are_checks),
        cmocka_unit_test(file_without_words_that_is_not_whole_is_no_scan),
        cmocka_unit_test(tall_check_box_next_to_an_id_does_not_end_the_table),
        cmocka_unit_test(check_boxes_and_text_after_the_table_belong_to_no_row),
        cmocka_unit_test(box_for_capital_gains_is_read_beside_its_row),
        cmocka_unit_test(wrong_number_of_status_lines_fails_the_check),
        cmocka_unit_test(report_without_rows_fails_its_checks),
        cmocka_unit_test(truncated_report_fails_the_checks_of_missing_parts),
        cmocka_unit_test(pages_without_words_are_a_scan),
        cmocka_unit_test(other_form_is_refused_with_a_reason),
        cmocka_unit_test(invalid_words_are_refused_with_a_reason),
        cmocka_unit_test(rows_have_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
