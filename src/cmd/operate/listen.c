/* `stockact listen`: forwards events to a receiver on this machine, for developers
 * (listen/listen.h). It needs no database: it calls a server's API with a key from the environment
 * or a file. */
#include "base/build.h"
#include "listen/listen.h"

#include "base/clock.h"
#include "cmd/operate/developer.h"

enum { LAST_MAX = 100 };

/* --- where the parts of the configuration come from */

static enum err get_key(
    const struct cmd *cmd, struct arena *arena, struct listen_config *config, struct fail *fail)
{
    if (options_given(cmd->options, "key-file"))
        TRY(developer_read_line(
            options_value(cmd->options, "key-file"), arena, &config->api_key, fail));
    else
        config->api_key = developer_variable("SVC_API_KEY", STR_NULL);
    if (str_is_null(config->api_key))
        return fail_set(
            fail, ERR_INVALID, "there is no API key: set SVC_API_KEY, or use --key-file FILE");
    for (size_t i = 0; i < config->api_key.n; i++)
        if (config->api_key.p[i] <= ' ' || config->api_key.p[i] > '~')
            return fail_set(
                fail, ERR_INVALID, "the API key has an invalid character at position %zu", i + 1);
    return OK;
}

static enum err get_url(const struct cmd *cmd, struct listen_config *config, struct fail *fail)
{
    struct str base;
    config->api_url = options_given(cmd->options, "url")
                          ? options_value(cmd->options, "url")
                          : developer_variable("SVC_API_URL", STR("http://127.0.0.1:8080"));
    config->ca_file = developer_variable("SSL_CERT_FILE", STR_NULL);
    for (base = config->api_url; str_ends(base, STR("/")); base.n--)
        continue;
    if (str_ends(base, STR("/api/v1")))
        return fail_set(
            fail, ERR_INVALID, "\"%.*s\" must not end with /api/v1", STR_ARG(config->api_url));
    return OK;
}

static enum err get_receiver(
    const struct cmd *cmd, struct arena *arena, struct listen_config *config, struct fail *fail)
{
    struct str to = options_value(cmd->options, "to");
    bool print_only = options_given(cmd->options, "print-only");
    if (str_is_null(to) != print_only)
        return fail_set(fail, ERR_INVALID, "use --to URL or --print-only, one of them");
    if (!print_only)
        config->to = developer_url(to, arena);
    return OK;
}

static enum err get_secret(
    const struct cmd *cmd, struct arena *arena, struct secret *derived,
    struct listen_config *config, struct fail *fail)
{
    config->show_secret = !options_given(cmd->options, "secret-file") && !str_is_null(config->to);
    return developer_secret(cmd->options, config->api_key, arena, derived, &config->secret, fail);
}

static enum err get_start(const struct cmd *cmd, struct listen_config *config, struct fail *fail)
{
    struct str last = options_value(cmd->options, "last");
    config->cursor = options_value(cmd->options, "cursor");
    if (str_is_null(last))
        return OK;
    if (!str_is_null(config->cursor))
        return fail_set(fail, ERR_INVALID, "use --last or --cursor, not both");
    if (!str_to_i64(last, &config->last) || config->last < 0 || config->last > LAST_MAX)
        return fail_set(fail, ERR_INVALID, "--last is a number from 0 to %d", LAST_MAX);
    return OK;
}

static enum err configure(
    struct cmd *cmd, struct arena *arena, struct secret *derived, struct listen_config *config,
    struct fail *fail)
{
    TRY(get_receiver(cmd, arena, config, fail));
    TRY(get_url(cmd, config, fail));
    TRY(get_start(cmd, config, fail));
    TRY(get_key(cmd, arena, config, fail));
    return get_secret(cmd, arena, derived, config, fail);
}

/* --- the terminal */

static void paint(const void *ctx, struct buf *to, enum listen_tone tone, struct str text)
{
    static const enum paint paints[] = {
        [LISTEN_FAINT] = PAINT_FAINT, [LISTEN_GOOD] = PAINT_GOOD, [LISTEN_BAD] = PAINT_BAD};
    terminal_paint(ctx, to, paints[tone], text);
}

enum err cmd_listen(struct cmd *cmd, struct fail *fail)
{
    ARENA_SCOPED(arena);
    SCOPED(secret_finish) struct secret derived = {{0}};
    struct listen_look look = {paint, &cmd->out->terminal};
    struct listen_config config = {
        .events = options_value(cmd->options, "events"),
        .json = options_given(cmd->options, "json"),
        .look = out_is_page(cmd->out) ? &look : NULL,
        .user_agent = build.agent,
        .wall_ms = clock_wall_ms,
    };
    TRY(configure(cmd, &arena, &derived, &config, fail));
    return listen_run(&config, &cmd->error_code, fail);
}
