/* `stockact sync house` and `stockact sync senate`: fetch new documents from the official sites. */
#include "sync/sync.h"

#include "base/clock.h"
#include "cmd/ingest_parts.h"
#include "cmd/session.h"
#include "config/values.h"

typedef enum err sync_fn(const struct sync_config *config, struct sync_tally *tally, struct fail *);

/* The User-Agent header: program, version and the operator's contact address. */
static struct str user_agent(struct arena *arena, struct str contact)
{
    if (str_is_null(contact))
        return STR("stockact/" STOCKACT_VERSION);
    return arena_fmt(arena, "stockact/" STOCKACT_VERSION " (%.*s)", STR_ARG(contact));
}

/* A shorter pace and plain HTTP are allowed only for a test server on loopback. */
static enum err read_config(
    struct cmd *cmd, struct arena *arena, struct sync_config *config, struct fail *fail)
{
    const struct settings *settings = cmd->settings;
    int64_t year = 0;
    str_to_i64(options_value(cmd->options, "year"), &year);
    *config = (struct sync_config){
        .user_agent = user_agent(arena, settings->sync_contact),
        .proxy = settings->sync_proxy,
        .pace_ms = SYNC_PACE_MS,
        .year = (int)year,
        .now_ms = clock_wall_ms,
    };
    value_base_url(options_value(cmd->options, "base-url"), &config->base_url);
    config->plain_http = value_is_loopback_url(config->base_url);
    if (settings->sync_pace_ms == SYNC_PACE_NONE)
        return OK;
    config->pace_ms = settings->sync_pace_ms;
    if (!config->plain_http)
        return fail_set(
            fail, ERR_REFUSED,
            "STOCKACT_SYNC_PACE_MS is for tests only: it needs --base-url with a loopback host");
    return OK;
}

static void show_tally(struct out *out, const char *site, const struct sync_tally *tally)
{
    if (out->json) {
        out_begin(out, OUT_BLOCK);
        out_str(out, "site", str_from(site));
        out_i64(out, "requests", tally->requests);
        out_i64(out, "indexes", tally->indexes);
        out_i64(out, "documents", tally->documents);
        out_i64(out, "missing", tally->missing);
        out_i64(out, "failed", tally->failed);
        out_end(out);
    }
    out_line(
        out, "%s: %lld documents fetched, %lld not found, %lld failed; %lld requests", site,
        (long long)tally->documents, (long long)tally->missing, (long long)tally->failed,
        (long long)tally->requests);
}

static enum err sync(
    struct cmd *cmd, struct sync_config *config, sync_fn *run, const char *site, struct fail *fail)
{
    struct sync_tally tally;
    enum err err = session_open(cmd, STORE_MIGRATE, &config->db, fail);
    if (!err)
        err = session_write(config->db, ingest_mark_real, NULL, fail);
    if (!err)
        err = ingest_open(
            config->db, "/proc/self/exe", ingest_show_line, cmd->out, &config->ingest, fail);
    if (!err) {
        err = run(config, &tally, fail);
        show_tally(cmd->out, site, &tally);
    }
    ingest_close(config->ingest);
    db_close(config->db);
    return err;
}

static enum err read_and_sync(struct cmd *cmd, sync_fn *run, const char *site, struct fail *fail)
{
    struct sync_config config;
    struct arena arena;
    arena_init(&arena);
    enum err err = read_config(cmd, &arena, &config, fail);
    if (!err)
        err = sync(cmd, &config, run, site, fail);
    arena_finish(&arena);
    return err;
}

enum err cmd_sync_house(struct cmd *cmd, struct fail *fail)
{
    return read_and_sync(cmd, sync_house, "house", fail);
}

enum err cmd_sync_senate(struct cmd *cmd, struct fail *fail)
{
    return read_and_sync(cmd, sync_senate, "senate", fail);
}
