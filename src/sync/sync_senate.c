/* The Senate's site: its search, then the pages that the ledger awaits, in one session
 * (sync_session.h). */
#include "paper/readers.h"
#include "sync/sync_search.h"
#include "sync/sync_session.h"

/* A page that is not the report does not make the ledger refuse the entry: the site may show a
 * notice in place of every page. */
static enum err take_page(
    struct sync *s, const struct document_entry *entry, struct str page, struct arena *arena,
    enum sync_outcome *ret, struct fail *fail)
{
    struct document_entry now;
    struct str name = arena_fmt(arena, "%.*s.html", STR_ARG(entry->source_id));
    if (paper_sniff(page) == PAPER_HTML)
        TRY(ingest_bytes(s->config->ingest, name, page, s->config->now_ms(), fail));
    TRY(document_find(s->config->db, entry->kind, entry->source_id, arena, &now, fail));
    *ret = now.state == DOCUMENT_AWAITING_DOCUMENT ? SYNC_FAILED : SYNC_FETCHED;
    if (*ret == SYNC_FAILED)
        (void)fail_set(
            fail, ERR_UNAVAILABLE, "the site's page for %.*s is not a report", STR_ARG(name));
    return OK;
}

static enum err get_page(
    struct sync *s, const struct document_entry *entry, struct arena *arena, enum sync_outcome *ret,
    struct fail *fail)
{
    bool paper = str_find(entry->url, STR("/view/paper/")) >= 0;
    const struct session_question question = {
        .path = arena_fmt(
            arena, "/search/view/%s/%.*s/", paper ? "paper" : "ptr", STR_ARG(entry->source_id)),
    };
    struct fetch_answer answer;
    enum err err = session_ask(s, &question, arena, &answer, fail);
    if (err)
        return sync_failed(err, ret);
    if (answer.status != 200)
        return sync_no_document(s, question.path, &answer, ret, fail);
    return take_page(s, entry, answer.body, arena, ret, fail);
}

enum err sync_senate(const struct sync_config *config, struct sync_tally *tally, struct fail *fail)
{
    SCOPED(sync_finish) struct sync s;
    int first, last;
    enum err err = sync_init(&s, config, tally, STR("https://efdsearch.senate.gov"), fail);
    s.site = STR("the Senate's site");
    s.by_hand = STR("https://efdsearch.senate.gov/search/");
    sync_years(&s, &first, &last);
    if (!err)
        err = sync_search(&s, first, last, fail);
    if (!err)
        err = sync_documents(&s, CHAMBER_SENATE, first, last, get_page, fail);
    return err;
}
