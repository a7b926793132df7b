/* Parses the dump, one filing at a time; see stock_watcher.h. Rows are in stock_watcher_row.c. */
#include "ingest/stock_watcher.h"

#include "base/crypto.h"
#include "base/hash.h"
#include "base/hidden.h"
#include "base/json_in.h"
#include "ingest/stock_watcher_row.h"
#include "paper/cell/printed.h"
#include "paper/cell/row_field.h"
#include "paper/paper_id.h"
#include "people/match.h"

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
