/* Parses the dump, one filing at a time; see stock_watcher.h. Rows are in stock_watcher.c. */
#include "ingest/stock_watcher.h"

#include "base/hash.h"
#include "base/hidden.h"
#include "paper/cell/cells.h"
#include "paper/cell/details_read.h"
#include "paper/cell/html_cell.h"
#include "paper/cell/printed.h"
#include "paper/cell/printed_symbol.h"
#include "paper/cell/row_field.h"
#include "paper/paper_id.h"
#include "people/match.h"
#include "store/desk/draft.h"
#include "store/desk/draft_history.h"
#include "store/public/document.h"

/*
 * Rows of the dump. The cells hold the page's markup: symbols are links, bonds and options have
 * detail lines, and exchanges list the asset given and the asset received on two lines. The
 * provenance keeps the cells as text (paper/cell/cells.h).
 */

enum { ASSET_NAME_SIZE_MAX = 1000, PRINTED_SIZE_MAX = 16 * 1024 };

static const char *refuse_cell(struct arena *arena, const char *what, struct str printed)
{
    return arena_fmt(
               arena, "%s \"%.*s\" is not known", what, (int)(printed.n < 60 ? printed.n : 60),
               printed.n ? printed.p : "")
        .p;
}

/* For an exchange, the symbol given, which comes first (decision 13). May be NULL. */
static const char *read_ticker(struct arena *arena, struct str cell, struct str *ret)
{
    char symbol[TICKER_SIZE_MAX];
    struct str text = html_cell_text(arena, cell, HTML_CELL_FIRST_LINE);
    *ret = STR_NULL;
    if (printed_is_empty(text) || printed_symbol_is_exchange(text))
        return NULL;
    size_t n = printed_ticker(text, symbol);
    if (n == 0)
        return refuse_cell(arena, "ticker", text);
    *ret = arena_str(arena, str_of(symbol, n));
    return NULL;
}

/* Removes a trailing "(TICKER)" only if it equals the ticker of the row: "(REIT)" and "(NYSE)" stay
 * (decision 12). */
static struct str cut_ticker(struct str name, struct str ticker)
{
    char symbol[TICKER_SIZE_MAX];
    if (!ticker.n || !str_ends(name, STR(")")))
        return name;
    for (size_t i = name.n - 1; i-- > 1;) {
        if (name.p[i] != '(')
            continue;
        struct str inside = str_slice(name, i + 1, name.n - 1);
        size_t n = ticker_normalize(inside, symbol);
        return n && str_eq(str_of(symbol, n), ticker) ? str_trim(str_slice(name, 0, i)) : name;
    }
    return name;
}

/* Null: too large. */
static struct str row_printed(struct arena *arena, const struct str cells[static CELL_COUNT])
{
    BUF_SCOPED(b, PRINTED_SIZE_MAX);
    cells_put(&b, cells);
    return b.overflow ? STR_NULL : arena_str(arena, buf_view(&b));
}

static bool find_company(void *ctx, struct str symbol, int32_t day, struct company *ret)
{
    return company_on(symbol, day, NULL, ret);
}

/* Reads the symbol as paper/read_row.c does: without the suffix of an exchange, or from the asset's
 * name. These rows are not reviewed, so suggestions are left out, and symbols of other companies.
 */
static void complete_symbol(struct arena *arena, struct draft_row *row)
{
    struct str *ticker = &row->values.ticker, *name = &row->values.asset_name;
    enum asset_type type = row->values.asset_type;
    struct printed_symbol found;
    if (!str_is_null(*ticker)) {
        *ticker = printed_symbol_without_exchange(
            *ticker, *name, row->values.trade_date, find_company, NULL);
        return;
    }
    if (!printed_symbol_may_be_in(type))
        return;
    printed_symbol_find(*name, row->values.trade_date, find_company, NULL, &found);
    struct company other;
    struct str symbol = arena_str(arena, str_of(found.text, found.n));
    bool filed = found.result == PRINTED_SYMBOL_FILED &&
                 !printed_symbol_is_of_another(
                     symbol, found.name, row->values.trade_date, find_company, NULL, &other);
    if (found.result != PRINTED_SYMBOL_TAKEN && !filed)
        return;
    *ticker = symbol;
    *name = found.name;
}

const char *stock_watcher_row_read(
    struct arena *arena, struct json_in *j, const json_t *row, struct draft_row *ret)
{
    struct str date = str_trim(json_in_str(j, row, "transaction_date"));
    struct str owner = json_in_str(j, row, "owner"), ticker = json_in_str(j, row, "ticker");
    struct str asset = json_in_str(j, row, "asset_description");
    struct str type = json_in_str(j, row, "asset_type"), side = json_in_str(j, row, "type");
    struct str amount = json_in_str(j, row, "amount"), cells[CELL_COUNT];
    json_in_opt_str(j, row, "comment");
    *ret = (struct draft_row){.values.trade_date = DAY_NONE, .notified_date = DAY_NONE};
    if (j->err)
        return "not built like a row";
    if (!printed_is_empty(date) && !printed_day(date, &ret->values.trade_date))
        return refuse_cell(arena, "transaction date", date);
    if (!printed_owner(owner, &ret->values.owner))
        return refuse_cell(arena, "owner", owner);
    const char *wrong = read_ticker(arena, ticker, &ret->values.ticker);
    if (wrong)
        return wrong;
    if (!printed_asset_type(type, &ret->values.asset_type))
        return refuse_cell(arena, "asset type", type);
    if ((ret->values.side = printed_side(side)) == SIDE_NONE)
        return refuse_cell(arena, "transaction type", side);
    if ((ret->values.bracket = printed_amount(amount, ret->values.owner)) == BRACKET_NONE)
        return refuse_cell(arena, "amount", amount);
    ret->values.asset_name =
        cut_ticker(html_cell_text(arena, asset, HTML_CELL_HEAD), ret->values.ticker);
    if (printed_is_empty(ret->values.asset_name))
        return "the asset has no name";
    if (ret->values.asset_name.n > ASSET_NAME_SIZE_MAX)
        return "the asset's name is longer than 1,000 bytes";
    complete_symbol(arena, ret);
    dump_row_cells(j, row, arena, cells);
    ret->values.details = details_of_cells(cells, &ret->values, arena);
    ret->printed = row_printed(arena, cells);
    return str_is_null(ret->printed) ? "the cells are larger than 16 KiB" : NULL;
}

#define VIEW "https://efdsearch.senate.gov/search/view/"

struct stock_watcher_reading {
    struct stock_watcher *sw;
    struct match *match;
    struct json_in json;
    stock_watcher_refused_fn *refused;
    void *ctx;
    /* Filing ids seen and members matched (with or without trades), as open hash tables that are at
     * most half full. */
    struct str *seen;
    const struct member **filers;
    const struct member **people;
    size_t mask;
};

static void refuse(
    struct stock_watcher_reading *r, struct str filing_id, int row, const char *reason)
{
    struct stock_watcher_refusal refusal = {r->json.record, filing_id, row, str_from(reason)};
    if (row)
        r->sw->rows_refused++;
    else
        r->sw->filings_refused++;
    if (r->refused)
        r->refused(r->ctx, &refusal);
}

/* Adds the id; reports whether it is new. */
static bool seen_first(struct stock_watcher_reading *r, struct str id)
{
    size_t at = (size_t)hash_str(id) & r->mask;
    for (; !str_is_null(r->seen[at]); at = (at + 1) & r->mask)
        if (str_eq(r->seen[at], id))
            return false;
    r->seen[at] = id;
    return true;
}

static size_t members_add(
    struct stock_watcher_reading *r, const struct member **set, const struct member *member)
{
    size_t at = (size_t)hash_str(member->id) & r->mask;
    for (; set[at]; at = (at + 1) & r->mask)
        if (set[at] == member)
            return 0;
    set[at] = member;
    return 1;
}

/* ".../search/view/ptr/UUID/" or ".../paper/UUID/". */
static bool read_link(
    struct arena *arena, struct str link, struct draft_filing *ret, bool *ret_paper)
{
    struct str rest = str_trim(link);
    if (!str_starts(rest, STR(VIEW)))
        return false;
    ret->url = arena_str(arena, rest);
    rest = str_slice(rest, sizeof VIEW - 1, rest.n);
    *ret_paper = str_starts(rest, STR("paper/"));
    if (!*ret_paper && !str_starts(rest, STR("ptr/")))
        return false;
    rest = str_slice(rest, *ret_paper ? 6 : 4, rest.n);
    if (str_ends(rest, STR("/")))
        rest.n--;
    struct str id = paper_id_senate(rest, arena);
    if (rest.n != id.n)
        return false;
    ret->id = arena_fmt(arena, "senate-%.*s", STR_ARG(id));
    ret->source_doc_id = id;
    return true;
}

/* The filer, printed in two fields and again as "Last, First (Senator)". */
static struct match_answer match_filer(
    struct stock_watcher_reading *r, const json_t *filing, int32_t day)
{
    struct match_query q = {
        .first = json_in_str(&r->json, filing, "first_name"),
        .last = json_in_str(&r->json, filing, "last_name"),
        .chamber = CHAMBER_SENATE,
        .state = STR_NULL,
        .district = MEMBER_DISTRICT_NONE,
        .date = day,
    };
    struct str office = json_in_str(&r->json, filing, "office");
    struct match_answer answer = match_find(r->match, &q);
    ptrdiff_t comma = str_find_char(office, ',');
    if (comma < 0)
        return answer;
    q.last = str_slice(office, 0, (size_t)comma);
    q.first = str_slice(office, (size_t)comma + 1, office.n);
    return match_agree(answer, match_find(r->match, &q));
}

/* --- hidden characters: nobody reviews these rows, so that a filing with one waits for its page */

static const char *find_hidden(struct arena *arena, const char *what, struct str text)
{
    const char *hidden = hidden_reason(arena, what, text);
    return hidden ? arena_fmt(arena, "%s: import its page", hidden).p : NULL;
}

/* The texts of an object as the dump has them. NULL: none has a hidden character. */
static const char *hidden_in_object(struct arena *arena, const json_t *object)
{
    const char *key, *found = NULL;
    json_t *value;
    json_object_foreach(
        (json_t *)(uintptr_t)object, key, value) if (json_is_string(value) && !found) found =
        find_hidden(arena, key, str_of(json_string_value(value), json_string_length(value)));
    return found;
}

/* The texts of the rows, also behind entities: "&#8238;". */
static const char *hidden_in_rows(
    struct arena *arena, const json_t *rows, const struct draft_filing *filing)
{
    const char *found = NULL;
    for (size_t i = 0; i < json_array_size(rows) && !found; i++)
        found = hidden_in_object(arena, json_array_get(rows, i));
    for (size_t i = 0; i < filing->row_count && !found; i++) {
        enum row_field field;
        if (row_values_hidden(&filing->rows[i].values, &field) != HIDDEN_NONE)
            found = find_hidden(
                arena, row_field_name(field).p,
                field == ROW_ASSET_NAME ? filing->rows[i].values.asset_name
                                        : filing->rows[i].values.details);
    }
    return found;
}

static void read_rows(
    struct stock_watcher_reading *r, const json_t *rows, struct draft_filing *filing)
{
    struct arena *arena = &r->sw->arena;
    size_t count = json_array_size(rows);
    struct draft_row *list = ARENA_ARRAY(arena, struct draft_row, count + 1);
    for (size_t i = 0; i < count; i++) {
        struct draft_row *row = &list[filing->row_count];
        /* Numbers the rows in descending order, as the page does (decision 3). */
        int number = (int)(count - i);
        const json_t *value = json_in_element(&r->json, rows, i, "a transaction");
        const char *wrong = stock_watcher_row_read(arena, &r->json, value, row);
        if (r->json.err)
            return;
        row->row = number;
        if (wrong)
            refuse(r, filing->id, number, wrong);
        else
            filing->row_count++;
    }
    r->sw->rows_read += count;
    filing->rows = list;
}

/* Returns NULL, or why the filing is refused; then its rows do not count. */
static const char *read_head(
    struct stock_watcher_reading *r, const json_t *value, const json_t *rows,
    struct draft_filing *ret, const struct member **ret_member)
{
    struct arena *arena = &r->sw->arena;
    struct str received = json_in_str(&r->json, value, "date_recieved");
    struct str link = json_in_str(&r->json, value, "ptr_link");
    int32_t day;
    bool paper;
    if (!read_link(arena, link, ret, &paper))
        return "the link is not the URL of a report";
    r->json.within = ret->id;
    const char *hidden = hidden_in_object(arena, value);
    if (hidden)
        return hidden;
    if (!printed_day(received, &day))
        return "the date of receipt is not a date (MM/DD/YYYY)";
    if (!seen_first(r, ret->id))
        return "the file lists the same filing twice";
    if (!paper && json_array_size(rows) == 0)
        return "an electronic report has no rows";
    if (json_array_size(rows) > DRAFT_ROW_MAX)
        return "the filing has more than 9,999 rows";
    struct match_answer filer = match_filer(r, value, day);
    if (filer.verdict != MATCH_ONE)
        return match_verdict_text(filer.verdict);
    ret->chamber = CHAMBER_SENATE;
    ret->politician_id = filer.member->id;
    ret->party = filer.term->party;
    ret->state = filer.term->state;
    ret->filed_at = instant_from_new_york(day, 0);
    ret->document = &r->sw->document;
    *ret_member = filer.member;
    return NULL;
}

static void add_paper(
    struct stock_watcher_reading *r, const json_t *value, const struct draft_filing *filing)
{
    struct str first = str_trim(json_in_str(&r->json, value, "first_name"));
    struct str last = str_trim(json_in_str(&r->json, value, "last_name"));
    r->sw->papers[r->sw->paper_count++] = (struct unread_paper){
        .filing = *filing,
        .filer = arena_fmt(&r->sw->arena, "%.*s, %.*s", STR_ARG(last), STR_ARG(first)),
    };
}

static void read_filing(struct stock_watcher_reading *r, const json_t *value)
{
    struct stock_watcher *sw = r->sw;
    struct draft_filing filing = {0};
    const struct member *member = NULL;
    const json_t *rows = json_in_array(&r->json, value, "transactions");
    const char *wrong = read_head(r, value, rows, &filing, &member);
    if (r->json.err)
        return;
    sw->filings_read++;
    if (wrong) {
        sw->rows_read += json_array_size(rows);
        sw->rows_refused += json_array_size(rows);
        refuse(r, filing.id, 0, wrong);
        return;
    }
    read_rows(r, rows, &filing);
    if (r->json.err)
        return;
    wrong = hidden_in_rows(&sw->arena, rows, &filing);
    if (wrong) {
        sw->rows_refused += filing.row_count;
        refuse(r, filing.id, 0, wrong);
        return;
    }
    if (filing.row_count == 0 && json_array_size(rows) > 0) {
        refuse(r, filing.id, 0, "none of its rows can be read");
        return;
    }
    sw->filers += members_add(r, r->filers, member);
    if (filing.row_count == 0) {
        add_paper(r, value, &filing);
        return;
    }
    sw->people += members_add(r, r->people, member);
    sw->records[sw->filing_count] = r->json.record;
    sw->filings[sw->filing_count++] = filing;
}

static void read_all(struct stock_watcher_reading *r, size_t count)
{
    r->mask = 1023;
    while (r->mask < count * 2)
        r->mask = r->mask * 2 + 1;
    r->seen = mem_array(r->mask + 1, sizeof *r->seen);
    r->filers = mem_array(r->mask + 1, sizeof *r->filers);
    r->people = mem_array(r->mask + 1, sizeof *r->people);
    r->sw->filings = ARENA_ARRAY(&r->sw->arena, struct draft_filing, count + 1);
    r->sw->papers = ARENA_ARRAY(&r->sw->arena, struct unread_paper, count + 1);
    r->sw->records = ARENA_ARRAY(&r->sw->arena, size_t, count + 1);
    for (size_t i = 0; i < count && !r->json.err; i++) {
        r->json.record = i + 1;
        r->json.within = STR_NULL;
        const json_t *value = json_in_element(&r->json, r->json.root, i, "it");
        read_filing(r, value);
    }
    mem_free(r->seen);
    mem_free(r->filers);
    mem_free(r->people);
}

static struct str base_name(struct str path)
{
    for (size_t i = path.n; i-- > 0;)
        if (path.p[i] == '/')
            return str_slice(path, i + 1, path.n);
    return path;
}

enum err stock_watcher_read(
    struct str name, struct str text, const struct member_list *members,
    stock_watcher_refused_fn *refused, void *ctx, struct stock_watcher **ret, struct fail *fail)
{
    struct stock_watcher_reading r = {.refused = refused, .ctx = ctx};
    TRY(json_in_open(&r.json, name, text, fail));
    r.sw = MEM_NEW(struct stock_watcher);
    arena_init(&r.sw->arena);
    r.sw->document = (struct draft_document){
        .kind = STR("senate-stock-watcher"),
        .name = arena_str(&r.sw->arena, base_name(name)),
        .bytes = (int64_t)text.n,
    };
    sha256(text, r.sw->document.sha256);
    r.match = match_create(members);
    read_all(&r, json_array_size(r.json.root));
    enum err err = r.json.err;
    match_destroy(r.match);
    json_in_close(&r.json);
    if (err)
        stock_watcher_destroy(r.sw);
    else
        *ret = r.sw;
    return err;
}

void stock_watcher_destroy(struct stock_watcher *sw)
{
    if (!sw)
        return;
    arena_finish(&sw->arena);
    mem_free(sw);
}

/* --- adds unread paper filings to the ledger */

static const struct str unread = STR_INIT("a paper filing whose trades have not been entered yet");

static enum err record_entry(
    struct db *db, const struct unread_paper *paper, int64_t now_ms, struct arena *arena,
    struct fail *fail)
{
    const struct draft_filing *f = &paper->filing;
    struct document_entry entry;
    int64_t no;
    enum err err =
        document_find(db, chamber_name(f->chamber), f->source_doc_id, arena, &entry, fail);
    if (err == ERR_NOT_FOUND)
        entry = (struct document_entry){
            .kind = chamber_name(f->chamber),
            .source_id = f->source_doc_id,
            .chamber = f->chamber,
            .state = DOCUMENT_NEEDS_MANUAL,
            .reason = unread,
            .filed_day = DAY_NONE,
            .filer_district = DOCUMENT_DISTRICT_NONE,
            .indexed_at = INSTANT_NONE,
            .index_gone_at = INSTANT_NONE,
        };
    else if (err)
        return err;
    if (str_is_null(entry.url))
        entry.url = f->url;
    if (entry.filed_day == DAY_NONE)
        entry.filed_day = instant_day_new_york(f->filed_at);
    if (entry.year == 0)
        entry.year = day_year(instant_day_new_york(f->filed_at));
    if (str_is_null(entry.filer))
        entry.filer = paper->filer;
    return document_record(db, &entry, now_ms, &no, fail);
}

static enum err add_draft(
    struct db *db, const struct unread_paper *paper, struct str by, int64_t now_ms,
    struct fail *fail)
{
    const struct draft_filing *f = &paper->filing;
    const struct draft_new draft = {
        .filing_id = f->id,
        .chamber = f->chamber,
        .source_doc_id = f->source_doc_id,
        .url = f->url,
        .manual = true,
        .politician_id = f->politician_id,
        .filer = paper->filer,
        .filer_district = DRAFT_DISTRICT_NONE,
        .filed_at = f->filed_at,
        .report_day = DAY_NONE,
        .reason = unread,
        .checks = STR("[]"),
    };
    const struct draft_event event = {
        .at = now_ms, .by = by, .action = STR("new"), .reason = unread};
    int64_t no = 0;
    TRY(draft_insert(db, &draft, now_ms, &no, fail));
    return draft_history_add(db, no, &event, fail);
}

static enum err record_draft(
    struct db *db, const struct unread_paper *paper, struct str by, int64_t now_ms,
    struct arena *arena, bool *ret_added, struct fail *fail)
{
    struct draft draft;
    enum err err = draft_lock(db, paper->filing.id, arena, &draft, fail);
    *ret_added = err == ERR_NOT_FOUND;
    if (err == ERR_NOT_FOUND)
        return add_draft(db, paper, by, now_ms, fail);
    if (err || draft.state != DRAFT_WAITING)
        return err;
    if (str_is_null(draft.is.politician_id))
        draft.is.politician_id = paper->filing.politician_id;
    if (draft.is.filed_at == INSTANT_NONE)
        draft.is.filed_at = paper->filing.filed_at;
    return draft_update(db, &draft, fail);
}

enum err unread_paper_record(
    struct db *db, const struct unread_paper *paper, struct str by, int64_t now_ms, bool *ret_added,
    struct fail *fail)
{
    ARENA_SCOPED(arena);
    TRY(record_entry(db, paper, now_ms, &arena, fail));
    return record_draft(db, paper, by, now_ms, &arena, ret_added, fail);
}
