#include "store_fixture.h"

#include "conflict/tickers.h"
#include "progress_seen.h"
#include "shared_data.h"
#include "store/public/publication.h"
#include "store/public/ticker.h"
#include "store/row/change.h"
#include "store/row/meta.h"

#define SP500 "Symbol,Security,GICS Sector,GICS Sub-Industry,Founded\n"
#define CIK "CIK,Ticker,Name,Exchange\n"
#define NASDAQ "Symbol,Security Name\n"
#define OTHER "ACT Symbol,Company Name,Security Name,Exchange,ETF,Test Issue\n"
#define SEC(rows) "{\"fields\":[\"cik\",\"name\",\"ticker\",\"exchange\"],\"data\":[" rows "]}"

enum { TEXTS_MAX = 5 };

struct refusals {
    size_t count;
    size_t line;
    char reason[80];
};

static void note_refusal(void *ctx, const struct tickers_refusal *refusal)
{
    struct refusals *r = ctx;
    r->count++;
    r->line = refusal->line;
    snprintf(r->reason, sizeof r->reason, "%s", refusal->reason);
}

static enum err import(
    struct store_fixture *f, const char *const *texts, size_t count, struct refusals *refusals,
    struct tickers_report *ret)
{
    static const char *const names[TEXTS_MAX] = {"one", "two", "three", "four", "five"};
    struct import_file files[TEXTS_MAX];
    struct refusals none = {0};
    assert_true(count <= TEXTS_MAX);
    for (size_t i = 0; i < count; i++)
        files[i] = (struct import_file){str_from(names[i]), str_from(texts[i])};
    return tickers_import(
        f->db, files, count, note_refusal, refusals ? refusals : &none, NULL, ret, &f->fail);
}

static void import_tells_bytes_read_and_symbols_written(void **state)
{
    struct store_fixture *f = *state;
    struct tickers_report report;
    struct progress_seen seen = {.phase = 0};
    const struct progress_hook hook = progress_seen_hook(&seen);
    const struct import_file file = {
        STR("one"), STR(CIK "1,QXA,Quarry One,NYSE\n2,QXB,Quarry Two,NYSE\n")};
    assert_ok(f, tickers_import(f->db, &file, 1, NULL, NULL, &hook, &report, &f->fail));
    assert_phase_ended(&seen, IMPORT_READ, file.text.n);
    assert_phase_ended(&seen, IMPORT_WRITE, 2);
}

static struct tickers_report import_one(struct store_fixture *f, const char *text)
{
    struct tickers_report report;
    assert_ok(f, import(f, &text, 1, NULL, &report));
    return report;
}

static void assert_ticker(
    struct store_fixture *f, const char *symbol, const char *company, const char *industry,
    const char *source)
{
    struct ticker t;
    assert_ok(f, ticker_find(f->db, str_from(symbol), &f->arena, &t, &f->fail));
    assert_str(t.company, company);
    if (industry)
        assert_str(t.industry, industry);
    else
        assert_true(str_is_null(t.industry));
    assert_str(t.source, source);
}

static void list_is_identified_by_its_content(void **state)
{
    struct store_fixture *f = *state;
    struct tickers_report report;
    const char *texts[] = {
        SP500 "QA,Alder Chips (Class A),Utilities,Electric Utilities,1900\n",
        "\xef\xbb\xbf" SEC("[1,\"BIRCH CORP\",\"QB\",null]"), CIK "0000000003,QC,Cedar Inc,OTC\r\n",
        NASDAQ "QD,Dogwood Inc. - Common Stock\nQE,Elm Bond ETF\n",
        OTHER "QF,x,Fir Works plc Ordinary Shares,N,N,N\nQG,x,Gorse Trust,P,Y,N\n"};
    assert_ok(f, import(f, texts, 5, NULL, &report));
    assert_int_equal(report.lines, 7);
    assert_int_equal(report.symbols, 7);
    assert_int_equal(report.added, 7);
    assert_int_equal(report.refused, 0);
    assert_ticker(
        f, "QA", "Alder Chips", "Electric and gas utilities", "S&P 500 list: Electric Utilities");
    assert_ticker(f, "QB", "BIRCH CORP", NULL, "SEC list of companies");
    assert_ticker(f, "QC", "Cedar Inc", NULL, "SEC list by CIK");
    assert_ticker(f, "QD", "Dogwood Inc.", NULL, "Nasdaq list");
    assert_ticker(f, "QE", "Elm Bond ETF", "Funds and trusts", "Nasdaq list: a fund by its name");
    assert_ticker(f, "QF", "Fir Works plc", NULL, "list of other exchanges");
    assert_ticker(
        f, "QG", "Gorse Trust", "Funds and trusts", "list of other exchanges: listed as a fund");
}

static void importing_again_changes_nothing(void **state)
{
    struct store_fixture *f = *state;
    const char *text = NASDAQ "QD,Dogwood Inc. - Common Stock\nQE,Elm Bond ETF\n";
    struct tickers_report report = import_one(f, text);
    int64_t seq;
    assert_int_equal(report.added, 2);
    assert_int_equal(report.change_seq, 1);
    report = import_one(f, text);
    assert_int_equal(report.unchanged, 2);
    assert_int_equal(report.added + report.changed, 0);
    assert_int_equal(report.change_seq, 0);
    report = import_one(f, NASDAQ "QD,Dogwood Works - Common Stock\n");
    assert_int_equal(report.changed, 1);
    assert_ok(f, change_last(f->db, &seq, &f->fail));
    assert_int_equal(seq, 2);
    assert_ticker(f, "QD", "Dogwood Works", NULL, "Nasdaq list");
}

/* The same symbols in every list, with the values of that list alone. */
static const char *const rivals[TEXTS_MAX] = {
    SP500 "QA,Alder SP,x,Electric Utilities,1\nQB,Birch SP,x,No such industry,1\n",
    SEC("[\"1\",\"Alder SEC\",\"QA\",\"x\"],[\"1\",\"Birch SEC\",\"QB\",\"x\"],"
        "[\"1\",\"Cedar SEC\",\"QC\",\"x\"],[\"1\",\"Dogwood SEC\",\"QD\",\"x\"]"),
    CIK "1,QA,Alder CIK,x\n1,QC,Cedar CIK,x\n1,QE,Elm CIK,x\n",
    NASDAQ "QA,Alder Fund\nQB,Birch Fund\nQC,Cedar Nasdaq\nQD,Dogwood Fund\nQE,Elm Nasdaq\n",
    OTHER "QC,x,Cedar other,N,N,N\nQD,x,Dogwood other,N,Y,N\nQE,x,Elm other,N,,\n",
};

static void assert_rivals(struct store_fixture *f)
{
    assert_ticker(
        f, "QA", "Alder SP", "Electric and gas utilities", "S&P 500 list: Electric Utilities");
    assert_ticker(f, "QB", "Birch SP", NULL, "S&P 500 list: No such industry");
    assert_ticker(f, "QC", "Cedar SEC", NULL, "SEC list of companies");
    assert_ticker(f, "QD", "Dogwood Fund", "Funds and trusts", "Nasdaq list: a fund by its name");
    assert_ticker(f, "QE", "Elm CIK", NULL, "SEC list by CIK");
}

static void same_list_wins_in_any_order_of_files(void **state)
{
    struct store_fixture *f = *state;
    for (size_t first = 0; first < TEXTS_MAX; first++) {
        const char *texts[TEXTS_MAX];
        struct tickers_report report;
        for (size_t i = 0; i < TEXTS_MAX; i++)
            texts[i] = rivals[(first + i) % TEXTS_MAX];
        assert_ok(f, db_exec(f->db, "DELETE FROM ticker", &f->fail));
        assert_ok(f, import(f, texts, TEXTS_MAX, NULL, &report));
        assert_rivals(f);
    }
}

static void separate_imports_give_the_same_as_one(void **state)
{
    struct store_fixture *f = *state;
    for (size_t first = 0; first < TEXTS_MAX; first++) {
        assert_ok(f, db_exec(f->db, "DELETE FROM ticker", &f->fail));
        for (size_t i = 0; i < TEXTS_MAX; i++)
            import_one(f, rivals[(first + i) % TEXTS_MAX]);
        assert_rivals(f);
        for (size_t i = 0; i < TEXTS_MAX; i++)
            assert_int_equal(import_one(f, rivals[i]).change_seq, 0);
    }
}

static void spellings_of_a_class_share_are_one_symbol(void **state)
{
    struct store_fixture *f = *state;
    struct refusals refusals = {0};
    struct tickers_report report;
    const char *texts[] = {NASDAQ "QRK-B,Quark Inc.\nqrk/b,Quark again\nQRK.B,Quark once more\n"};
    assert_ok(f, import(f, texts, 1, &refusals, &report));
    assert_int_equal(report.symbols, 1);
    assert_int_equal(report.refused, 2);
    assert_string_equal(refusals.reason, "the list has the symbol twice");
    assert_int_equal(refusals.line, 4);
    assert_ticker(f, "QRK.B", "Quark Inc.", NULL, "Nasdaq list");
}

static void last_line_of_nasdaq_is_no_security(void **state)
{
    struct store_fixture *f = *state;
    struct refusals refusals = {0};
    struct tickers_report report;
    const char *texts[] = {
        NASDAQ "QA,Alder Works Inc.\nFile Creation Time: 0731202621:31,\n,\n",
        OTHER "QB,x,Birch Works Inc.,N,N,N\nFile Creation Time: 0731202621:31\n"};
    assert_ok(f, import(f, texts, 2, &refusals, &report));
    assert_int_equal(report.lines, 2);
    assert_int_equal(report.symbols, 2);
    assert_int_equal(report.refused, 0);
}

static void other_security_has_a_name_and_no_industry(void **state)
{
    struct store_fixture *f = *state;
    import_one(
        f, OTHER "QA,x,Alder Bond Fund Rights,N,N,N\nQB,x,Birch Test Fund,N,Y,Y\n"
                 "QC,x,\"Cedar Units, each of one share and one Warrant\",N,N,N\n");
    assert_ticker(f, "QA", "Alder Bond Fund Rights", NULL, "list of other exchanges");
    assert_ticker(f, "QB", "Birch Test Fund", NULL, "list of other exchanges");
    assert_ticker(
        f, "QC", "Cedar Units, each of one share and one Warrant", NULL, "list of other exchanges");
}

static void invalid_line_is_refused_with_its_reason(void **state)
{
    static const char long_name[] =
        NASDAQ "QA,aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
               "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
               "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
               "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n";
    static const struct {
        const char *text, *reason;
    } cases[] = {
        {NASDAQ "Made on: 2026,\n", "not a symbol"},
        {NASDAQ ",Alder\n", "no symbol"},
        {NASDAQ "QA, \n", "no name"},
        {NASDAQ "QA,\"Alder\nWorks\"\n", "the name is not a line of text"},
        {long_name, "the name is too long"},
        {OTHER "QA,x,Alder,N,maybe,N\n", "a flag is neither Y nor N"},
        {OTHER "QA,x,Alder,N,N,1\n", "a flag is neither Y nor N"},
        {SP500 "QA,Alder,x,\"a\tb\",1\n", "the sub-industry is not a short line of text"},
        {SEC("[1,\"Alder\",null,\"x\"]"), "no symbol"},
        {SEC("[1,7,\"QA\",\"x\"]"), "no name"},
    };
    struct store_fixture *f = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct refusals refusals = {0};
        struct tickers_report report;
        assert_ok(f, import(f, &cases[i].text, 1, &refusals, &report));
        assert_int_equal(report.refused, 1);
        assert_int_equal(report.symbols, 0);
        assert_int_equal(refusals.count, 1);
        assert_string_equal(refusals.reason, cases[i].reason);
    }
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM ticker"), 0);
}

#define NO_LIST                                                                                    \
    "one: line 1: neither JSON nor the header of a known list "                                    \
    "(S&P 500, SEC, Nasdaq, other exchanges)"

static void unknown_file_fails_with_its_place(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", NO_LIST},
        {"Symbol,Company\nQA,Alder\n", NO_LIST},
        {NASDAQ "QA,Alder\nQB\n", "one: line 3: the number of fields differs from the header"},
        {NASDAQ "QA,\"Alder\n", "one: line 2: a quoted field does not end"},
        {NASDAQ "QA,Alder \xff\n", "one: line 2: not UTF-8 text"},
        {SEC("[1,\"Alder\",\"QA\",\"x\"],[1]"), "one: data 2: not an array of 4 cells"},
        {"[]", "one: not the SEC's list (\"fields\" with \"ticker\" and \"name\", and \"data\")"},
        {"{\"fields\":[\"ticker\",\"name\",\"name\"],\"data\":[]}",
         "one: not the SEC's list (\"fields\" with \"ticker\" and \"name\", and \"data\")"},
        {"{\"fields\":[", "one: line 1: not JSON: ']' expected near end of file"},
    };
    struct store_fixture *f = *state;
    struct tickers_report report;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(import(f, &cases[i].text, 1, NULL, &report), ERR_INVALID);
        assert_string_equal(f->fail.text, cases[i].message);
    }
}

static void two_files_of_one_list_are_refused(void **state)
{
    struct store_fixture *f = *state;
    struct tickers_report report;
    const char *texts[] = {NASDAQ "QA,Alder\n", NASDAQ "QA,Birch\n"};
    assert_int_equal(import(f, texts, 2, NULL, &report), ERR_INVALID);
    assert_string_equal(f->fail.text, "two: a second Nasdaq list, after one: pass only one");
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM ticker"), 0);
}

static void file_with_too_many_lines_is_refused(void **state)
{
    struct store_fixture *f = *state;
    struct tickers_report report;
    struct buf text;
    buf_init(&text, TICKERS_FILE_SIZE_MAX);
    buf_text(&text, NASDAQ);
    for (int i = 0; i < TICKERS_LINES_MAX; i++)
        buf_text(&text, "QA,Alder\n");
    struct import_file file = {STR("one"), buf_view(&text)};
    assert_int_equal(
        tickers_import(f->db, &file, 1, NULL, NULL, NULL, &report, &f->fail), ERR_LIMIT);
    assert_string_equal(f->fail.text, "one: more than 200000 lines");
    buf_finish(&text);
}

static void import_waits_for_another_import(void **state)
{
    struct store_fixture *f = *state;
    const char *text = NASDAQ "QD,Dogwood Inc. - Common Stock\n";
    struct tickers_report report;
    struct db *importing = store_fixture_open(f);
    store_fixture_hurry(f);
    assert_ok(f, db_begin(importing, &f->fail));
    assert_ok(f, publication_lock(importing, &f->fail));
    assert_int_equal(import(f, &text, 1, NULL, &report), ERR_BUSY);
    db_rollback(importing);
    db_close(importing);
    assert_int_equal(import_one(f, text).added, 1);
}

static void demonstration_database_is_refused(void **state)
{
    struct store_fixture *f = *state;
    struct tickers_report report;
    const char *texts[] = {NASDAQ "QA,Alder\n"};
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, meta_data_claim(f->db, META_DATA_DEMO, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    assert_int_equal(import(f, texts, 1, NULL, &report), ERR_REFUSED);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM ticker"), 0);
}

static void real_lists_are_imported_completely(void **state)
{
    static const struct {
        const char *path;
        size_t lines, refused;
    } lists[TEXTS_MAX] = {
        {"tickers/sp500-constituents.csv", 503, 0},
        {"tickers/sec-company-tickers-exchange.json", 10403, 0},
        {"tickers/sec-cik-mapper.csv", 9713, 0},
        {"tickers/nasdaq-listed.csv", 5569, 0}, /* two more lines are its own date and nothing */
        {"tickers/other-listed.csv", 7543, 0},
    };
    struct store_fixture *f = *state;
    struct import_file files[TEXTS_MAX];
    struct tickers_report report;
    for (size_t i = 0; i < TEXTS_MAX; i++) {
        files[i] = (struct import_file){
            str_from(lists[i].path), shared_data_read(&f->arena, lists[i].path)};
        if (str_is_null(files[i].text))
            skip();
        assert_ok(f, tickers_import(f->db, &files[i], 1, NULL, NULL, NULL, &report, &f->fail));
        assert_int_equal(report.lines, lists[i].lines);
        assert_int_equal(report.refused, lists[i].refused);
    }
    assert_ok(f, tickers_import(f->db, files, TEXTS_MAX, NULL, NULL, NULL, &report, &f->fail));
    assert_int_equal(report.symbols, 18594);
    assert_int_equal(report.unchanged, 18594);
    assert_ticker(f, "BRK.B", "Berkshire Hathaway", NULL, "S&P 500 list: Multi-Sector Holdings");
    assert_ticker(f, "BRK.A", "BERKSHIRE HATHAWAY INC", NULL, "SEC list of companies");
    assert_ticker(
        f, "DUK", "Duke Energy", "Electric and gas utilities", "S&P 500 list: Electric Utilities");
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM ticker WHERE industry = 'Funds and trusts'"),
        5913);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(list_is_identified_by_its_content),
        store_test(import_tells_bytes_read_and_symbols_written),
        store_test(importing_again_changes_nothing),
        store_test(same_list_wins_in_any_order_of_files),
        store_test(separate_imports_give_the_same_as_one),
        store_test(spellings_of_a_class_share_are_one_symbol),
        store_test(last_line_of_nasdaq_is_no_security),
        store_test(other_security_has_a_name_and_no_industry),
        store_test(invalid_line_is_refused_with_its_reason),
        store_test(unknown_file_fails_with_its_place),
        store_test(two_files_of_one_list_are_refused),
        store_test(file_with_too_many_lines_is_refused),
        store_test(import_waits_for_another_import),
        store_test(demonstration_database_is_refused),
        store_test(real_lists_are_imported_completely),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
