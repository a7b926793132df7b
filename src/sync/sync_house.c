/*
 * The Clerk's site (sources.md 1): a zip for each year, fetched with conditional requests, and a
 * PDF for each report in it. In early January the file of the new year does not exist yet.
 */
#include "paper/paper_id.h"
#include "paper/readers.h"
#include "store/row/meta.h"
#include "sync/sync_parts.h"

enum { REDIRECTS_MAX = 3, CONDITION_SIZE_MAX = 256 };

/* GET that follows redirects within the site. */
static enum err get_within(
    struct sync *s, struct str url, const struct str *headers, size_t header_count,
    struct arena *arena, struct fetch_answer *ret, struct fail *fail)
{
    struct str home = arena_fmt(arena, "%.*s/", STR_ARG(s->base));
    enum err err = sync_get(s, url, headers, header_count, arena, ret, fail);
    for (int i = 0; i < REDIRECTS_MAX && !err && str_starts(ret->redirect, home); i++)
        err = sync_get(s, ret->redirect, headers, header_count, arena, ret, fail);
    return err;
}

/* --- the index */

/* Adds a conditional header from the last imported index; the values are stored by URL. */
static enum err load_condition(
    struct sync *s, struct str url, const char *name, const char *header, struct arena *arena,
    struct str *headers, size_t *count, struct fail *fail)
{
    struct str value = STR_NULL;
    struct str mark = arena_fmt(arena, "%s %.*s", name, STR_ARG(url));
    enum err err = meta_get(s->config->db, mark, arena, &value, fail);
    if (!err && value.n > 0)
        headers[(*count)++] = arena_fmt(arena, "%s: %.*s", header, STR_ARG(value));
    return err == ERR_NOT_FOUND ? OK : err;
}

/* Returns a value that can be stored and sent back unchanged; otherwise the empty text. */
static struct str plain(struct str value)
{
    for (size_t i = 0; i < value.n; i++)
        if (value.p[i] < ' ' || value.p[i] > '~')
            return STR("");
    return str_is_null(value) || value.n > CONDITION_SIZE_MAX ? STR("") : value;
}

static enum err save_conditions(
    struct sync *s, struct str url, const struct fetch_answer *answer, struct arena *arena,
    struct fail *fail)
{
    struct db *db = s->config->db;
    struct str etag = arena_fmt(arena, "etag %.*s", STR_ARG(url));
    struct str modified = arena_fmt(arena, "last-modified %.*s", STR_ARG(url));
    TRY(db_begin(db, fail));
    enum err err = meta_set(db, etag, plain(answer->etag), fail);
    if (!err)
        err = meta_set(db, modified, plain(answer->last_modified), fail);
    return db_end(db, err, fail);
}

/* Reports whether the ledger has these bytes as an index rather than a refused file. */
static enum err is_index(
    struct sync *s, struct str bytes, struct arena *arena, bool *ret, struct fail *fail)
{
    struct document_entry entry;
    uint8_t digest[SHA256_SIZE];
    sha256(bytes, digest);
    enum err err = document_find_bytes(s->config->db, digest, arena, &entry, fail);
    *ret = !err && str_eq(entry.kind, STR("house-index"));
    return err == ERR_NOT_FOUND ? OK : err;
}

/* Saves the conditions only once the index is in the ledger, so that an interrupted run fetches the
 * complete index again. */
static enum err take_index(
    struct sync *s, int year, struct str url, const struct fetch_answer *answer,
    struct arena *arena, struct fail *fail)
{
    struct str name = arena_fmt(arena, "%dFD.zip", year);
    bool indexed = false;
    if (paper_sniff(answer->body) != PAPER_ZIP)
        return sync_wall(s, fail, "sent something other than a zip for %.*s", STR_ARG(url));
    TRY(ingest_bytes(s->config->ingest, name, answer->body, s->config->now_ms(), fail));
    TRY(is_index(s, answer->body, arena, &indexed, fail));
    if (!indexed)
        return sync_wall(s, fail, "sent a zip without an index for %.*s", STR_ARG(url));
    s->tally->indexes++;
    return save_conditions(s, url, answer, arena, fail);
}

static enum err get_index(
    struct sync *s, int year, struct arena *arena, bool *ret_found, struct fail *fail)
{
    struct fetch_answer answer;
    struct str headers[2];
    size_t count = 0;
    enum sync_outcome outcome = SYNC_FETCHED;
    struct str url =
        arena_fmt(arena, "%.*s/public_disc/financial-pdfs/%dFD.zip", STR_ARG(s->base), year);
    enum err err = load_condition(s, url, "etag", "If-None-Match", arena, headers, &count, fail);
    if (!err)
        err = load_condition(
            s, url, "last-modified", "If-Modified-Since", arena, headers, &count, fail);
    if (!err)
        err = get_within(s, url, headers, count, arena, &answer, fail);
    if (err)
        return err;
    *ret_found = answer.status == 304;
    if (answer.status == 304)
        return OK;
    if (answer.status != 200) {
        err = sync_no_document(s, url, &answer, &outcome, fail);
        return !err && outcome == SYNC_FAILED ? fail->err : err;
    }
    *ret_found = true;
    return take_index(s, year, url, &answer, arena, fail);
}

static enum err get_indexes(struct sync *s, int first, int last, struct fail *fail)
{
    ARENA_SCOPED(arena);
    bool found = false;
    for (int year = first; year <= last; year++) {
        bool is_there = false;
        TRY(get_index(s, year, &arena, &is_there, fail));
        found = found || is_there;
    }
    if (!found)
        return fail_set(fail, ERR_NOT_FOUND, "%.*s has no index of %d", STR_ARG(s->site), last);
    return OK;
}

/* --- reports */

static enum err take_document(
    struct sync *s, const struct document_entry *entry, struct str body, struct arena *arena,
    enum sync_outcome *ret, struct fail *fail)
{
    struct ingest *in = s->config->ingest;
    struct str name = arena_fmt(arena, "%.*s.pdf", STR_ARG(entry->source_id));
    if (paper_sniff(body) == PAPER_HTML)
        return sync_wall(s, fail, "sent an HTML page instead of %.*s", STR_ARG(name));
    if (paper_sniff(body) != PAPER_PDF) {
        *ret = SYNC_FAILED;
        (void)fail_set(fail, ERR_UNAVAILABLE, "the site's %.*s is not a PDF", STR_ARG(name));
        return OK;
    }
    *ret = SYNC_FETCHED;
    int64_t now_ms = s->config->now_ms();
    TRY(ingest_bytes(in, name, body, now_ms, fail));
    return ingest_refuse(
        in, entry->kind, entry->source_id,
        STR("the site's PDF for this id is not a report, or is a different report"), now_ms, fail);
}

/* The URL contains the year of the index's row, which may differ from the year of the date. A
 * document whose id is not a number has no URL. */
static enum err get_document(
    struct sync *s, const struct document_entry *entry, struct arena *arena, enum sync_outcome *ret,
    struct fail *fail)
{
    struct fetch_answer answer;
    struct str url = arena_fmt(
        arena, "%.*s/public_disc/ptr-pdfs/%d/%.*s.pdf", STR_ARG(s->base), entry->year,
        STR_ARG(entry->source_id));
    *ret = SYNC_MISSING;
    if (!str_eq(paper_id_house(entry->source_id), entry->source_id))
        return OK;
    enum err err = get_within(s, url, NULL, 0, arena, &answer, fail);
    if (err)
        return sync_failed(err, ret);
    if (answer.status != 200)
        return sync_no_document(s, url, &answer, ret, fail);
    return take_document(s, entry, answer.body, arena, ret, fail);
}

enum err sync_house(const struct sync_config *config, struct sync_tally *tally, struct fail *fail)
{
    SCOPED(sync_finish) struct sync s;
    int first, last;
    enum err err = sync_init(&s, config, tally, STR("https://disclosures-clerk.house.gov"), fail);
    s.site = STR("the Clerk's site");
    s.by_hand = STR("https://disclosures-clerk.house.gov/FinancialDisclosure");
    sync_years(&s, &first, &last);
    if (!err)
        err = get_indexes(&s, first, last, fail);
    if (!err)
        err = sync_documents(&s, CHAMBER_HOUSE, first, last, get_document, fail);
    return err;
}
