/* Rebuilds the draft of a report in the ledger after a later index, member or decision changed its
 * content; see ledger.h. */

#include "ingest/ledger_parts.h"
#include "store/desk/draft_history.h"
#include "store/public/known.h"

static bool draft_differs(const struct draft_new *a, const struct draft_new *b)
{
    return a->filed_at != b->filed_at || !str_eq(a->url, b->url) ||
           !str_eq(a->politician_id, b->politician_id) || !str_eq(a->checks, b->checks) ||
           !str_eq(a->reason, b->reason);
}

/* Parses the stored reading of the version that the draft was made from. */
static enum err reread(struct ledger_report *r, const struct draft *draft, struct fail *fail)
{
    struct str json = STR_NULL;
    enum err err =
        document_version_reading(r->ledger->db, draft->is.document_version, r->arena, &json, fail);
    if (!err && str_is_null(json))
        err = fail_set(fail, ERR_NOT_FOUND, "the reading of that version was not kept");
    return err ? err : reading_parse(json, r->arena, r->reading, fail);
}

static bool is_untouched(const struct draft *draft)
{
    return draft->state == DRAFT_WAITING && str_is_null(draft->accepted_by);
}

/* A scan states neither filer nor date: those that a list or a person gave stay. */
static void keep_known(struct draft_new *draft, const struct draft_new *known)
{
    if (str_is_null(draft->politician_id))
        draft->politician_id = known->politician_id;
    if (str_is_null(draft->filer))
        draft->filer = known->filer;
    if (str_is_null(draft->url))
        draft->url = known->url;
    if (draft->filed_at == INSTANT_NONE)
        draft->filed_at = known->filed_at;
}

/* A person enters it, and has not accepted it. */
static bool is_in_work(const struct draft *draft)
{
    return draft->is.manual && draft->state == DRAFT_IN_REVIEW && !draft->publication_no &&
           str_is_null(draft->accepted_by) && draft->is.document_version;
}

/* Fills in what is not known yet, and keeps the rows and whatever a person has set. *ret_told: what
 * was filled in or why not, for the history; null: nothing is new. */
static void fill_in(
    struct draft_new *is, const struct draft_new *made, struct arena *arena, struct str *ret_told)
{
    struct draft_new known = *is;
    keep_known(is, made);
    if (str_is_null(known.filer)) {
        is->filer_state = made->filer_state;
        is->filer_district = made->filer_district;
    }
    bool other = !str_is_null(known.politician_id) && !str_is_null(made->politician_id) &&
                 !str_eq(known.politician_id, made->politician_id);
    if (other)
        *ret_told = arena_fmt(
            arena, "the index names %.*s; the filer that a reviewer set stays",
            STR_ARG(made->filer));
    else if (draft_differs(is, &known) || !str_eq(is->filer, known.filer))
        *ret_told = arena_fmt(
            arena, "from the index:%s%s%s",
            str_eq(is->filer, known.filer) && str_eq(is->politician_id, known.politician_id)
                ? ""
                : " filer",
            str_eq(is->url, known.url) ? "" : " url",
            is->filed_at == known.filed_at ? "" : " filed");
    else
        *ret_told = STR_NULL;
}

static enum err complete(struct ledger_report *r, struct str filing_id, struct fail *fail)
{
    struct db *db = r->ledger->db;
    struct draft draft;
    struct str told;
    enum err err = draft_lock(db, filing_id, r->arena, &draft, fail);
    if (err || !is_in_work(&draft))
        return err;
    TRY(reread(r, &draft, fail));
    TRY(ledger_make_draft(r, fail));
    fill_in(&draft.is, &r->draft, r->arena, &told);
    if (str_is_null(told))
        return OK;
    const struct draft_event event = {
        .at = r->now_ms, .by = STR("stockact"), .action = STR("index"), .reason = told};
    TRY(draft_update(db, &draft, fail));
    return draft_history_add(db, draft.no, &event, fail);
}

/* `rows_too`: rebuild the rows also if the filing date, on which their doubts depend, is the same.
 * *ret_done: the draft was untouched. */
static enum err rebuild(
    const struct ledger *l, const struct document_entry *entry, bool rows_too, int64_t now_ms,
    struct arena *arena, bool *ret_done, struct fail *fail)
{
    struct reading reading;
    struct draft draft = {.no = 0};
    int64_t no;
    bool taken;
    struct ledger_report r = {
        .ledger = l,
        .arena = arena,
        .reading = &reading,
        .file_name = entry->name,
        .entry = *entry,
        .now_ms = now_ms,
    };
    struct str id = arena_fmt(arena, "%.*s-%.*s", STR_ARG(entry->kind), STR_ARG(entry->source_id));
    enum err err =
        document_lock(l->db, entry->kind, entry->source_id, entry->chamber, now_ms, fail);
    if (!err)
        err = document_find(l->db, entry->kind, entry->source_id, arena, &r.entry, fail);
    if (!err)
        err = draft_lock(l->db, id, arena, &draft, fail);
    *ret_done = !err && is_untouched(&draft) && draft.is.document_version;
    if (!err && !rows_too && is_in_work(&draft))
        return complete(&r, id, fail);
    if (!*ret_done)
        return err == ERR_NOT_FOUND ? OK : err;
    err = reread(&r, &draft, fail);
    if (!err)
        err = ledger_make_draft(&r, fail);
    if (!err && r.draft.manual && draft.is.manual)
        keep_known(&r.draft, &draft.is);
    r.draft.document_version = draft.is.document_version;
    rows_too |= r.draft.filed_at != draft.is.filed_at;
    if (!err && rows_too && !r.draft.manual)
        err = ledger_write_draft(&r, draft.is.document_version, fail);
    else if (!err && draft_differs(&r.draft, &draft.is)) {
        draft.is = r.draft;
        err = draft_update(l->db, &draft, fail);
    }
    if (!err && rows_too && reading_is_scan(&reading))
        err = ledger_scan_rows(&r, &draft, &taken, fail);
    return err ? err : document_record(l->db, &r.entry, now_ms, &no, fail);
}

enum err ledger_refresh(
    const struct ledger *l, const struct document_entry *entry, int64_t now_ms, struct arena *arena,
    struct fail *fail)
{
    bool done;
    return rebuild(l, entry, false, now_ms, arena, &done, fail);
}

enum err ledger_rebuild(
    const struct ledger *l, struct str filing_id, int64_t now_ms, struct arena *arena,
    bool *ret_done, struct fail *fail)
{
    struct document_entry entry;
    ptrdiff_t dash = str_find_char(filing_id, '-');
    *ret_done = false;
    if (dash < 0)
        return OK;
    enum err err = document_find(
        l->db, str_slice(filing_id, 0, (size_t)dash),
        str_slice(filing_id, (size_t)dash + 1, filing_id.n), arena, &entry, fail);
    if (err)
        return err == ERR_NOT_FOUND ? OK : err;
    return rebuild(l, &entry, true, now_ms, arena, ret_done, fail);
}

/* --- the same file again */

bool ledger_was_read(const struct document_version *version)
{
    for (size_t i = 0; i < SHA256_SIZE; i++)
        if (version->content_sha256[i])
            return true;
    return false;
}

static enum err look_again(
    const struct ledger *l, const struct document_entry *entry, const uint8_t sha256[SHA256_SIZE],
    int64_t now_ms, struct arena *arena, bool *ret_read, struct fail *fail)
{
    struct draft draft = {.no = 0};
    struct document_version version;
    struct str id = arena_fmt(arena, "%.*s-%.*s", STR_ARG(entry->kind), STR_ARG(entry->source_id));
    enum err err =
        document_lock(l->db, entry->kind, entry->source_id, entry->chamber, now_ms, fail);
    if (!err)
        err = draft_lock(l->db, id, arena, &draft, fail);
    if (!err)
        err = document_version_find(l->db, entry->no, sha256, &version, fail);
    if (err || !is_untouched(&draft))
        return err == ERR_NOT_FOUND ? OK : err;
    *ret_read = !ledger_was_read(&version);
    return *ret_read ? OK : ledger_refresh(l, entry, now_ms, arena, fail);
}

enum err ledger_again(
    const struct ledger *l, const struct document_entry *entry, const uint8_t sha256[SHA256_SIZE],
    int64_t now_ms, struct arena *arena, bool *ret_read, struct fail *fail)
{
    bool own;
    *ret_read = false;
    TRY(db_join(l->db, &own, fail));
    enum err err = look_again(l, entry, sha256, now_ms, arena, ret_read, fail);
    if (!err && !*ret_read)
        err = known_changed(l->db, STR_NULL, fail);
    return db_leave(l->db, own, err, fail);
}
