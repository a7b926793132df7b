/* Makes the draft of a report: filing date, URL and filer, the checks that need the ledger, and the
 * rows; see ledger_parts.h. */

#include "address/official_url.h"
#include "base/fold.h"
#include "base/utf8.h"
#include "ingest/ledger_parts.h"
#include "market/company.h"
#include "paper/cell/printed.h"
#include "paper/paper_id.h"
#include "paper/read_row.h"
#include "paper/reading.h"
#include "store/desk/draft_history.h"
#include "store/desk/draft_row.h"
#include "store/desk/draft_tally.h"
#include "store/desk/second_entry.h"
#include "store/public/document.h"
#include "store/public/known.h"

/* The rows and pages of a scan in the ledger. */

/* "; 2 pages were not read in full", and why if all have the same reason. */
static struct str unread_pages(const struct reading *reading, struct arena *arena)
{
    size_t unread = 0;
    struct str why = STR_NULL;
    bool same = true;
    for (size_t i = 0; i < reading->page_count; i++) {
        struct str reason = reading->pages[i].reason;
        if (str_is_null(reason))
            continue;
        same = same && (!unread || str_eq(why, reason));
        why = reason;
        unread++;
    }
    if (!unread)
        return STR("");
    struct str pages =
        unread == 1 ? STR("one page was") : arena_fmt(arena, "%zu pages were", unread);
    return arena_fmt(
        arena, "; %.*s not read in full%s%.*s", STR_ARG(pages), same ? ": " : "",
        STR_ARG(same ? why : STR("")));
}

struct str ledger_scan_reason(const struct reading *reading, struct arena *arena)
{
    size_t rows = reading->row_count;
    struct str pages = unread_pages(reading, arena);
    if (!rows)
        return arena_fmt(
            arena, "%.*s%s%.*s", STR_ARG(reading->reason),
            reading->page_count ? ", and no row was read from them" : "", STR_ARG(pages));
    return arena_fmt(
        arena, "a scan: %zu %s read from its pages, check every field%.*s", rows,
        rows == 1 ? "row was" : "rows were", STR_ARG(pages));
}

enum err ledger_scan_pages(const struct ledger_report *r, int64_t version, struct fail *fail)
{
    size_t count = r->reading->page_count;
    struct document_page *pages = ARENA_ARRAY(r->arena, struct document_page, count + 1);
    for (size_t i = 0; i < count; i++) {
        const struct reading_page *page = &r->reading->pages[i];
        pages[i] = (struct document_page){
            .page = page->page,
            .turn = page->turn,
            .skew = page->skew,
            .form = page->form,
            .reason = page->reason,
        };
    }
    const struct document_page_list list = {pages, count};
    return count ? document_page_replace(r->ledger->db, version, &list, fail) : OK;
}

/* A person has typed a row, or may be about to. */
static bool is_touched(const struct draft *draft, const struct draft_row_list *rows, int64_t now_ms)
{
    for (size_t i = 0; i < rows->count; i++)
        if (str_is_null(rows->items[i].sources))
            return true;
    if (draft->state == DRAFT_WAITING)
        return !str_is_null(draft->accepted_by);
    return draft->state != DRAFT_IN_REVIEW || now_ms < draft->claimed_until ||
           draft->publication_no || rows->count > 0;
}

enum err ledger_scan_rows(
    struct ledger_report *r, struct draft *draft, bool *ret_taken, struct fail *fail)
{
    struct draft_row_list rows = {.count = 0};
    enum err err = draft_row_load(r->ledger->db, draft->no, r->arena, &rows, fail);
    *ret_taken = !err && !is_touched(draft, &rows, r->now_ms);
    if (err || !*ret_taken)
        return err;
    if (draft->is.filed_at != INSTANT_NONE)
        r->draft.filed_at = draft->is.filed_at;
    err = draft_row_forget_scanned(r->ledger->db, draft->no, fail);
    if (!err)
        err = ledger_insert_rows(r, draft->no, fail);
    draft->is.reason = r->draft.reason;
    return err ? err : draft_update(r->ledger->db, draft, fail);
}

enum { REASON_SIZE_MAX = 300, CHECKS_SIZE_MAX = 1024 * 1024 };

static bool is_indexed(const struct ledger_report *r)
{
    return r->entry.indexed_at != INSTANT_NONE;
}

static bool is_house(const struct ledger_report *r)
{
    return r->entry.chamber == CHAMBER_HOUSE;
}

/* --- the filing, from the document and its index */

static struct str report_url(struct ledger_report *r, int year)
{
    if (is_house(r))
        return year == 0 ? STR_NULL : official_url_house(r->arena, year, r->entry.source_id);
    bool paper =
        r->reading->kind == READING_SENATE_PAPER || r->reading->kind == READING_SENATE_SCAN;
    return official_url_senate(r->arena, paper, r->entry.source_id);
}

/* The filing date. House: the date in the index, or else of the signature, which equals it on every
 * known report. Senate: an electronic page prints the minute; for a paper page only the search has
 * the day. */
static void set_filed(struct ledger_report *r)
{
    int64_t printed;
    r->draft.filed_at = INSTANT_NONE;
    if (printed_filed(r->reading->filed, &printed))
        r->draft.filed_at = printed;
    if (r->entry.filed_day != DAY_NONE && (is_house(r) || r->draft.filed_at == INSTANT_NONE))
        r->draft.filed_at = instant_from_new_york(r->entry.filed_day, 0);
    if (!is_indexed(r) && r->draft.filed_at != INSTANT_NONE)
        r->entry.year = day_year(instant_day_new_york(r->draft.filed_at));
    r->draft.url = report_url(r, r->entry.year);
    r->entry.url = r->draft.url;
}

static void set_place(struct ledger_report *r)
{
    r->draft.filer_district = DRAFT_DISTRICT_NONE;
    if (paper_id_district(
            r->reading->state_district, &r->draft.filer_state, &r->draft.filer_district))
        return;
    r->draft.filer_state = r->entry.filer_state;
    r->draft.filer_district = r->entry.filer_district;
}

static enum err set_filer(struct ledger_report *r, struct str *ret_reason, struct fail *fail)
{
    struct filer_query q = {
        .chamber = r->entry.chamber,
        .whole = r->reading->filer,
        .bracketed = r->reading->filer_name,
        .state = r->draft.filer_state,
        .district = r->draft.filer_district,
        .date =
            r->draft.filed_at == INSTANT_NONE ? DAY_NONE : instant_day_new_york(r->draft.filed_at),
    };
    /* A Senate page prints its filer in the heading; the search formats the name differently. */
    if (is_house(r) || str_is_null(r->reading->filer))
        ledger_index_name(&r->entry, &q);
    q.printed = r->draft.filer =
        str_is_null(r->reading->filer) ? r->entry.filer : r->reading->filer;
    if (str_is_null(r->draft.filer)) {
        *ret_reason = STR("the filer is not known");
        return OK;
    }
    return filer_find(
        r->ledger->db, r->ledger->match, &q, r->arena, &r->draft.politician_id, ret_reason, fail);
}

/* --- checks that need the ledger: the document against its file name and its index */

/* Whether the text has all words of `wanted`. */
static bool holds_words(struct str text, struct str wanted)
{
    char text_space[2 * FOLD_TEXT_MAX], wanted_space[2 * FOLD_TEXT_MAX];
    struct buf all = buf_over(text_space, sizeof text_space);
    struct buf words = buf_over(wanted_space, sizeof wanted_space);
    struct str word, rest;
    if (!fold_words(&all, text, FOLD_ASCII) || !fold_words(&words, wanted, FOLD_ASCII))
        return false;
    for (rest = buf_view(&words); str_split(&rest, ' ', &word);)
        if (!str_lists(buf_view(&all), word))
            return false;
    return true;
}

static void check_against_index(struct ledger_report *r)
{
    struct reading *in = r->reading;
    struct str state;
    int district = DOCUMENT_DISTRICT_NONE;
    int64_t printed;
    ptrdiff_t comma = str_find_char(r->entry.filer, ',');
    struct str last = str_slice(r->entry.filer, 0, comma < 0 ? r->entry.filer.n : (size_t)comma);
    bool day =
        printed_filed(in->filed, &printed) && instant_day_new_york(printed) == r->entry.filed_day;
    reading_check_add(in, STR("signed_on_filing_date"), day, in->filed);
    bool place = paper_id_district(in->state_district, &state, &district) &&
                 str_eq_nocase(state, r->entry.filer_state) && district == r->entry.filer_district;
    reading_check_add(in, STR("state_district_of_index"), place, in->state_district);
    reading_check_add(in, STR("name_of_index"), holds_words(in->filer, last), r->entry.filer);
}

static void check_house(struct ledger_report *r)
{
    struct str named = paper_id_house(r->file_name);
    if (r->reading->kind != READING_HOUSE_PTR)
        return;
    if (!str_is_null(named))
        reading_check_add(
            r->reading, STR("filing_id_of_file"), str_eq(named, r->reading->document_id), named);
    if (is_indexed(r))
        check_against_index(r);
}

/* A reading that has rows has the checks of an electronic report, whatever its kind says. A scan
 * has none: a person checks every field. */
void ledger_complete_checks(struct reading *reading, enum chamber chamber)
{
    if (reading_is_scan(reading))
        return;
    if (reading->kind == READING_HOUSE_INDEX)
        self_checks_complete(reading->checks, &reading->check_count, SELF_CHECK_INDEX);
    else if (
        reading->row_count || reading->kind == READING_HOUSE_PTR ||
        reading->kind == READING_SENATE_PTR)
        self_checks_complete(
            reading->checks, &reading->check_count,
            chamber == CHAMBER_HOUSE ? SELF_CHECK_HOUSE : SELF_CHECK_SENATE);
}

struct str ledger_failed_checks(const struct reading *reading, struct arena *arena)
{
    struct str text = STR_NULL;
    for (size_t i = 0; i < reading->check_count; i++) {
        const struct self_check *c = &reading->checks[i];
        if (c->passed)
            continue;
        text = arena_fmt(
            arena, "%.*s%s%.*s (%.*s)", STR_ARG(text), str_is_null(text) ? "failed check: " : ", ",
            STR_ARG(c->name), STR_ARG(utf8_cut(c->detail, REASON_SIZE_MAX)));
    }
    return text;
}

static struct str checks_json(struct ledger_report *r)
{
    struct json_out j;
    BUF_SCOPED(b, CHECKS_SIZE_MAX);
    json_init(&j, &b);
    self_check_put(&j, r->reading->checks, r->reading->check_count);
    return arena_str(r->arena, buf_view(&b));
}

/* --- the draft */

enum err ledger_make_draft(struct ledger_report *r, struct fail *fail)
{
    struct str unmatched = STR_NULL;
    bool scan = reading_is_scan(r->reading);
    bool rows = r->reading->row_count > 0;
    r->draft = (struct draft_new){
        .filing_id =
            arena_fmt(r->arena, "%.*s-%.*s", STR_ARG(r->entry.kind), STR_ARG(r->entry.source_id)),
        .chamber = r->entry.chamber,
        .source_doc_id = r->entry.source_id,
        .manual = !rows || scan,
        .amendment = r->reading->amendment,
        .report_day = DAY_NONE,
    };
    if (!printed_day(r->reading->report_date, &r->draft.report_day))
        r->draft.report_day = DAY_NONE;
    set_filed(r);
    set_place(r);
    TRY(set_filer(r, &unmatched, fail));
    ledger_complete_checks(r->reading, r->entry.chamber);
    check_house(r);
    reading_hidden_check(r->reading, r->entry.filer, r->arena);
    r->draft.checks = checks_json(r);
    struct str failed = ledger_failed_checks(r->reading, r->arena);
    r->draft.reason = scan ? ledger_scan_reason(r->reading, r->arena)
                      : !rows && !str_is_null(r->reading->reason) ? r->reading->reason
                      : !str_is_null(failed)                      ? failed
                                                                  : unmatched;
    r->entry.state = str_is_null(r->draft.reason) ? DOCUMENT_DRAFT : DOCUMENT_NEEDS_MANUAL;
    r->entry.reason = r->draft.reason;
    return OK;
}

static bool is_known_ticker(void *ctx, struct str symbol)
{
    return ticker_list_find(ctx, symbol) || company_knows_symbol(symbol);
}

static bool find_company(void *ctx, struct str symbol, int32_t day, struct company *ret)
{
    const struct ticker *ticker = ticker_list_find(ctx, symbol);
    const struct company_import imported = {
        ticker ? ticker->company : STR_NULL,
        ticker ? ticker->industry : STR_NULL,
        ticker ? ticker->source : STR_NULL,
    };
    return company_on(symbol, day, ticker ? &imported : NULL, ret);
}

/* How the cells of a row on a scanned page were read; null for any other. */
static struct str sources_json(struct ledger_report *r, const struct reading_row *row)
{
    struct json_out j;
    BUF_SCOPED(b, CHECKS_SIZE_MAX);
    if (!row->source)
        return STR_NULL;
    json_init(&j, &b);
    cell_sources_put(&j, row->source);
    return arena_str(r->arena, buf_view(&b));
}

static struct str doubts_json(struct ledger_report *r, const struct read_row *row)
{
    struct json_out j;
    BUF_SCOPED(b, CHECKS_SIZE_MAX);
    json_init(&j, &b);
    json_array_begin(&j);
    for (size_t i = 0; i < row->doubt_count; i++)
        json_str(&j, row->doubts[i]);
    json_array_end(&j);
    return arena_str(r->arena, buf_view(&b));
}

static void read_one(
    const struct ledger *l, const struct reading *reading, size_t i, int64_t filed_at,
    struct arena *arena, struct read_row *ret)
{
    int32_t filed_day = filed_at == INSTANT_NONE ? DAY_NONE : instant_day_new_york(filed_at);
    const struct read_row_symbols symbols = {
        .known = l->tickers->count ? is_known_ticker : NULL,
        .company = find_company,
        .ctx = (void *)(uintptr_t)l->tickers,
    };
    read_row(reading->kind, &reading->rows[i], filed_day, &symbols, arena, ret);
}

struct draft_row *ledger_rows(
    const struct ledger *l, const struct reading *reading, int64_t filed_at, struct arena *arena)
{
    struct draft_row *rows = ARENA_ARRAY(arena, struct draft_row, reading->row_count + 1);
    for (size_t i = 0; i < reading->row_count; i++) {
        struct read_row read;
        read_one(l, reading, i, filed_at, arena, &read);
        rows[i] = read.row;
    }
    return rows;
}

enum err ledger_insert_rows(struct ledger_report *r, int64_t draft_no, struct fail *fail)
{
    for (size_t i = 0; i < r->reading->row_count; i++) {
        struct read_row read;
        read_one(r->ledger, r->reading, i, r->draft.filed_at, r->arena, &read);
        const struct draft_row_stored row = {
            .row = read.row.row,
            .page = read.row.page,
            .status = (enum draft_row_status)read.status,
            .values = read.row.values,
            .notified_date = read.row.notified_date,
            .cap_gains = read.row.cap_gains,
            .printed = read.row.printed,
            .doubts = doubts_json(r, &read),
            .held = read.held,
            .place = r->reading->rows[i].place,
            .sources = sources_json(r, &r->reading->rows[i]),
        };
        TRY(draft_row_insert(r->ledger->db, draft_no, &row, fail));
    }
    return OK;
}

/* What was accepted was compared with another file, or with none: it must be compared with this
 * one, typed by a second person if the first one's was, and accepted again. */
static enum err reopen(struct ledger_report *r, struct draft *old, struct fail *fail)
{
    const struct draft_event event = {
        .at = r->now_ms,
        .by = STR("stockact"),
        .action = STR("document"),
        .reason =
            STR("another file of it arrived after it was accepted: it must be accepted again"),
    };
    if (old->state != DRAFT_IN_REVIEW) {
        if (!draft_step(old->state, DRAFT_CLAIM, &old->state))
            return OK;
        old->claimed_by = old->accepted_by;
        old->claimed_until = r->now_ms; /* nobody holds it */
    }
    old->accepted_by = old->second_by = old->difference = STR_NULL;
    old->accepted_at = old->second_at = INSTANT_NONE;
    old->entry = DRAFT_ENTRY_NONE;
    TRY(second_entry_forget_all(r->ledger->db, old->no, fail));
    TRY(draft_update(r->ledger->db, old, fail));
    return draft_history_add(r->ledger->db, old->no, &event, fail);
}

static bool is_accepted(const struct draft *draft)
{
    return draft->state == DRAFT_ACCEPTED ||
           (draft->state != DRAFT_REJECTED && !str_is_null(draft->accepted_by));
}

/* A viewer page has no picture. */
static bool adds_nothing(const struct ledger_report *r, const struct draft *old)
{
    return r->reading->kind == READING_SENATE_PAPER && old->is.document_version;
}

/* A draft that a person enters stays, and what arrives is attached to it: the document, unless it
 * is a viewer page beside a scan; and the rows of a scan. */
static enum err attach(
    struct ledger_report *r, struct draft *old, int64_t version, struct fail *fail)
{
    bool taken = false, other = old->is.document_version != version;
    TRY(draft_set_version(r->ledger->db, old->no, version, fail));
    if (!str_is_null(old->is.politician_id)) /* its document is new */
        TRY(known_set_filer(
            r->ledger->db, r->entry.kind, r->entry.source_id, old->is.politician_id, fail));
    TRY(ledger_scan_pages(r, version, fail));
    old->is.document_version = version;
    if (reading_is_scan(r->reading))
        TRY(ledger_scan_rows(r, old, &taken, fail));
    if (!taken)
        TRY(draft_row_forget_places(r->ledger->db, old->no, fail));
    return other && is_accepted(old) ? reopen(r, old, fail) : OK;
}

/* What is public stays with the file that it was compared with. One that was entered without a file
 * gets the first that arrives. */
static bool keeps_file(const struct draft *draft, int64_t version)
{
    return draft->is.document_version && draft->is.document_version != version &&
           (draft->state == DRAFT_PUBLISHED || draft->state == DRAFT_AMENDED);
}

/* Supersedes the previous draft unless it was published; a published one stays next to the new one.
 * Also keeps a manual draft that is not published if the document is no electronic report. */
static enum err supersede(
    struct ledger_report *r, int64_t version, bool *ret_stays, struct fail *fail)
{
    struct draft old;
    enum draft_state next;
    enum err err = draft_lock(r->ledger->db, r->draft.filing_id, r->arena, &old, fail);
    *ret_stays = false;
    if (err)
        return err == ERR_NOT_FOUND ? OK : err;
    if (r->draft.manual && old.is.manual && (adds_nothing(r, &old) || !keeps_file(&old, version))) {
        *ret_stays = true;
        return adds_nothing(r, &old) ? OK : attach(r, &old, version, fail);
    }
    if (!draft_step(old.state, DRAFT_SUPERSEDE, &next)) {
        r->draft.reason = STR("the document changed after it was published");
        return OK;
    }
    const struct draft_event event = {
        .at = r->now_ms,
        .by = STR("stockact"),
        .action = draft_action_name(DRAFT_SUPERSEDE),
        .reason = STR("the document was read again"),
    };
    old.state = next;
    TRY(draft_update(r->ledger->db, &old, fail));
    return draft_history_add(r->ledger->db, old.no, &event, fail);
}

enum err ledger_write_draft(struct ledger_report *r, int64_t version, struct fail *fail)
{
    int64_t no = 0;
    bool stays;
    r->draft.document_version = version;
    enum err err = supersede(r, version, &stays, fail);
    if (err || stays)
        return err;
    TRY(draft_insert(r->ledger->db, &r->draft, r->now_ms, &no, fail));
    TRY(ledger_insert_rows(r, no, fail));
    TRY(ledger_scan_pages(r, version, fail));
    return draft_tally(r->ledger->db, no, fail);
}
