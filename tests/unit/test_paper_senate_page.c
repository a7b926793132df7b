/* Senate pages with all known forms of heading and cells. */
#include "unit.h"

#include "paper/readers.h"

#define HEAD(title, filer, filed)                                                                  \
    "<html><body><h1 class=\"mb-2\">\n " title "\n</h1>\n<h2 class=\"filedReport\">" filer         \
    "</h2>\n<p><strong class=\"noWrap\"><i class=\"fa\"></i> Filed  " filed "</strong></p>\n"
#define TITLE "Periodic Transaction Report for 01/29/2024"
#define FILER "The Honorable Dana\n Hollis\n (Hollis, Dana)"
#define USUAL HEAD(TITLE, FILER, "01/29/2024 @ 6:23 PM")
#define TOTAL(n) "<ul><li>(" n " transactions total)</li><li>" n " Self</li></ul>\n"
#define TABLE(rows) OPEN_TABLE(rows) "</body></html>"
#define OPEN_TABLE(rows)                                                                           \
    "<table><caption>List</caption><thead><tr><th>#</th><th>Transaction Date</th><th>Owner</th>"   \
    "<th>Ticker</th><th>Asset Name</th><th>Asset Type</th><th>Type</th><th>Amount</th>"            \
    "<th>Comment</th></tr></thead><tbody>" rows "</tbody></table>"
#define ROW_OF(number, ticker, asset)                                                              \
    "<tr><td>" number "</td><td>\n01/02/2024\n</td><td>Joint</td><td>" ticker "</td><td>" asset    \
    "</td><td>Stock</td><td>Sale (Full)</td><td>$1,001 - $15,000</td><td>--</td></tr>\n"
#define ROW(number) ROW_OF(number, "--", "Harbor Tools")

struct read {
    struct arena arena;
    struct reading reading;
};

static struct read *read_page(const char *html)
{
    struct read *r = MEM_NEW(struct read);
    arena_init(&r->arena);
    senate_page_read(str_from(html), &r->arena, &r->reading);
    return r;
}

static void done(struct read *r)
{
    arena_finish(&r->arena);
    mem_free(r);
}

static size_t failed_checks(const struct reading *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->check_count; i++)
        n += !r->checks[i].passed;
    return n;
}

/* Counts the failed checks of a page on which one fails. */
static void assert_fails(const char *html, const char *check)
{
    struct read *r = read_page(html);
    const struct reading *got = &r->reading;
    assert_int_equal(got->kind, READING_SENATE_PTR);
    for (size_t i = 0; i < got->check_count; i++)
        if (got->checks[i].passed == str_eq(got->checks[i].name, str_from(check)))
            fail_msg("with %s: %.*s", check, STR_ARG(got->checks[i].name));
    done(r);
}

static void every_cell_of_a_report_is_read(void **state)
{
    struct read *r = read_page(USUAL TOTAL("2") TABLE(ROW("2") ROW_OF(
        "1", "\n <a href=\"/q?s=LNG\" target=\"_blank\">LNG</a>\n",
        "Cheniere &amp; Co.\n<div class=\"text-muted\">Option Type: Put <br/><em>Strike "
        "price:</em> $42.50<br>\n<em>Expires:</em> 07/17/2020</div>")));
    const struct reading *got = &r->reading;
    assert_int_equal(got->kind, READING_SENATE_PTR);
    assert_int_equal(failed_checks(got), 0);
    assert_str(got->filer, "The Honorable Dana Hollis");
    assert_str(got->filer_name, "Hollis, Dana");
    assert_true(str_is_null(got->filer_status) && str_is_null(got->document_id));
    assert_str(got->filed, "01/29/2024 @ 6:23 PM");
    assert_str(got->report_date, "01/29/2024");
    assert_int_equal(got->amendment, 0);
    assert_int_equal(got->row_count, 2);
    const struct str *cell = got->rows[0].cell;
    assert_int_equal(got->rows[0].row, 1);
    assert_int_equal(got->rows[0].page, 0);
    assert_str(cell[CELL_ID], "1");
    assert_str(cell[CELL_DATE], "01/02/2024");
    assert_str(cell[CELL_OWNER], "Joint");
    assert_str(cell[CELL_TICKER], "LNG");
    assert_true(str_is_null(cell[CELL_TICKER_TWO]));
    assert_str(cell[CELL_ASSET], "Cheniere & Co.");
    assert_str(
        cell[CELL_ASSET_DETAIL], "Option Type: Put Strike price: $42.50 Expires: 07/17/2020");
    assert_str(cell[CELL_ASSET_TYPE], "Stock");
    assert_str(cell[CELL_TYPE], "Sale (Full)");
    assert_str(cell[CELL_AMOUNT], "$1,001 - $15,000");
    assert_str(cell[CELL_COMMENT], "--");
    assert_int_equal(got->rows[1].row, 2);
    assert_true(str_is_null(got->rows[1].cell[CELL_ASSET_DETAIL]));
    done(r);
}

static void entities_encoded_twice_are_decoded(void **state)
{
    struct read *r = read_page(USUAL TOTAL("1") TABLE(ROW_OF(
        "1", "--",
        "Vale &amp;amp; Hill&amp;apos;s R&amp;D; &amp;hill;<div class=\"text-muted\">"
        "<em>Company:</em> A &amp;amp;&amp;nbsp;B &lt;1%</div>")));
    assert_str(r->reading.rows[0].cell[CELL_ASSET], "Vale & Hill's R&D; &hill;");
    assert_str(r->reading.rows[0].cell[CELL_ASSET_DETAIL], "Company: A & B <1%");
    done(r);
}

static void exchange_has_two_optional_tickers(void **state)
{
    static const struct {
        const char *html, *first, *second;
    } cases[] = {
        {ROW_OF("1", "<a>TCF</a>\n<br/>\n<a>HBAN</a>", "x"), "TCF", "HBAN"},
        {ROW_OF("1", "--\n<br/>\n<a>HBAN</a>", "x"), "--", "HBAN"},
        {ROW_OF("1", "<a>TCF</a><br>--", "x"), "TCF", "--"},
        {ROW_OF("1", "<a>TCF</a>", "x"), "TCF", NULL},
        {ROW_OF("1", "\n--\n", "x"), "--", NULL},
        {ROW_OF("1", "", "x"), "", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena;
        arena_init(&arena);
        struct str html = arena_fmt(&arena, USUAL TOTAL("1") TABLE("%s"), cases[i].html);
        struct read *r = read_page(html.p);
        assert_str(r->reading.rows[0].cell[CELL_TICKER], cases[i].first);
        assert_str(r->reading.rows[0].cell[CELL_TICKER_TWO], cases[i].second);
        done(r);
        arena_finish(&arena);
    }
}

static void asset_name_of_an_exchange_keeps_both_assets(void **state)
{
    struct read *r = read_page(USUAL TOTAL("1") TABLE(
        ROW_OF("1", "--", "\nOld Co (Exchanged)\n<br/>\nNew Co (Received)\n")));
    assert_str(r->reading.rows[0].cell[CELL_ASSET], "Old Co (Exchanged) New Co (Received)");
    done(r);
}

static void muted_text_becomes_details_in_order(void **state)
{
    struct read *r = read_page(USUAL TOTAL("1") TABLE(ROW_OF(
        "1", "--",
        "Hill Partners<div class=\"text-muted\"><em>Company:</em> Hill\n&nbsp;(Salem, OR)</div>"
        "<div class=\"text-muted\"><em>Description:</em>&nbsp;Land</div>")));
    assert_str(r->reading.rows[0].cell[CELL_ASSET], "Hill Partners");
    assert_str(
        r->reading.rows[0].cell[CELL_ASSET_DETAIL], "Company: Hill (Salem, OR) Description: Land");
    done(r);
}

static void heading_gives_amendment_and_former_senator(void **state)
{
    struct read *r = read_page(HEAD(
        TITLE " (Amendment 2)", "Ms. Dana Hollis (Hollis, Dana)\n (Former Senator)",
        "01/10/2018 @ 1 PM") TOTAL("1") TABLE(ROW("1")));
    assert_int_equal(r->reading.amendment, 2);
    assert_str(r->reading.report_date, "01/29/2024");
    assert_str(r->reading.filer, "Ms. Dana Hollis");
    assert_str(r->reading.filer_name, "Hollis, Dana");
    assert_str(r->reading.filer_status, "Former Senator");
    assert_str(r->reading.filed, "01/10/2018 @ 1 PM");
    done(r);
    r = read_page(HEAD(TITLE, "Dana Hollis (Former Senator)", "01/10/2018 @ 1 PM") TOTAL("1")
                      TABLE(ROW("1")));
    assert_str(r->reading.filer, "Dana Hollis");
    assert_true(str_is_null(r->reading.filer_name));
    assert_int_equal(failed_checks(&r->reading), 0);
    done(r);
}

static void repeated_row_numbers_are_replaced_by_a_countdown(void **state)
{
    struct read *r = read_page(USUAL TOTAL("3") TABLE(ROW("7") ROW("5") ROW("5")));
    assert_int_equal(r->reading.row_count, 3);
    for (int i = 0; i < 3; i++)
        assert_int_equal(r->reading.rows[i].row, i + 1);
    assert_str(r->reading.rows[2].cell[CELL_ID], "7");
    done(r);
    r = read_page(USUAL TOTAL("2") TABLE(ROW("9") ROW("3")));
    assert_int_equal(r->reading.rows[0].row, 3);
    assert_int_equal(r->reading.rows[1].row, 9);
    done(r);
    r = read_page(USUAL TOTAL("2") TABLE(ROW("10000") ROW("x")));
    assert_int_equal(r->reading.rows[1].row, 2);
    done(r);
}

static void each_check_fails_on_its_fault(void **state)
{
    char cut[] = USUAL TOTAL("1") TABLE(ROW("1"));
    assert_fails(USUAL TOTAL("2") TABLE(ROW("1")), "rows_total");
    assert_fails(USUAL TABLE(ROW("1")), "rows_total");
    assert_fails(USUAL TOTAL("0") TABLE(""), "rows_found");
    assert_fails(USUAL TOTAL("1") TABLE(ROW_OF("1", "--", "Caf\xe9 Holdings")), "in_utf8");
    assert_fails(USUAL TOTAL("1") TABLE(ROW("1") "<tr><td>2</td></tr>"), "rows_whole");
    assert_fails(USUAL TOTAL("1") OPEN_TABLE(ROW("1")) TABLE(ROW("1")), "one_table");
    assert_fails(
        USUAL "<h2 class=\"filedReport\">Dana Hollis</h2>" TOTAL("1") TABLE(ROW("1")),
        "one_report");
    assert_fails(USUAL TOTAL("1") TABLE(ROW("1")) "<html></html>", "one_report");
    cut[sizeof cut - sizeof "</html>"] = '\0';
    assert_fails(cut, "page_whole");
    assert_fails(
        "<html><h1>" TITLE "</h1><h2 class=\"filedReport\">Dana Hollis</h2>" TOTAL("1")
            TABLE(ROW("1")),
        "filed_printed");
    assert_fails(HEAD(TITLE, " ", "01/02/2024") TOTAL("1") TABLE(ROW("1")), "name_printed");
    assert_fails(
        HEAD("Periodic Transaction Report", FILER, "01/02/2024") TOTAL("1") TABLE(ROW("1")),
        "report_date_printed");
}

static void changed_header_fails_instead_of_an_empty_report(void **state)
{
    struct read *r = read_page(
        USUAL TOTAL("1") "<table><tr><th>#</th><th>Date</th></tr>" ROW("1") "</table></html>");
    assert_int_equal(r->reading.kind, READING_SENATE_PTR);
    assert_int_equal(r->reading.row_count, 0);
    assert_true(failed_checks(&r->reading) >= 2);
    done(r);
}

static void other_pages_are_refused(void **state)
{
    static const struct {
        const char *html;
        enum reading_kind kind;
    } cases[] = {
        {"<html><h1>Filing Document - Print View</h1></html>", READING_SENATE_PAPER},
        {"<html><h1>Annual Report for Calendar 2023</h1></html>", READING_REFUSED},
        {"<html><title>502 Bad Gateway</title></html>", READING_REFUSED},
        {"<html><h1>Periodic Transaction Report for 1/2/2024 (Amendment x)</h1></html>",
         READING_REFUSED},
        {"<html><h1>Periodic Transaction Report for 1/2/2024 (Amendment 0)</h1></html>",
         READING_REFUSED},
        {"<html><p>Periodic Transaction Report</p></html>", READING_REFUSED},
        {"<html>", READING_REFUSED},
        {"", READING_REFUSED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct read *r = read_page(cases[i].html);
        assert_int_equal(r->reading.kind, cases[i].kind);
        assert_true(r->reading.reason.n > 0 && r->reading.row_count == 0);
        done(r);
    }
}

#define CELL_WITH(text) USUAL TOTAL("1") TABLE(ROW_OF("1", "--", "Har" text "bor"))

/* The parser drops them: the cell would read "Harbor", which the page does not show. */
static void characters_that_the_parser_drops_are_found(void **state)
{
    static const char *const dropped[] = {
        CELL_WITH("\x1b"),         CELL_WITH("\f"),           CELL_WITH("&#12;"),
        CELL_WITH("&#27;"),        CELL_WITH("&#x1B;"),       CELL_WITH("&#000011;"),
        CELL_WITH("&#0;"),         CELL_WITH("&#xD800;"),     CELL_WITH("&#57343;"),
        CELL_WITH("&#xfffe;"),     CELL_WITH("\xef\xbf\xbf"), CELL_WITH("&#x110000;"),
        CELL_WITH("&#4294967323"), CELL_WITH("&#x10000001b;")};
    static const char *const others[] = {
        CELL_WITH("&#9;"),     CELL_WITH("\r\n\t"),     CELL_WITH("&#x41;"),
        CELL_WITH("&#xd7ff;"), CELL_WITH("&#xe9;"),     CELL_WITH("\xef\xbf\xbd"),
        CELL_WITH("&#32;"),    CELL_WITH("&#x10fffd;"), CELL_WITH("&amp;#27")};
    for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++)
        assert_fails(dropped[i], "no_hidden_characters");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct read *r = read_page(others[i]);
        assert_int_equal(failed_checks(&r->reading), 0);
        done(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cell_of_a_report_is_read),
        cmocka_unit_test(entities_encoded_twice_are_decoded),
        cmocka_unit_test(exchange_has_two_optional_tickers),
        cmocka_unit_test(asset_name_of_an_exchange_keeps_both_assets),
        cmocka_unit_test(muted_text_becomes_details_in_order),
        cmocka_unit_test(heading_gives_amendment_and_former_senator),
        cmocka_unit_test(repeated_row_numbers_are_replaced_by_a_countdown),
        cmocka_unit_test(each_check_fails_on_its_fault),
        cmocka_unit_test(changed_header_fails_instead_of_an_empty_report),
        cmocka_unit_test(other_pages_are_refused),
        cmocka_unit_test(characters_that_the_parser_drops_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
