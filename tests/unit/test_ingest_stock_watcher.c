#include "unit.h"

#include "ingest/stock_watcher.h"
#include "paper/cell/html_cell.h"
#include "paper/cell/printed.h"
#include "real_members.h"

/* One invented senator. */
static struct member_term terms[] = {
    {CHAMBER_SENATE, STR_INIT("OR"), MEMBER_DISTRICT_NONE, STR_INIT("Independent"), 16000, 20000},
};
static struct member senator = {
    .id = STR_INIT("F000999"),
    .first = STR_INIT("Ben"),
    .last = STR_INIT("Ferncastle"),
    .birthday = DAY_NONE,
    .terms = terms,
    .term_count = 1};

enum { LOG_MAX = 16 };

static struct {
    int row;
    size_t record;
    char reason[120];
} refusals[LOG_MAX];
static size_t refusal_count;

static void log_refusal(void *ctx, const struct stock_watcher_refusal *refusal)
{
    assert_true(refusal_count < LOG_MAX);
    refusals[refusal_count].row = refusal->row;
    refusals[refusal_count].record = refusal->record;
    snprintf(
        refusals[refusal_count].reason, sizeof refusals[0].reason, "%.*s",
        STR_ARG(refusal->reason));
    refusal_count++;
}

static struct fail why;

static enum err read_text(const char *text, struct stock_watcher **ret)
{
    static const struct member_list list = {&senator, 1};
    refusal_count = 0;
    why = (struct fail){0};
    return stock_watcher_read(
        STR("folder/dump.json"), str_from(text), &list, log_refusal, NULL, ret, &why);
}

#define UUID "01234567-89AB-cdef-0123-456789abcdef"
#define FILING(link, rows)                                                                         \
    "{\"first_name\":\"Ben\",\"last_name\":\"Ferncastle\",\"office\":\"Senator\","                 \
    "\"date_recieved\":\"07/04/2015\",\"bioguide\":\"X999999\",\"ptr_link\":\"" link               \
    "\",\"transactions\":[" rows "]}"
#define PTR "https://efdsearch.senate.gov/search/view/ptr/" UUID "/"
#define PAPER "https://efdsearch.senate.gov/search/view/paper/" UUID "/"
#define ROW(owner, ticker, asset, type, side, amount)                                              \
    "{\"transaction_date\":\"06/30/2015\",\"owner\":\"" owner "\",\"ticker\":\"" ticker            \
    "\",\"asset_description\":\"" asset "\",\"asset_type\":\"" type "\",\"type\":\"" side          \
    "\",\"amount\":\"" amount "\",\"comment\":\"--\"}"
#define LINK(symbol)                                                                               \
    "<a href=\\\"https://finance.example/q?s=" symbol "\\\" target=\\\"_blank\\\">" symbol "</a>"
#define PLAIN                                                                                      \
    ROW("Self", LINK("WIDG"), "Widget Works Inc.", "Stock", "Purchase", "$1,001 - $15,000")

static void filing_becomes_a_draft(void **state)
{
    struct stock_watcher *sw;
    assert_int_equal(read_text("[" FILING(PTR, PLAIN "," PLAIN) "]", &sw), OK);
    assert_int_equal(refusal_count, 0);
    assert_int_equal(sw->filing_count, 1);
    assert_int_equal(sw->people, 1);
    assert_str(sw->document.name, "dump.json");
    const struct draft_filing *f = &sw->filings[0];
    assert_str(f->id, "senate-01234567-89ab-cdef-0123-456789abcdef");
    assert_str(f->source_doc_id, "01234567-89ab-cdef-0123-456789abcdef");
    assert_str(f->url, PTR);
    assert_str(f->politician_id, "F000999");
    assert_str(f->party, "Independent");
    assert_str(f->state, "OR");
    /* midnight in Washington is 04:00 UTC in summer */
    assert_true(f->filed_at == INT64_C(1435982400000));
    /* identical rows are separate lots, numbered in descending order */
    assert_int_equal(f->row_count, 2);
    assert_int_equal(f->rows[0].row, 2);
    assert_int_equal(f->rows[1].row, 1);
    stock_watcher_destroy(sw);
}

static struct draft_row first_row(struct stock_watcher **sw, const char *text)
{
    assert_int_equal(read_text(text, sw), OK);
    assert_int_equal(refusal_count, 0);
    assert_int_equal((*sw)->filings[0].row_count, 1);
    return (*sw)->filings[0].rows[0];
}

static void cells_lose_markup_in_values_and_source(void **state)
{
    struct stock_watcher *sw;
    struct draft_row row = first_row(
        &sw, "[" FILING(
                 PTR, ROW("Spouse", "--",
                          "W &amp;amp; W  Bond&nbsp;&#50;1 <div class=\\\"text-muted\\\">"
                          "<em>Rate:</em> 4%<br> <em>Matures:</em> 2031</div>",
                          "Corporate Bond", "Sale (Partial)", "$15,001 - $50,000")) "]");
    assert_str(row.values.asset_name, "W & W Bond 21");
    assert_true(str_is_null(row.values.ticker));
    assert_int_equal(row.values.asset_type, ASSET_BOND);
    assert_int_equal(row.values.side, SIDE_SELL_PARTIAL);
    assert_int_equal(row.values.owner, OWNER_SPOUSE);
    assert_int_equal(row.values.bracket, BRACKET_15K_50K);
    assert_str(
        row.printed,
        "{\"owner\":\"Spouse\",\"ticker\":\"--\",\"asset\":\"W & W Bond 21\","
        "\"asset_detail\":\"Rate: 4% Matures: 2031\",\"asset_type\":\"Corporate Bond\","
        "\"type\":\"Sale (Partial)\",\"date\":\"06/30/2015\","
        "\"amount\":\"$15,001 - $50,000\",\"comment\":\"--\"}");
    stock_watcher_destroy(sw);
}

static void exchange_has_the_symbol_given(void **state)
{
    struct stock_watcher *sw;
    struct draft_row row = first_row(
        &sw, "[" FILING(
                 PTR, ROW("Joint", LINK("brk-b") "   <br>  " LINK("NEW"),
                          "Old Co (Exchanged) <br> New Co (Received)", "Stock", "Exchange",
                          "$50,001 - $100,000")) "]");
    assert_str(row.values.ticker, "BRK.B");
    assert_str(row.values.asset_name, "Old Co (Exchanged) New Co (Received)");
    stock_watcher_destroy(sw);
    row = first_row(
        &sw, "[" FILING(
                 PTR, ROW("Joint", "--  <br>  " LINK("NEW"), "Old Co", "Stock", "Exchange",
                          "$50,001 - $100,000")) "]");
    assert_true(str_is_null(row.values.ticker));
    stock_watcher_destroy(sw);
}

static void trailing_symbol_is_cut_only_if_it_is_the_ticker(void **state)
{
    struct stock_watcher *sw;
    struct draft_row row = first_row(
        &sw, "[" FILING(
                 PTR, ROW("--", LINK("WIDG"), "Widget Works (widg)", "", "Purchase",
                          "Over $50,000,000")) "]");
    assert_str(row.values.asset_name, "Widget Works");
    assert_int_equal(row.values.asset_type, ASSET_NONE);
    assert_int_equal(row.values.owner, OWNER_NONE);
    assert_int_equal(row.values.bracket, BRACKET_OVER_50M);
    stock_watcher_destroy(sw);
    row = first_row(
        &sw, "[" FILING(
                 PTR, ROW("Child", LINK("WIDG"), "Widget Works (REIT)", "Stock", "Purchase",
                          "Over $1,000,000")) "]");
    assert_str(row.values.asset_name, "Widget Works (REIT)");
    assert_int_equal(row.values.bracket, BRACKET_OVER_1M_SPOUSE);
    stock_watcher_destroy(sw);
}

static void refused_row_keeps_the_other_rows_and_numbers(void **state)
{
    struct stock_watcher *sw;
    assert_int_equal(
        read_text(
            "[" FILING(
                PTR,
                PLAIN "," ROW("Self", "W*G", "Widget", "Stock", "Purchase", "$1,001 - $15,000") "," ROW("Aunt", "--", "Widget", "Stock", "Purchase", "$1,001 - $15,000") "," ROW("Self", "--", "Widget", "Tulips", "Purchase", "$1,001 - $15,000") "," ROW("Self", "--", "Widget", "Stock", "Gift", "$1,001 - $15,000") "," ROW(
                    "Self", "--", "Widget", "Stock", "Purchase",
                    "$1,001 -") "," ROW("Self", "--", "Widget", "Stock", "Purchase", "Over $1,000,000") "," ROW("Self", "--", "N/A", "Stock", "Purchase", "$1,001 - $15,000") "," PLAIN) "]",
            &sw),
        OK);
    assert_int_equal(refusal_count, 7);
    assert_int_equal(sw->rows_refused, 7);
    assert_int_equal(sw->rows_read, 9);
    assert_int_equal(refusals[0].row, 8);
    assert_string_equal(refusals[0].reason, "ticker \"W*G\" is not known");
    assert_string_equal(refusals[4].reason, "amount \"$1,001 -\" is not known");
    assert_string_equal(refusals[6].reason, "the asset has no name");
    assert_int_equal(sw->filings[0].row_count, 2);
    assert_int_equal(sw->filings[0].rows[0].row, 9);
    assert_int_equal(sw->filings[0].rows[1].row, 1);
    stock_watcher_destroy(sw);
}

static void only_paper_filings_may_have_no_rows(void **state)
{
    struct stock_watcher *sw;
    assert_int_equal(read_text("[" FILING(PAPER, "") "]", &sw), OK);
    assert_int_equal(sw->filing_count, 0);
    assert_int_equal(sw->paper_count, 1);
    assert_int_equal(sw->filers, 1);
    assert_int_equal(sw->people, 0);
    stock_watcher_destroy(sw);
    assert_int_equal(read_text("[" FILING(PTR, "") "]", &sw), OK);
    assert_int_equal(sw->filing_count, 0);
    assert_string_equal(refusals[0].reason, "an electronic report has no rows");
    stock_watcher_destroy(sw);
}

static void invalid_filing_is_refused_with_a_reason(void **state)
{
    static const struct {
        const char *text;
        const char *reason;
    } cases[] = {
        {"[" FILING("https://example.org/1", PLAIN) "]", "the link is not the URL of a report"},
        {"[" FILING(PTR "x", PLAIN) "]", "the link is not the URL of a report"},
        {"[{\"first_name\":\"B.\",\"last_name\":\"Ferncastle\",\"office\":\"Senator\","
         "\"date_recieved\":\"07/04/2015\",\"ptr_link\":\"" PTR "\",\"transactions\":[" PLAIN "]}]",
         "no member has that name"},
        {"[{\"first_name\":\"Ben\",\"last_name\":\"Ferncastle\",\"office\":\"Senator\","
         "\"date_recieved\":\"02/30/2015\",\"ptr_link\":\"" PTR "\",\"transactions\":[" PLAIN "]}]",
         "the date of receipt is not a date (MM/DD/YYYY)"},
        {"[{\"first_name\":\"Ben\",\"last_name\":\"Ferncastle\",\"office\":\"Senator\","
         "\"date_recieved\":\"07/04/2035\",\"ptr_link\":\"" PTR "\",\"transactions\":[" PLAIN "]}]",
         "a member has that name but did not serve there then"},
        {"[" FILING(PTR, ROW("Self", "--", "X", "Stock", "Gift", "$1,001 - $15,000")) "]", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct stock_watcher *sw;
        assert_int_equal(read_text(cases[i].text, &sw), OK);
        assert_int_equal(sw->filing_count, 0);
        assert_int_equal(sw->filings_refused, 1);
        if (cases[i].reason)
            assert_string_equal(refusals[0].reason, cases[i].reason);
        else
            assert_string_equal(refusals[1].reason, "none of its rows can be read");
        stock_watcher_destroy(sw);
    }
}

static void repeated_filing_is_refused(void **state)
{
    struct stock_watcher *sw;
    assert_int_equal(read_text("[" FILING(PTR, PLAIN) "," FILING(PTR, PLAIN) "]", &sw), OK);
    assert_int_equal(sw->filing_count, 1);
    assert_string_equal(refusals[0].reason, "the file lists the same filing twice");
    assert_int_equal(refusals[0].record, 2);
    stock_watcher_destroy(sw);
}

static void damaged_or_other_file_fails_with_its_place(void **state)
{
    static const struct {
        const char *text;
        const char *reason;
    } cases[] = {
        {"", "folder/dump.json: line 1: not JSON"},
        {"[\n\n{\"a\":", "folder/dump.json: line 3: not JSON"},
        {"{}", "folder/dump.json: line 1: not a JSON array"},
        {"[7]", "folder/dump.json: record 1: it is not an object"},
        {"[{}]", "folder/dump.json: record 1: \"transactions\" is missing"},
        {"[\"\xff\"]", "folder/dump.json: line 1: not JSON"},
        {"[1e999]", "folder/dump.json: line 1: not JSON"},
        {"[{\"a\":1,\"a\":2}]", "folder/dump.json: line 1: not JSON"},
        {"[" FILING(PTR, "7") "]",
         "folder/dump.json: record 1 (senate-01234567-89ab-cdef-0123-456789abcdef): a transaction "
         "is "
         "not an object"},
        {"[" FILING(PTR, PLAIN) ",{\"transactions\":[],\"date_recieved\":5}]",
         "folder/dump.json: record 2: \"date_recieved\" is not a string"},
        {"[" FILING(PTR, "{\"owner\":\"Self\"}") "]",
         "folder/dump.json: record 1 (senate-01234567-89ab-cdef-0123-456789abcdef): "
         "\"transaction_date\" is missing"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct stock_watcher *sw = NULL;
        assert_int_equal(read_text(cases[i].text, &sw), ERR_INVALID);
        assert_null(sw);
        if (!str_starts(str_from(why.text), str_from(cases[i].reason)))
            fail_msg("case %zu: %s", i, why.text);
    }
}

static void deep_nesting_is_refused(void **state)
{
    size_t n = 100000;
    char *text = mem_alloc(n + 1);
    struct stock_watcher *sw;
    memset(text, '[', n);
    text[n] = '\0';
    assert_int_equal(read_text(text, &sw), ERR_INVALID);
    mem_free(text);
}

static void every_row_of_the_real_dump_becomes_a_trade(void **state)
{
    struct real_members members;
    struct stock_watcher *sw;
    if (!real_members_open(&members))
        skip();
    struct str text =
        shared_data_read(&members.arena, "senate/stock-watcher/all_daily_summaries.json");
    if (str_is_null(text)) {
        real_members_close(&members);
        skip();
    }
    refusal_count = 0;
    assert_int_equal(
        stock_watcher_read(STR("dump"), text, &members.list, log_refusal, NULL, &sw, &why), OK);
    for (size_t i = 0; i < refusal_count; i++)
        fprintf(
            stderr, "record %zu row %d: %s\n", refusals[i].record, refusals[i].row,
            refusals[i].reason);
    assert_int_equal(sw->filings_read, 1442);
    assert_int_equal(sw->filing_count, 979);
    assert_int_equal(sw->paper_count, 463);
    assert_int_equal(sw->rows_read, 8030);
    assert_int_equal(sw->rows_refused, 0);
    assert_int_equal(sw->people, 51);
    size_t trades = 0, without_ticker = 0;
    for (size_t i = 0; i < sw->filing_count; i++)
        for (size_t k = 0; k < sw->filings[i].row_count; k++) {
            const struct draft_row *row = &sw->filings[i].rows[k];
            trades++;
            without_ticker += str_is_null(row->values.ticker);
            assert_true(str_find_char(row->values.asset_name, '<') < 0);
            assert_true(str_find(row->values.asset_name, STR("&amp;")) < 0);
            if (getenv("SHOW_TRADES"))
                fprintf(
                    stderr, "TRADE\t%.*s\t%.*s\n", STR_ARG(row->values.ticker),
                    STR_ARG(row->values.asset_name));
        }
    assert_int_equal(trades, 8030);
    assert_int_equal(without_ticker, 1667 + 16 - 359); /* 359 are printed in the asset's name */
    stock_watcher_destroy(sw);
    real_members_close(&members);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filing_becomes_a_draft),
        cmocka_unit_test(cells_lose_markup_in_values_and_source),
        cmocka_unit_test(exchange_has_the_symbol_given),
        cmocka_unit_test(trailing_symbol_is_cut_only_if_it_is_the_ticker),
        cmocka_unit_test(refused_row_keeps_the_other_rows_and_numbers),
        cmocka_unit_test(only_paper_filings_may_have_no_rows),
        cmocka_unit_test(invalid_filing_is_refused_with_a_reason),
        cmocka_unit_test(repeated_filing_is_refused),
        cmocka_unit_test(damaged_or_other_file_fails_with_its_place),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(every_row_of_the_real_dump_becomes_a_trade),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
