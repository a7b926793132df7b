/* Collects the claims of the lists; see tickers_read.h. */
#include "conflict/tickers_read.h"

#include <jansson.h>

#include "base/csv_in.h"
#include "base/hash.h"
#include "base/hidden.h"
#include "base/json_in.h"
#include "base/utf8.h"
#include "market/industry.h"

/* Removes descriptions of shares from names. */

/* Descriptions at the end of a name. Longer ones (funds, partnerships) come before shorter ones
 * that they end with. */
static const struct str tails[] = {
    STR_INIT("Common Shares of Beneficial Interests"),
    STR_INIT("Common Shares of Beneficial Interest"),
    STR_INIT("Shares of Beneficial Interest"),
    STR_INIT("Subordinate Voting Shares"),
    STR_INIT("Limited Voting Shares"),
    STR_INIT("American Depositary Shares"),
    STR_INIT("American Depositary Share"),
    STR_INIT("American Depository Shares"),
    STR_INIT("Common Stock"),
    STR_INIT("Common Shares"),
    STR_INIT("Common Share"),
    STR_INIT("Common Units"),
    STR_INIT("Ordinary Shares"),
    STR_INIT("Ordinary Share"),
    STR_INIT("Capital Stock"),
    STR_INIT("Closed End Fund"),
    STR_INIT("Shares"),
};

/* Tails that count only after a class or a dash: "Ares Capital Stock". */
static const struct str unsure[] = {
    STR_INIT("Capital Stock"),
    STR_INIT("Closed End Fund"),
    STR_INIT("Shares"),
};

/* Texts that begin a description up to the end: ", each representing two common shares". */
static const struct str beginnings[] = {
    STR_INIT(" American Depositary Shares"),
    STR_INIT(" American Depository Shares"),
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool ends_nocase(struct str s, struct str end)
{
    return s.n >= end.n && str_eq_nocase(str_slice(s, s.n - end.n, s.n), end);
}

static bool is_word_char(char c)
{
    return ascii_is_alnum(c) || (unsigned char)c >= 0x80;
}

/* Matches whole words, ignoring case. */
static bool has_word(struct str s, const struct str *words, size_t count)
{
    for (size_t from = 0, to; from < s.n; from = to + 1) {
        for (to = from; to < s.n && is_word_char(s.p[to]);)
            to++;
        for (size_t i = 0; i < count; i++)
            if (str_eq_nocase(str_slice(s, from, to), words[i]))
                return true;
    }
    return false;
}

/* Names of securities derived from shares. */
static const struct str derived[] = {
    STR_INIT("Warrant"), STR_INIT("Warrants"), STR_INIT("Right"),
    STR_INIT("Rights"),  STR_INIT("Unit"),     STR_INIT("Units"),
};

/* "Rights, each for one | Ordinary Share", "Cumulative Preferred | Shares of Beneficial Interest"
 */
static bool is_other_security(struct str before)
{
    return has_word(before, derived, COUNT(derived)) || ends_nocase(before, STR(" Preferred"));
}

/* Removes a trailing "Class A"; *ret_found: there was one. */
static struct str without_class(struct str s, bool *ret_found)
{
    static const struct str kinds[] = {STR_INIT(" Class"), STR_INIT(" Series")};
    *ret_found = false;
    if (s.n < 2 || s.p[s.n - 2] != ' ' || !ascii_is_alpha(s.p[s.n - 1]))
        return s;
    struct str before = str_slice(s, 0, s.n - 2);
    for (size_t i = 0; i < COUNT(kinds); i++)
        if (ends_nocase(before, kinds[i])) {
            *ret_found = true;
            return str_slice(before, 0, before.n - kinds[i].n);
        }
    return s;
}

/* Removes a dash or comma left at the end. */
static struct str without_joint(struct str s, bool *ret_dash)
{
    s = str_trim(s);
    *ret_dash = str_ends(s, STR(" -"));
    if (*ret_dash || str_ends(s, STR(",")))
        s = str_slice(s, 0, s.n - 1);
    return str_trim(s);
}

static bool is_unsure(struct str tail)
{
    for (size_t i = 0; i < COUNT(unsure); i++)
        if (str_eq(tail, unsure[i]))
            return true;
    return false;
}

static struct str without_tail(struct str s)
{
    for (size_t i = 0; i < COUNT(tails); i++) {
        bool has_class, dash;
        size_t n = tails[i].n;
        if (s.n <= n || s.p[s.n - n - 1] != ' ' || !ends_nocase(s, tails[i]))
            continue;
        struct str before = without_class(str_slice(s, 0, s.n - n - 1), &has_class);
        before = without_joint(before, &dash);
        bool sure = (has_class || dash || !is_unsure(tails[i])) && !is_other_security(before);
        return sure ? before : s;
    }
    return s;
}

/* "Fox Corporation (Class A)" */
static struct str without_brackets(struct str s)
{
    const struct str open = STR(" (Class ");
    const size_t n = open.n + 2; /* the letter and the closing bracket */
    if (s.n <= n || !str_starts(str_slice(s, s.n - n, s.n), open) || s.p[s.n - 1] != ')' ||
        !ascii_is_alpha(s.p[s.n - 2]))
        return s;
    return str_slice(s, 0, s.n - n);
}

static struct str without_long_tail(struct str s)
{
    for (size_t i = 0; i < COUNT(beginnings); i++) {
        bool dash;
        ptrdiff_t at = str_find(s, beginnings[i]);
        if (at > 0)
            return without_joint(str_slice(s, 0, (size_t)at), &dash);
    }
    return s;
}

struct str tickers_name_clean(struct str printed)
{
    struct str whole = str_trim(printed);
    struct str name = without_brackets(without_tail(without_long_tail(whole)));
    return name.n ? name : whole;
}

bool tickers_name_is_fund(struct str printed)
{
    static const struct str funds[] = {STR_INIT("Fund"), STR_INIT("Funds"), STR_INIT("ETF")};
    return has_word(printed, funds, COUNT(funds)) && !has_word(printed, derived, COUNT(derived));
}

/* Reads the CSV lists; the header line identifies the list. */

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

static enum err tickers_read_begin(
    struct tickers_read *r, const struct import_file *file, enum tickers_list list,
    struct fail *fail) MUST_CHECK;

static enum err tickers_read_line(
    struct tickers_read *r, const struct import_file *file, enum tickers_list list,
    const struct tickers_line *line, size_t number, struct fail *fail) MUST_CHECK;

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

static enum err tickers_read_csv(
    struct tickers_read *r, const struct import_file *file, struct fail *fail)
{
    struct sheet s = {.format = NULL};
    csv_in_init(&s.csv, file->text, r->arena);
    if (!read_header(&s) && !s.csv.error)
        return fail_set(
            fail, ERR_INVALID,
            "%.*s: line 1: neither JSON nor the header of a known list (S&P 500, SEC, Nasdaq, "
            "other exchanges)",
            STR_ARG(file->name));
    TRY(s.csv.error ? OK : tickers_read_begin(r, file, s.format->list, fail));
    while (csv_in_next(&s.csv))
        TRY(read_record(r, file, &s, fail));
    if (s.csv.error)
        return fail_set(
            fail, ERR_INVALID, "%.*s: line %lld: %s", STR_ARG(file->name), (long long)s.csv.line,
            s.csv.error);
    return OK;
}

/*
 * Reads the SEC's JSON of companies with their exchanges: {"fields": [column names], "data":
 * [[cells in that order], ...]}.
 */

struct shape {
    size_t width;
    size_t symbol, name; /* the positions of these fields */
};

static struct str text_of(const json_t *value)
{
    return json_is_string(value)
               ? str_trim(str_of(json_string_value(value), json_string_length(value)))
               : STR_NULL;
}

/* The position of the only field of that name. */
static bool find_field(const json_t *fields, struct str name, size_t *ret)
{
    size_t found = 0;
    for (size_t i = 0; i < json_array_size(fields); i++)
        if (str_eq(text_of(json_array_get(fields, i)), name)) {
            *ret = i;
            found++;
        }
    return found == 1;
}

static enum err read_rows(
    struct tickers_read *r, const struct import_file *file, const json_t *rows,
    const struct shape *shape, struct fail *fail)
{
    enum err err = OK;
    for (size_t i = 0; i < json_array_size(rows) && !err; i++) {
        const json_t *row = json_array_get(rows, i);
        if (!json_is_array(row) || json_array_size(row) != shape->width)
            return fail_set(
                fail, ERR_INVALID, "%.*s: data %zu: not an array of %zu cells", STR_ARG(file->name),
                i + 1, shape->width);
        const struct tickers_line line = {
            .symbol = text_of(json_array_get(row, shape->symbol)),
            .name = text_of(json_array_get(row, shape->name)),
        };
        err = tickers_read_line(r, file, TICKERS_SEC, &line, i + 1, fail);
    }
    return err;
}

static enum err tickers_read_sec(
    struct tickers_read *r, const struct import_file *file, struct fail *fail)
{
    json_error_t error;
    struct shape shape;
    struct str text = utf8_without_mark(file->text);
    json_t *root = json_loadb(text.p, text.n, JSON_REJECT_DUPLICATES, &error);
    if (!root)
        return fail_set(
            fail, ERR_INVALID, "%.*s: line %d: not JSON: %s", STR_ARG(file->name), error.line,
            error.text);
    const json_t *fields = json_object_get(root, "fields"), *rows = json_object_get(root, "data");
    shape.width = json_array_size(fields);
    enum err err;
    if (!json_is_array(rows) || !find_field(fields, STR("ticker"), &shape.symbol) ||
        !find_field(fields, STR("name"), &shape.name))
        err = fail_set(
            fail, ERR_INVALID,
            "%.*s: not the SEC's list (\"fields\" with \"ticker\" and \"name\", and \"data\")",
            STR_ARG(file->name));
    else
        err = tickers_read_begin(r, file, TICKERS_SEC, fail);
    if (!err)
        err = read_rows(r, file, rows, &shape, fail);
    json_decref(root);
    return err;
}

enum { NAME_SIZE_MAX = 300, SUB_INDUSTRY_SIZE_MAX = 100 };

static const struct str labels[TICKERS_LIST_COUNT] = {
    [TICKERS_SP500] = STR_INIT("S&P 500 list"),
    [TICKERS_SEC] = STR_INIT("SEC list of companies"),
    [TICKERS_CIK] = STR_INIT("SEC list by CIK"),
    [TICKERS_NASDAQ] = STR_INIT("Nasdaq list"),
    [TICKERS_OTHER] = STR_INIT("list of other exchanges"),
};

struct str tickers_list_label(enum tickers_list list)
{
    return labels[list];
}

void tickers_read_init(
    struct tickers_read *r, struct arena *arena, tickers_refused_fn *refused, void *ctx)
{
    *r = (struct tickers_read){.arena = arena, .refused = refused, .ctx = ctx};
    r->end = &r->first;
    intmap_init(&r->by_symbol);
}

void tickers_read_finish(struct tickers_read *r)
{
    intmap_finish(&r->by_symbol);
}

static struct tickers_entry *entry_of(struct tickers_read *r, struct str symbol)
{
    uint64_t key = hash_str(symbol);
    struct tickers_entry *same = intmap_get(&r->by_symbol, key);
    for (struct tickers_entry *e = same; e; e = e->same_hash)
        if (str_eq(e->symbol, symbol))
            return e;
    struct tickers_entry *entry = ARENA_NEW(r->arena, struct tickers_entry);
    entry->symbol = arena_str(r->arena, symbol);
    entry->same_hash = same;
    intmap_put(&r->by_symbol, key, entry);
    *r->end = entry;
    r->end = &entry->next;
    r->symbols++;
    return entry;
}

/* The S&P list decides every industry, even as too mixed; the listings identify funds. */
static void set_industry(struct tickers_claim *claim, const struct tickers_line *line)
{
    struct str fund = industry_get(industry_from_code(STR("funds")))->name;
    if (!str_is_null(line->sub_industry)) {
        int industry = industry_of_gics(line->sub_industry);
        claim->detail = line->sub_industry;
        claim->industry = industry ? industry_get(industry)->name : STR_NULL;
    } else if (line->fund == TICKERS_YES && line->test != TICKERS_YES) {
        claim->detail = STR("listed as a fund");
        claim->industry = fund;
    } else if (
        line->fund != TICKERS_NOT_SAID && line->test != TICKERS_YES &&
        tickers_name_is_fund(line->name)) {
        claim->detail = STR("a fund by its name");
        claim->industry = fund;
    }
}

/* Returns NULL, or why the line is refused. */
static const char *take(
    struct tickers_read *r, enum tickers_list list, const struct tickers_line *line)
{
    char space[TICKER_SIZE_MAX];
    size_t n = ticker_normalize(line->symbol, space);
    const char *hidden = hidden_reason(r->arena, "the symbol", line->symbol);
    if (hidden)
        return hidden;
    if (n == 0)
        return line->symbol.n ? "not a symbol" : "no symbol";
    if (line->name.n == 0)
        return "no name";
    if (line->name.n > NAME_SIZE_MAX)
        return "the name is too long";
    hidden = hidden_reason(r->arena, "the name", line->name);
    if (!hidden)
        hidden = hidden_reason(r->arena, "the sub-industry", line->sub_industry);
    if (hidden)
        return hidden;
    if (!hidden_free_line(line->name))
        return "the name is not a line of text";
    if (line->sub_industry.n > SUB_INDUSTRY_SIZE_MAX || !hidden_free_line(line->sub_industry))
        return "the sub-industry is not a short line of text";
    if (line->fund == TICKERS_UNREADABLE || line->test == TICKERS_UNREADABLE)
        return "a flag is neither Y nor N";
    struct tickers_claim *claim = &entry_of(r, str_of(space, n))->claims[list];
    if (!str_is_null(claim->company))
        return "the list has the symbol twice";
    struct tickers_line kept = *line;
    kept.sub_industry = arena_str(r->arena, line->sub_industry);
    claim->company = arena_str(r->arena, tickers_name_clean(line->name));
    set_industry(claim, &kept);
    return NULL;
}

/* Marks the file as that list. ERR_INVALID: there already was one. */
static enum err tickers_read_begin(
    struct tickers_read *r, const struct import_file *file, enum tickers_list list,
    struct fail *fail)
{
    if (!str_is_null(r->file_of[list]))
        return fail_set(
            fail, ERR_INVALID, "%.*s: a second %.*s, after %.*s: pass only one",
            STR_ARG(file->name), STR_ARG(labels[list]), STR_ARG(r->file_of[list]));
    r->file_of[list] = file->name;
    return OK;
}

/* Accepts or refuses the line. ERR_LIMIT: the file has too many lines. */
static enum err tickers_read_line(
    struct tickers_read *r, const struct import_file *file, enum tickers_list list,
    const struct tickers_line *line, size_t number, struct fail *fail)
{
    if (number > TICKERS_LINES_MAX)
        return fail_set(
            fail, ERR_LIMIT, "%.*s: more than %d lines", STR_ARG(file->name), TICKERS_LINES_MAX);
    const char *reason = take(r, list, line);
    const struct tickers_refusal refusal = {file->name, number, line->symbol, reason};
    r->lines++;
    if (!reason)
        r->taken++;
    else if (r->refused)
        r->refused(r->ctx, &refusal);
    return OK;
}

static bool is_json(struct str text)
{
    char first = json_in_first(text);
    return first == '{' || first == '[';
}

enum err tickers_read_file(
    struct tickers_read *r, const struct import_file *file, struct fail *fail)
{
    if (file->text.n > TICKERS_FILE_SIZE_MAX)
        return fail_set(
            fail, ERR_LIMIT, "%.*s: larger than %d MiB", STR_ARG(file->name),
            TICKERS_FILE_SIZE_MAX >> 20);
    return is_json(file->text) ? tickers_read_sec(r, file, fail) : tickers_read_csv(r, file, fail);
}
