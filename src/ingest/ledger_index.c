/*
 * Writes the Clerk's yearly index into the ledger: one entry per row, whether its document is
 * imported or not. Indexes are captured many times and files come in any order. An index is older
 * than the ledger if its newest filing is older than the newest known one. Such an index only adds
 * missing entries, marked as gone from the index.
 *
 * An index whose self-checks failed only adds and updates: a row that could not be read is not a
 * row that is gone. Its bytes are not recorded, so that they are read again the next time.
 *
 * Every entry that an index names gets the mark of that capture: an instant that grows with each
 * capture of the year, even if the clock does not. Entries with an older mark are gone from the
 * index.
 */
#include <stdlib.h>

#include "ingest/ledger_parts.h"
#include "paper/cell/printed.h"
#include "paper/paper_id.h"
#include "paper/reading.h"
#include "store/desk/draft.h"
#include "store/desk/draft_history.h"
#include "store/public/known.h"

struct indexing {
    const struct ledger *ledger;
    struct arena *arena;
    int64_t now_ms;
    int64_t mark;
    int year;
    bool older;        /* than the last imported index */
    struct str failed; /* its failed self-checks; null: none */
    size_t added, changed;
};

static struct str filer_name(struct arena *arena, const struct reading_entry *e)
{
    return arena_fmt(
        arena, "%.*s%s%.*s, %.*s", STR_ARG(e->last), e->suffix.n ? " " : "", STR_ARG(e->suffix),
        STR_ARG(e->first));
}

/* Copies the row into the entry. */
static void take_row(
    struct indexing *x, const struct reading_entry *row, struct document_entry *entry)
{
    int64_t year;
    entry->year = str_to_i64(row->year, &year) && year > 0 && year < 10000 ? (int)year : x->year;
    if (!printed_day(row->filing_date, &entry->filed_day))
        entry->filed_day = DAY_NONE;
    entry->filer = filer_name(x->arena, row);
    if (!paper_id_district(row->state_district, &entry->filer_state, &entry->filer_district)) {
        entry->filer_state = STR_NULL;
        entry->filer_district = DOCUMENT_DISTRICT_NONE;
    }
    entry->indexed_at = x->mark;
    entry->index_gone_at = x->older ? x->mark : INSTANT_NONE;
}

static bool is_same_entry(const struct document_entry *a, const struct document_entry *b)
{
    return a->year == b->year && a->filed_day == b->filed_day && str_eq(a->filer, b->filer) &&
           str_eq(a->filer_state, b->filer_state) && a->filer_district == b->filer_district &&
           a->state == b->state;
}

static struct str other_form(struct indexing *x, const struct reading_entry *row)
{
    return arena_fmt(x->arena, "another form (type %.*s of the index)", STR_ARG(row->filing_type));
}

static enum err add_entry(struct indexing *x, const struct reading_entry *row, struct fail *fail)
{
    bool report = str_eq(row->filing_type, STR("P"));
    int64_t no;
    struct document_entry entry = {
        .kind = LEDGER_HOUSE,
        .source_id = row->document_id,
        .chamber = CHAMBER_HOUSE,
        .state = report ? DOCUMENT_AWAITING_DOCUMENT : DOCUMENT_INDEXED,
        .reason = report ? STR("listed in the index; the document is not imported yet")
                         : other_form(x, row),
    };
    take_row(x, row, &entry);
    x->added++;
    if (report)
        ledger_emit_line(
            x->ledger, entry.source_id, INGEST_AWAITING_DOCUMENT,
            arena_fmt(x->arena, "house-%.*s", STR_ARG(entry.source_id)), 0, STR_NULL);
    return document_record(x->ledger->db, &entry, x->now_ms, &no, fail);
}

/* Supersedes the draft of a document that is not a report, unless a reviewer has taken it. */
static enum err drop_draft(
    struct indexing *x, const struct document_entry *entry, struct fail *fail)
{
    struct db *db = x->ledger->db;
    struct draft draft;
    enum draft_state next;
    struct str id = arena_fmt(x->arena, "house-%.*s", STR_ARG(entry->source_id));
    enum err err = draft_lock(db, id, x->arena, &draft, fail);
    if (err)
        return err == ERR_NOT_FOUND ? OK : err;
    if (draft.state != DRAFT_WAITING || !draft_step(draft.state, DRAFT_SUPERSEDE, &next))
        return OK;
    const struct draft_event event = {
        .at = x->now_ms,
        .by = STR("stockact"),
        .action = draft_action_name(DRAFT_SUPERSEDE),
        .reason = entry->reason,
    };
    draft.state = next;
    TRY(draft_update(db, &draft, fail));
    return draft_history_add(db, draft.no, &event, fail);
}

/* Compares a row with the known entry of its document. */
static enum err compare_entry(
    struct indexing *x, const struct reading_entry *row, const struct document_entry *known,
    struct fail *fail)
{
    struct document_entry entry = *known;
    bool report = str_eq(row->filing_type, STR("P"));
    int64_t no;
    if (x->older)
        return OK;
    take_row(x, row, &entry);
    if (!report && known->state == DOCUMENT_AWAITING_DOCUMENT) {
        entry.state = DOCUMENT_INDEXED;
        entry.reason = other_form(x, row);
    } else if (!report && known->state != DOCUMENT_INDEXED) {
        entry.state = DOCUMENT_REFUSED;
        entry.reason = LEDGER_OTHER_FORM;
    } else if (report && known->state == DOCUMENT_INDEXED) {
        entry.state = DOCUMENT_AWAITING_DOCUMENT;
        entry.reason = STR("now listed in the index as a report; the document is not imported yet");
    }
    bool same = is_same_entry(&entry, known) && known->indexed_at != INSTANT_NONE;
    x->changed += !same;
    enum err err = document_record(x->ledger->db, &entry, x->now_ms, &no, fail);
    if (err || same)
        return err;
    if (entry.state == DOCUMENT_REFUSED) {
        err = known_set_filer(x->ledger->db, entry.kind, entry.source_id, STR_NULL, fail);
        return err ? err : drop_draft(x, &entry, fail);
    }
    if (entry.state == DOCUMENT_AWAITING_DOCUMENT)
        return ledger_match_entry(x->ledger, &entry, x->arena, fail);
    return ledger_refresh(x->ledger, &entry, x->now_ms, x->arena, fail);
}

static enum err take_entry(struct indexing *x, const struct reading_entry *row, struct fail *fail)
{
    struct document_entry known;
    enum err err =
        document_find(x->ledger->db, LEDGER_HOUSE, row->document_id, x->arena, &known, fail);
    if (err == ERR_NOT_FOUND)
        return add_entry(x, row, fail);
    return err ? err : compare_entry(x, row, &known, fail);
}

/* If an index lists a document twice, the last row counts. */
struct place {
    struct str id;
    size_t at;
};

static int by_id_and_place(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    int order = str_cmp(x->id, y->id);
    return order ? order : (x->at > y->at) - (x->at < y->at);
}

static enum err take_entries(
    struct indexing *x, const struct reading *r, size_t *ret_twice, struct fail *fail)
{
    struct place *places = ARENA_ARRAY(x->arena, struct place, r->entry_count + 1);
    bool *passed_over = ARENA_ARRAY(x->arena, bool, r->entry_count + 1);
    for (size_t i = 0; i < r->entry_count; i++)
        places[i] = (struct place){r->entries[i].document_id, i};
    qsort(places, r->entry_count, sizeof *places, by_id_and_place);
    for (size_t i = 0; i + 1 < r->entry_count; i++)
        if (str_eq(places[i].id, places[i + 1].id)) {
            passed_over[places[i].at] = true;
            ++*ret_twice;
        }
    for (size_t i = 0; i < r->entry_count; i++)
        if (!passed_over[i])
            TRY(take_entry(x, &r->entries[i], fail));
    return OK;
}

static int32_t newest_day(const struct reading *r)
{
    int32_t newest = DAY_NONE, day;
    for (size_t i = 0; i < r->entry_count; i++)
        if (printed_day(r->entries[i].filing_date, &day) && day > newest)
            newest = day;
    return newest;
}

/* The year of the file: the year of its first row. */
static int year_of(const struct reading *r)
{
    int64_t first;
    return r->entry_count && str_to_i64(r->entries[0].year, &first) && first > 0 && first < 10000
               ? (int)first
               : 0;
}

/* Records the index itself as an entry with versions, and sets x->older; *ret_same: the same bytes
 * are recorded. */
static enum err record_index(
    struct indexing *x, const struct ledger_file *file, bool *ret_same, struct fail *fail)
{
    struct db *db = x->ledger->db;
    struct str id = arena_fmt(x->arena, "%d", x->year);
    struct document_entry entry;
    struct document_version version = {.bytes = file->bytes};
    int32_t newest = newest_day(&file->reading);
    enum err err = document_find(db, LEDGER_INDEX, id, x->arena, &entry, fail);
    bool known = err == OK;
    if (err && err != ERR_NOT_FOUND)
        return err;
    x->older = known && entry.filed_day > newest;
    x->mark = known && entry.indexed_at >= x->now_ms ? entry.indexed_at + 1 : x->now_ms;
    if (!known)
        entry = (struct document_entry){
            .kind = LEDGER_INDEX,
            .source_id = id,
            .chamber = CHAMBER_HOUSE,
            .filer_district = DOCUMENT_DISTRICT_NONE,
            .indexed_at = INSTANT_NONE,
            .index_gone_at = INSTANT_NONE,
        };
    entry.state = DOCUMENT_INDEXED;
    entry.indexed_at = x->mark;
    entry.name = file->name;
    entry.year = x->year;
    entry.filed_day = x->older ? entry.filed_day : newest;
    *ret_same = false;
    err = document_record(db, &entry, x->now_ms, &version.document_no, fail);
    if (err || !str_is_null(x->failed))
        return err;
    err = document_version_find(db, version.document_no, file->sha256, &version, fail);
    *ret_same = err == OK;
    if (err != ERR_NOT_FOUND)
        return err;
    for (int i = 0; i < SHA256_SIZE; i++)
        version.sha256[i] = file->sha256[i];
    return document_version_add(db, &version, x->now_ms, &version.no, fail);
}

/* Also what the failed checks mean; null: none failed. */
static struct str failed_checks(const struct reading *r, struct arena *arena)
{
    struct reading judged = *r;
    ledger_complete_checks(&judged, CHAMBER_HOUSE);
    struct str failed = ledger_failed_checks(&judged, arena);
    return str_is_null(failed)
               ? STR_NULL
               : arena_fmt(
                     arena, "; %.*s: documents that it lacks are not marked as gone",
                     STR_ARG(failed));
}

static void tell_index(
    const struct indexing *x, const struct ledger_file *file, size_t twice, int64_t gone)
{
    struct arena *a = x->arena;
    struct str hidden = reading_hidden_entry(&file->reading, a);
    struct str text = arena_fmt(
        a, "%zu new, %zu changed, %lld gone%s%s%.*s%s%.*s", x->added, x->changed, (long long)gone,
        twice ? arena_fmt(a, ", %zu listed twice", twice).p : "",
        x->older ? "; older than the last imported index" : "", STR_ARG(x->failed),
        hidden.n ? "; hidden characters, first in " : "", STR_ARG(hidden));
    ledger_emit_line(
        x->ledger, file->name, INGEST_INDEXED, STR_NULL, file->reading.entry_count, text);
}

enum err ledger_index(
    const struct ledger *l, const struct ledger_file *file, int64_t now_ms, struct arena *arena,
    struct fail *fail)
{
    const struct reading *r = &file->reading;
    struct indexing x = {
        .ledger = l,
        .arena = arena,
        .now_ms = now_ms,
        .year = year_of(r),
        .failed = failed_checks(r, arena),
    };
    bool same = false;
    int64_t gone = 0;
    size_t twice = 0;
    TRY(record_index(&x, file, &same, fail));
    if (!same)
        TRY(take_entries(&x, r, &twice, fail));
    if (!same && !x.older && str_is_null(x.failed))
        TRY(document_mark_gone(l->db, CHAMBER_HOUSE, x.year, x.mark, &gone, fail));
    TRY(ledger_match_filers(l, false, arena, fail));
    TRY(known_changed(l->db, STR_NULL, fail));
    if (same)
        ledger_emit_line(l, file->name, INGEST_UNCHANGED, STR_NULL, r->entry_count, STR_NULL);
    else
        tell_index(&x, file, twice, gone);
    return OK;
}
