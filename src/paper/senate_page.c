/* Reads a page of the Senate's eFD site (sources.md 2): one table with nine columns, recognized by
 * its header. */
#include <assert.h>
#include <stdlib.h>

#include "base/codec.h"
#include "base/hidden.h"
#include "base/utf8.h"
#include "paper/cell/html_cell.h"
#include "paper/html_tree.h"
#include "paper/readers.h"

enum {
    COLUMNS = 9,
    TAIL = 1024,         /* a whole page ends in its last bytes */
    TITLE_SHOWN_MAX = 80 /* of a page that is no report */
};

/* The header, and the cells. */
static const struct {
    struct str title;
    enum cell cell;
} columns[COLUMNS] = {
    {STR_INIT("#"), CELL_ID},
    {STR_INIT("Transaction Date"), CELL_DATE},
    {STR_INIT("Owner"), CELL_OWNER},
    {STR_INIT("Ticker"), CELL_TICKER},
    {STR_INIT("Asset Name"), CELL_ASSET},
    {STR_INIT("Asset Type"), CELL_ASSET_TYPE},
    {STR_INIT("Type"), CELL_TYPE},
    {STR_INIT("Amount"), CELL_AMOUNT},
    {STR_INIT("Comment"), CELL_COMMENT},
};

struct senate_page_reader {
    struct arena *arena;
    struct reading *out;
    xmlNode *root;
    int32_t lost;    /* a character that the parser drops; HIDDEN_NONE: none */
    bool utf8;       /* the page is valid UTF-8, the site's encoding; all output must be */
    bool whole;      /* the end of the page is there */
    int ends;        /* how often a page ends: the parser may drop what follows the first end */
    int reports;     /* headings of a filer */
    size_t bad_rows; /* rows without nine cells */
};

static void refuse(struct reading *out, const char *reason)
{
    *out = (struct reading){.kind = READING_REFUSED, .reason = str_from(reason)};
}

/* --- the head of the page */

/* "Periodic Transaction Report for 12/21/2022 (Amendment 1)"; false: malformed. */
static bool read_title(struct senate_page_reader *r, struct str title)
{
    static const struct str form = STR_INIT("Periodic Transaction Report");
    static const struct str amendment = STR_INIT("(Amendment ");
    if (!str_starts(title, form))
        return false;
    struct str rest = str_trim(str_slice(title, form.n, title.n));
    if (str_starts(rest, STR("for ")))
        rest = str_trim(str_slice(rest, 4, rest.n));
    ptrdiff_t open = str_find(rest, amendment);
    if (open >= 0) {
        int64_t number;
        struct str inside = str_slice(rest, (size_t)open + amendment.n, rest.n);
        if (inside.n == 0 || !str_ends(inside, STR(")")) ||
            !str_to_i64(str_slice(inside, 0, inside.n - 1), &number) || number < 1 ||
            number > READING_ROWS_MAX)
            return false;
        r->out->amendment = (int)number;
        rest = str_trim(str_slice(rest, 0, (size_t)open));
    }
    r->out->report_date = rest;
    return true;
}

/* "The Honorable John Hoeven (Hoeven, John)", with an optional "(Former Senator)" after it or
 * instead of the name in brackets. */
static void read_filer(struct senate_page_reader *r, struct str heading)
{
    static const struct str former = STR_INIT("(Former Senator)");
    struct str whole = heading;
    ptrdiff_t at = str_find(heading, former);
    if (at >= 0) {
        r->out->filer_status = STR("Former Senator");
        whole = arena_fmt(
            r->arena, "%.*s %.*s", STR_ARG(str_trim(str_slice(heading, 0, (size_t)at))),
            STR_ARG(str_trim(str_slice(heading, (size_t)at + former.n, heading.n))));
        whole = str_trim(whole);
    }
    ptrdiff_t open = str_find_char(whole, '(');
    if (open >= 0 && str_ends(whole, STR(")"))) {
        r->out->filer_name = str_trim(str_slice(whole, (size_t)open + 1, whole.n - 1));
        whole = str_trim(str_slice(whole, 0, (size_t)open));
    }
    r->out->filer = whole;
}

static void read_filed(struct senate_page_reader *r)
{
    static const struct str label = STR_INIT("Filed ");
    xmlNode *at = NULL;
    while (str_is_null(r->out->filed) && (at = html_tree_next(r->root, at, "strong"))) {
        struct str text = html_tree_text(at, NULL, r->arena);
        if (str_starts(text, label))
            r->out->filed = str_trim(str_slice(text, label.n, text.n));
    }
}

/* --- the table */

static bool is_table(struct senate_page_reader *r, xmlNode *table)
{
    xmlNode *cell = NULL;
    int count = 0;
    while ((cell = html_tree_next(table, cell, "th"))) {
        struct str title = html_tree_text(cell, NULL, r->arena);
        if (count == COLUMNS || !str_eq(title, columns[count].title))
            return false;
        count++;
    }
    return count == COLUMNS;
}

/* Up to two links: for an exchange, the asset given and the asset received. "--" may replace
 * either. */
static void read_tickers(struct senate_page_reader *r, xmlNode *td, struct reading_row *row)
{
    xmlNode *first = html_tree_next(td, NULL, "a");
    xmlNode *second = first ? html_tree_next(td, first, "a") : NULL;
    struct str whole = html_tree_text(td, NULL, r->arena);
    row->cell[CELL_TICKER] = whole;
    if (second) {
        row->cell[CELL_TICKER] = html_tree_text(first, NULL, r->arena);
        row->cell[CELL_TICKER_TWO] = html_tree_text(second, NULL, r->arena);
    } else if (first && str_starts(whole, STR("-- "))) {
        row->cell[CELL_TICKER] = STR("--");
        row->cell[CELL_TICKER_TWO] = html_tree_text(first, NULL, r->arena);
    } else if (first && str_ends(whole, STR(" --"))) {
        row->cell[CELL_TICKER] = html_tree_text(first, NULL, r->arena);
        row->cell[CELL_TICKER_TWO] = STR("--");
    }
}

/* The name, and below it other details of the asset in muted text. */
static void read_asset(struct senate_page_reader *r, xmlNode *td, struct reading_row *row)
{
    struct str detail = STR_NULL;
    row->cell[CELL_ASSET] = html_tree_text(td, "text-muted", r->arena);
    for (xmlNode *div = NULL; (div = html_tree_child(td, div, "div"));) {
        struct str text = html_tree_text(div, NULL, r->arena);
        detail = str_is_null(detail)
                     ? text
                     : arena_fmt(r->arena, "%.*s %.*s", STR_ARG(detail), STR_ARG(text));
    }
    row->cell[CELL_ASSET_DETAIL] = detail;
}

/* The parser decodes one level of entities; some cells were encoded twice. */
static void decode_cells(struct senate_page_reader *r, struct reading_row *row)
{
    for (int c = 0; c < CELL_COUNT; c++)
        if (!str_is_null(row->cell[c]) && str_find_char(row->cell[c], '&') >= 0)
            row->cell[c] = html_cell_decode(r->arena, row->cell[c]);
}

static bool read_row(struct senate_page_reader *r, xmlNode *tr, struct reading_row *row)
{
    int count = 0;
    *row = (struct reading_row){.status = READING_NEW};
    for (xmlNode *td = NULL; (td = html_tree_child(tr, td, "td")); count++) {
        if (count == COLUMNS)
            return false;
        if (columns[count].cell == CELL_TICKER)
            read_tickers(r, td, row);
        else if (columns[count].cell == CELL_ASSET)
            read_asset(r, td, row);
        else
            row->cell[columns[count].cell] = html_tree_text(td, NULL, r->arena);
    }
    decode_cells(r, row);
    return count == COLUMNS;
}

/* Reports whether every row prints a distinct number. */
static bool numbers_are_sound(const struct reading *out)
{
    bool taken[READING_ROWS_MAX + 1] = {false};
    for (size_t i = 0; i < out->row_count; i++) {
        int64_t number;
        if (!str_to_i64(out->rows[i].cell[CELL_ID], &number) || number < 1 ||
            number > READING_ROWS_MAX || taken[number])
            return false;
        taken[number] = true;
    }
    return true;
}

static int by_number(const void *a, const void *b)
{
    const struct reading_row *x = a, *y = b;
    return (x->row > y->row) - (x->row < y->row);
}

/* Uses the row numbers that the page prints. If two rows print the same number (one known page
 * does), numbers all rows in descending order, the usual order of these pages. */
static void number_rows(struct reading *out)
{
    bool sound = numbers_are_sound(out);
    for (size_t i = 0; i < out->row_count; i++) {
        int64_t number = (int64_t)(out->row_count - i);
        if (sound && !str_to_i64(out->rows[i].cell[CELL_ID], &number))
            assert(!"a number that was one before");
        out->rows[i].row = (int)number;
    }
    qsort(out->rows, out->row_count, sizeof *out->rows, by_number);
}

static void read_rows(struct senate_page_reader *r, xmlNode *body)
{
    r->out->rows = ARENA_ARRAY(r->arena, struct reading_row, READING_ROWS_MAX);
    for (xmlNode *tr = NULL; (tr = html_tree_child(body, tr, "tr"));) {
        if (r->out->row_count < READING_ROWS_MAX &&
            read_row(r, tr, &r->out->rows[r->out->row_count]))
            r->out->row_count++;
        else
            r->bad_rows++;
    }
    number_rows(r->out);
}

/* "(12 transactions total)"; -1: not printed. */
static int64_t printed_total(struct senate_page_reader *r)
{
    xmlNode *at = NULL;
    while ((at = html_tree_next(r->root, at, "li"))) {
        struct str text = html_tree_text(at, NULL, r->arena);
        ptrdiff_t space = str_find_char(text, ' ');
        int64_t total;
        if (space > 1 && text.p[0] == '(' &&
            str_starts(str_slice(text, (size_t)space, text.n), STR(" transaction")) &&
            str_to_i64(str_slice(text, 1, (size_t)space), &total))
            return total;
    }
    return -1;
}

/* Counts the ends of pages in the bytes. */
static int count_ends(struct str html)
{
    static const struct str end = STR_INIT("</html>");
    int count = 0;
    for (size_t i = 0; i + end.n <= html.n; i++)
        count += html.p[i] == '<' && str_eq_nocase(str_slice(html, i, i + end.n), end);
    return count;
}

static bool is_whole(struct str html)
{
    return count_ends(str_slice(html, html.n > TAIL ? html.n - TAIL : 0, html.n)) > 0;
}

enum { NOT_UNICODE = 0x110000 };

/* The parser of HTML drops these characters without a trace, so that no cell has them. Of a form
 * feed, a browser makes a space. */
static bool is_dropped(int32_t code)
{
    bool is_blank = code == '\t' || code == '\n' || code == '\r';
    return (code < ' ' && !is_blank) || (code >= 0xd800 && code <= 0xdfff) || code == 0xfffe ||
           code == 0xffff || code == NOT_UNICODE;
}

/* The character of a reference by number at the start of the text, "&#27;" or "&#x1b;";
 * HIDDEN_NONE: it begins with none. */
static int32_t numbered(struct str text)
{
    if (!str_starts(text, STR("&#")))
        return HIDDEN_NONE;
    bool hex = text.n > 2 && ascii_lower(text.p[2]) == 'x';
    size_t from = hex ? 3 : 2, at = from;
    int32_t code = 0;
    for (int digit; at < text.n && (digit = hex_value(text.p[at])) >= 0; at++) {
        if (digit >= (hex ? 16 : 10))
            break;
        code = code * (hex ? 16 : 10) + digit;
        code = code < NOT_UNICODE ? code : NOT_UNICODE;
    }
    return at > from ? code : HIDDEN_NONE;
}

/* The first character that the parser drops, as bytes or as a number. */
static int32_t find_lost(struct str html)
{
    static const struct str noncharacters[] = {STR_INIT("\xef\xbf\xbe"), STR_INIT("\xef\xbf\xbf")};
    for (size_t i = 0; i < html.n; i++) {
        struct str rest = str_slice(html, i, html.n);
        int32_t code = rest.p[0] == '&' ? numbered(rest) : (unsigned char)rest.p[0];
        if (str_starts(rest, noncharacters[0]) || str_starts(rest, noncharacters[1]))
            code = rest.p[2] == noncharacters[0].p[2] ? 0xfffe : 0xffff;
        if (code != HIDDEN_NONE && is_dropped(code))
            return code;
    }
    return HIDDEN_NONE;
}

static void check_lost(struct senate_page_reader *r)
{
    char space[HIDDEN_NAME_SIZE];
    if (r->lost == HIDDEN_NONE)
        return;
    bool hidden = hidden_is((uint32_t)r->lost);
    struct str name = hidden ? hidden_name(r->lost, space)
                             : arena_fmt(r->arena, "U+%04X (no character)", (unsigned)r->lost);
    reading_check_add(
        r->out, STR("no_hidden_characters"), false,
        arena_fmt(r->arena, "page: %.*s", STR_ARG(name)));
}

static void check(struct senate_page_reader *r, int tables)
{
    struct reading *out = r->out;
    struct arena *a = r->arena;
    int64_t total = printed_total(r);
    int reports = r->reports > r->ends ? r->reports : r->ends;
    reading_check_add(
        out, STR("page_whole"), r->whole,
        r->whole ? STR_NULL : STR("the end of the page is missing"));
    reading_check_add(
        out, STR("one_report"), reports <= 1,
        reports > 1 ? arena_fmt(a, "%d reports in one file", reports) : STR_NULL);
    reading_check_add(
        out, STR("one_table"), tables == 1, arena_fmt(a, "%d tables of transactions", tables));
    reading_check_add(
        out, STR("rows_found"), out->row_count > 0,
        arena_fmt(a, out->row_count == 1 ? "%zu row" : "%zu rows", out->row_count));
    reading_check_add(
        out, STR("rows_whole"), r->bad_rows == 0,
        arena_fmt(a, "rows without nine cells: %zu", r->bad_rows));
    reading_check_add(
        out, STR("rows_total"), total == (int64_t)out->row_count,
        total < 0 ? STR("no total is printed")
                  : arena_fmt(a, "rows: %zu, printed: %lld", out->row_count, (long long)total));
    reading_check_add(out, STR("in_utf8"), r->utf8, STR_NULL);
    check_lost(r);
    reading_check_add(out, STR("filed_printed"), !str_is_null(out->filed), out->filed);
    reading_check_add(out, STR("name_printed"), out->filer.n > 0, out->filer);
    reading_check_add(out, STR("report_date_printed"), out->report_date.n > 0, out->report_date);
}

static void read_report(struct senate_page_reader *r)
{
    int tables = 0;
    xmlNode *heading = NULL;
    while ((heading = html_tree_next(r->root, heading, "h2")))
        if (html_tree_has_class(heading, "filedReport") && r->reports++ == 0)
            read_filer(r, html_tree_text(heading, NULL, r->arena));
    read_filed(r);
    for (xmlNode *table = NULL; (table = html_tree_next(r->root, table, "table"));) {
        if (!is_table(r, table))
            continue;
        xmlNode *body = html_tree_child(table, NULL, "tbody");
        if (tables++ == 0)
            read_rows(r, body ? body : table);
    }
    check(r, tables);
}

/* --- the kind of page */

/* An error page, a page of search results: named by its title. */
static void refuse_page(struct senate_page_reader *r, struct str heading)
{
    xmlNode *title = html_tree_next(r->root, NULL, "title");
    struct str text = title ? html_tree_text(title, NULL, r->arena) : heading;
    refuse(r->out, "this page is not a periodic transaction report");
    if (text.n && text.n <= TITLE_SHOWN_MAX && utf8_is_valid(text))
        r->out->reason = arena_fmt(
            r->arena, "%.*s; its title is \"%.*s\"", STR_ARG(r->out->reason), STR_ARG(text));
}

static void read_page(struct senate_page_reader *r)
{
    xmlNode *h1 = html_tree_next(r->root, NULL, "h1");
    struct str title = h1 ? html_tree_text(h1, NULL, r->arena) : STR("");
    r->out->kind = READING_SENATE_PTR;
    if (read_title(r, title))
        read_report(r);
    else if (str_starts(title, STR("Filing Document")))
        *r->out = (struct reading){
            .kind = READING_SENATE_PAPER, .reason = STR("the pages are pictures without text")};
    else
        refuse_page(r, title);
}

void senate_page_read(struct str html, struct arena *arena, struct reading *ret)
{
    *ret = (struct reading){.kind = READING_REFUSED};
    xmlDoc *page = html_tree_parse(html);
    struct senate_page_reader r = {
        .arena = arena,
        .out = ret,
        .root = page ? xmlDocGetRootElement(page) : NULL,
        .lost = find_lost(html),
        .utf8 = utf8_is_valid(html),
        .whole = is_whole(html),
        .ends = count_ends(html),
    };
    if (r.root)
        read_page(&r);
    else
        refuse(ret, "the page cannot be read as HTML");
    xmlFreeDoc(page);
}
