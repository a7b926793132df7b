/* Reads the CSV lists; the header line identifies the list. */
#include "base/csv_in.h"
#include "conflict/tickers_read.h"

enum tickers_csv_column { SYMBOL, NAME, SUB_INDUSTRY, FUND, TEST, MARK, COLUMN_COUNT };

/* The column names of each list. A column in `optional` may be missing. MARK is not read; it
 * identifies the list. */
static const struct format {
    enum tickers_list list;
    const char *names[COLUMN_COUNT];
    bool optional[COLUMN_COUNT];
} formats[] = {
    {TICKERS_SP500,
     {[SYMBOL] = "Symbol", [NAME] = "Security", [SUB_INDUSTRY] = "GICS Sub-Industry"},
     {false}},
    {TICKERS_CIK, {[SYMBOL] = "Ticker", [NAME] = "Name", [MARK] = "CIK"}, {false}},
    {TICKERS_OTHER,
     {[SYMBOL] = "ACT Symbol", [NAME] = "Security Name", [FUND] = "ETF", [TEST] = "Test Issue"},
     {false}},
    {TICKERS_NASDAQ,
     {[SYMBOL] = "Symbol", [NAME] = "Security Name", [FUND] = "ETF", [TEST] = "Test Issue"},
     {[FUND] = true, [TEST] = true}},
};

struct sheet {
    struct csv_in csv;
    const struct format *format;
    int place[COLUMN_COUNT]; /* -1: no such column */
    int width;               /* number of fields in the header */
};

static bool fits(struct sheet *s, const struct format *format)
{
    for (int c = 0; c < COLUMN_COUNT; c++) {
        s->place[c] = -1;
        for (int i = 0; format->names[c] && i < s->width; i++)
            if (str_eq(str_trim(s->csv.field[i]), str_from(format->names[c])))
                s->place[c] = i;
        if (format->names[c] && s->place[c] < 0 && !format->optional[c])
            return false;
    }
    s->format = format;
    return true;
}

static bool read_header(struct sheet *s)
{
    bool found = false;
    if (!csv_in_next(&s->csv))
        return false;
    s->width = s->csv.count;
    for (size_t i = 0; i < sizeof formats / sizeof *formats && !found; i++)
        found = fits(s, &formats[i]);
    return found;
}

static struct str cell(const struct sheet *s, enum tickers_csv_column column)
{
    return s->place[column] < 0 ? STR_NULL : str_trim(s->csv.field[s->place[column]]);
}

static enum tickers_flag flag(const struct sheet *s, enum tickers_csv_column column)
{
    struct str value = cell(s, column);
    if (value.n == 0)
        return s->format->names[column] ? TICKERS_NO : TICKERS_NOT_SAID;
    return str_eq(value, STR("Y"))   ? TICKERS_YES
           : str_eq(value, STR("N")) ? TICKERS_NO
                                     : TICKERS_UNREADABLE;
}

/* The last line of the files that Nasdaq publishes, or a line of nothing but commas. */
static bool is_trailer(const struct sheet *s)
{
    for (int i = 1; i < s->csv.count; i++)
        if (str_trim(s->csv.field[i]).n)
            return false;
    struct str first = str_trim(s->csv.field[0]);
    return first.n == 0 || str_starts(first, STR("File Creation Time:"));
}

static enum err read_record(
    struct tickers_read *r, const struct import_file *file, struct sheet *s, struct fail *fail)
{
    if (is_trailer(s))
        return OK;
    if (s->csv.count != s->width)
        return fail_set(
            fail, ERR_INVALID, "%.*s: line %lld: the number of fields differs from the header",
            STR_ARG(file->name), (long long)s->csv.line);
    const struct tickers_line line = {
        .symbol = cell(s, SYMBOL),
        .name = cell(s, NAME),
        .sub_industry = cell(s, SUB_INDUSTRY),
        .fund = flag(s, FUND),
        .test = flag(s, TEST),
    };
    return tickers_read_line(r, file, s->format->list, &line, (size_t)s->csv.line, fail);
}

enum err tickers_read_csv(struct tickers_read *r, const struct import_file *file, struct fail *fail)
{
    struct sheet s = {.format = NULL};
    csv_in_init(&s.csv, file->text, r->arena);
    if (!read_header(&s) && !s.csv.error)
        return fail_set(
            fail, ERR_INVALID,
            "%.*s: line 1: neither JSON nor the header of a known list (S&P 500, SEC, "
            "Nasdaq, other exchanges)",
            STR_ARG(file->name));
    enum err err = s.csv.error ? OK : tickers_read_begin(r, file, s.format->list, fail);
    while (!err && csv_in_next(&s.csv))
        err = read_record(r, file, &s, fail);
    if (!err && s.csv.error)
        err = fail_set(
            fail, ERR_INVALID, "%.*s: line %lld: %s", STR_ARG(file->name), (long long)s.csv.line,
            s.csv.error);
    return err;
}
