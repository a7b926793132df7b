/* Shared by both syncs: paced requests, walls, and the loop over awaited documents; see sync.h and
 * sync_parts.h. */
#include "sync/sync.h"

#include <stdio.h>
#include <time.h>

#include "base/clock.h"
#include "sync/sync_parts.h"

/* Waiting between requests. */

static void wait_ms(int64_t ms)
{
    const struct timespec length = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&length, NULL);
}

void sync_pace_init(struct sync_pace *pace, int64_t every_ms)
{
    *pace = (struct sync_pace){
        .every_ms = every_ms,
        .free_at_ms = INT64_MIN,
        .now_ms = clock_mono_ms,
        .wait_ms = wait_ms,
    };
}

void sync_pace_wait(struct sync_pace *pace)
{
    for (int64_t now; (now = pace->now_ms()) < pace->free_at_ms;)
        pace->wait_ms(pace->free_at_ms - now);
}

void sync_pace_done(struct sync_pace *pace)
{
    pace->free_at_ms = pace->now_ms() + pace->every_ms;
}

enum { REASON_SIZE_MAX = 240 };

enum err sync_init(
    struct sync *s, const struct sync_config *config, struct sync_tally *tally, struct str official,
    struct fail *fail)
{
    const struct client_config client = {
        .plain_http = config->plain_http,
        .cookies = true,
        .proxy = str_is_null(config->proxy) ? STR("") : config->proxy,
        .user_agent = config->user_agent,
        .connections_max = 1,
        .connect_time_max_ms = SYNC_CONNECT_TIME_MAX_MS,
        .body_max = SYNC_ANSWER_SIZE_MAX,
    };
    *s = (struct sync){
        .config = config,
        .tally = tally,
        .base = str_is_null(config->base_url) ? official : config->base_url,
    };
    *tally = (struct sync_tally){0};
    sync_pace_init(&s->pace, config->pace_ms);
    return client_create(&client, &s->client, fail);
}

void sync_finish(struct sync *s)
{
    client_destroy(s->client);
}

void sync_years(const struct sync *s, int *ret_first, int *ret_last)
{
    *ret_last = day_year(instant_day_new_york(s->config->now_ms()));
    *ret_first = *ret_last - 1;
    if (s->config->year)
        *ret_first = *ret_last = s->config->year;
}

enum err sync_wall(const struct sync *s, struct fail *fail, const char *format, ...)
{
    char what[REASON_SIZE_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return fail_set(
        fail, ERR_REFUSED,
        "%.*s %s; sync sends no more requests now. Save the documents from %.*s into a folder by "
        "hand and run `stockact ingest FOLDER`",
        STR_ARG(s->site), what, STR_ARG(s->by_hand));
}

/* --- requests */

static bool keeps_out(int status)
{
    return status == 401 || status == 403 || status == 429 || status == 451;
}

enum err sync_ask(
    struct sync *s, const struct client_request *request, struct arena *arena,
    struct fetch_answer *ret, struct fail *fail)
{
    sync_pace_wait(&s->pace);
    s->tally->requests++;
    enum err err = fetch(s->client, request, arena, ret, fail);
    sync_pace_done(&s->pace);
    if (!err && keeps_out(ret->status))
        err = sync_wall(s, fail, "refuses this machine (status %d)", ret->status);
    return err;
}

enum err sync_get(
    struct sync *s, struct str url, const struct str *headers, size_t header_count,
    struct arena *arena, struct fetch_answer *ret, struct fail *fail)
{
    const struct client_request request = {
        .target = url,
        .headers = headers,
        .header_count = header_count,
        .time_max_ms = SYNC_ANSWER_TIME_MAX_MS,
    };
    return sync_ask(s, &request, arena, ret, fail);
}

/* --- documents */

enum err sync_no_document(
    const struct sync *s, struct str url, const struct fetch_answer *answer, enum sync_outcome *ret,
    struct fail *fail)
{
    if (answer->status == 404 || answer->status == 410) {
        *ret = SYNC_MISSING;
        return OK;
    }
    if (answer->status >= 500) {
        *ret = SYNC_FAILED;
        (void)fail_set(fail, ERR_UNAVAILABLE, "%.*s: status %d", STR_ARG(url), answer->status);
        return OK;
    }
    if (!str_is_null(answer->redirect))
        return sync_wall(s, fail, "redirects to %.*s", STR_ARG(answer->redirect));
    return sync_wall(s, fail, "answers with status %d to %.*s", answer->status, STR_ARG(url));
}

enum err sync_failed(enum err err, enum sync_outcome *ret)
{
    *ret = SYNC_FAILED;
    return err == ERR_UNAVAILABLE || err == ERR_TIMEOUT || err == ERR_LIMIT ? OK : err;
}

/* Counts the outcome, and reports a document that was not fetched. */
static void note_outcome(
    struct sync *s, const struct document_entry *entry, enum sync_outcome outcome,
    struct arena *arena, const struct fail *fail)
{
    s->tally->documents += outcome == SYNC_FETCHED;
    s->tally->missing += outcome == SYNC_MISSING;
    s->tally->failed += outcome == SYNC_FAILED;
    const struct ingest_line line = {
        .document = entry->source_id,
        .status = INGEST_AWAITING_DOCUMENT,
        .filing_id = arena_fmt(arena, "%.*s-%.*s", STR_ARG(entry->kind), STR_ARG(entry->source_id)),
        .reason = outcome == SYNC_MISSING ? STR("the site does not have the document")
                                          : str_from(fail->text),
    };
    if (outcome != SYNC_FETCHED)
        ingest_emit_line(s->config->ingest, &line);
}

static enum err get_all(
    struct sync *s, const struct document_entry *entries, size_t count, sync_document_fn *get,
    struct fail *fail)
{
    ARENA_SCOPED(arena);
    enum err err = OK;
    int in_a_row = 0;
    progress_tell(&s->config->progress, 0, (int64_t)count);
    for (size_t i = 0; i < count && !err && in_a_row < SYNC_FAILED_IN_A_ROW; i++) {
        enum sync_outcome outcome = SYNC_FAILED;
        arena_reset(&arena);
        err = get(s, &entries[i], &arena, &outcome, fail);
        if (!err)
            note_outcome(s, &entries[i], outcome, &arena, fail);
        progress_tell(&s->config->progress, (int64_t)i + 1, (int64_t)count);
        in_a_row = outcome == SYNC_FAILED ? in_a_row + 1 : 0;
    }
    if (err || s->tally->failed == 0)
        return err;
    return fail_set(
        fail, ERR_UNAVAILABLE,
        in_a_row < SYNC_FAILED_IN_A_ROW
            ? "%lld documents could not be fetched; run the same command again"
            : "%lld documents could not be fetched, so sync stopped; run the same command again",
        (long long)s->tally->failed);
}

enum err sync_documents(
    struct sync *s, enum chamber chamber, int first_year, int last_year, sync_document_fn *get,
    struct fail *fail)
{
    struct document_entry *entries;
    ARENA_SCOPED(arena);
    size_t count;
    TRY(document_awaiting(
        s->config->db, chamber, first_year, last_year, &arena, &entries, &count, fail));
    return get_all(s, entries, count, get, fail);
}
