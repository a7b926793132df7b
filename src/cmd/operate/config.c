/* `stockact config check`: whether what the settings name is there, and fits. */
#include <string.h>
#include <unistd.h>

#include "base/hidden.h"
#include "cmd/operate/config_checks.h"
#include "cmd/operate/database_place.h"
#include "cmd/operate/store_access.h"
#include "cmd/term/layout.h"
#include "http/listener.h"
#include "mail/mail.h"
#include "serve/master_key.h"
#include "store/row/node.h"

struct checking {
    struct cmd *cmd;
    const struct settings *settings;
    struct arena arena;
    config_said *said;
    void *ctx;
    size_t failed;
    char owner[FILE_OWNER_SIZE]; /* the user who must run the server; "": this one may */
};

static void put_line(struct out *out, const char *what, enum out_mood mood, struct str text)
{
    static const char *const results[] = {
        [OUT_PLAIN] = "off", [OUT_GOOD] = "ok", [OUT_DOUBTFUL] = "doubt", [OUT_BAD] = "failed"};
    out_begin(out, OUT_TABLE);
    out_str(out, "check", str_from(what));
    out_state(out, "result", str_from(results[mood]), mood);
    out_str(out, "text", text);
    out_end(out);
}

static void say(struct checking *c, const char *what, enum out_mood mood, struct str text)
{
    c->failed += mood == OUT_BAD;
    c->said(c->ctx, what, mood, text);
}

static void check_database(struct checking *c)
{
    DB_SCOPED(db);
    struct fail fail = {0};
    if (!database_place_is_others(c->settings, true, c->owner))
        c->owner[0] = '\0';
    enum err err = store_access_open(c->cmd, STORE_READ, &db, &fail);
    if (!err)
        err = database_place_check(c->settings, true, &fail);
    say(c, "database",
        !err                   ? OUT_GOOD
        : err == ERR_NOT_FOUND ? OUT_DOUBTFUL
                               : OUT_BAD,
        err ? arena_str(&c->arena, str_from(fail.text))
            : database_place_name(c->settings, &c->arena));
}

/* A file that must be there if its setting is set. */
static void check_file(struct checking *c, const char *what, struct str path)
{
    if (str_is_null(path))
        return;
    struct str name = arena_str(&c->arena, path);
    bool readable = access(name.p, R_OK) == 0;
    say(c, what, readable ? OUT_GOOD : OUT_BAD,
        readable ? name : arena_fmt(&c->arena, "cannot read \"%s\": %m", name.p));
}

/* How the key fits; a database that cannot be read needs none yet, or check_database says so. */
static void compare_key(struct checking *c, struct str path)
{
    enum master_key_fit fit = MASTER_KEY_NOT_NEEDED;
    struct key_mark needed = {{0}};
    struct str beside = STR_NULL;
    struct fail fail = {0};
    struct db *db = NULL;
    enum err err = store_access_open(c->cmd, STORE_READ, &db, NULL);
    bool known = !err;
    if (known)
        err = master_key_compare(path, db, &fit, &needed, &fail);
    if (known && !err)
        err = master_key_beside(path, db, &c->arena, &beside, &fail);
    db_close(db);
    if (known && err)
        say(c, "master key", OUT_BAD, arena_str(&c->arena, str_from(fail.text)));
    else if (known && fit != MASTER_KEY_FITS && !str_is_null(beside))
        say(c, "master key", OUT_BAD,
            arena_fmt(
                &c->arena, "the database's key is in \"%s\": copy it to \"%s\"", beside.p, path.p));
    else if (known && fit == MASTER_KEY_DIFFERS)
        say(c, "master key", OUT_BAD,
            arena_fmt(&c->arena, "\"%s\" is the key of another database", path.p));
    else if (known && fit == MASTER_KEY_MISSING)
        say(c, "master key", OUT_BAD,
            arena_fmt(
                &c->arena, "\"%s\" does not exist, and the database needs it: copy it back",
                path.p));
    else if (access(path.p, F_OK) == 0)
        check_file(c, "master key", path);
    else if (known && fit == MASTER_KEY_FITS)
        say(c, "master key", OUT_GOOD,
            arena_fmt(&c->arena, "the start of the server renames \"%s.next\"", path.p));
    else
        say(c, "master key", OUT_GOOD,
            arena_fmt(&c->arena, "the first start of the server creates %s", path.p));
}

static void check_key(struct checking *c)
{
    struct str path = settings_secret_key_file(c->settings, &c->arena);
    if (str_is_null(path))
        say(c, "master key", OUT_BAD,
            STR("STOCKACT_SECRET_KEY_FILE is not set: PostgreSQL has no default"));
    else
        compare_key(c, path);
}

/* True if a server of this database has the address. */
static bool is_own(struct checking *c)
{
    DB_SCOPED(db);
    struct node_list nodes = {NULL, 0};
    bool own = false;
    if (!store_access_open(c->cmd, STORE_READ, &db, NULL) &&
        !node_list(db, 0, &c->arena, &nodes, NULL))
        for (size_t i = 0; i < nodes.count; i++)
            own |= nodes.items[i].running &&
                   node_label_is_here(nodes.items[i].label, c->settings->listen, &c->arena);
    return own;
}

static void check_port(struct checking *c)
{
    struct fail fail = {0};
    struct str listen = c->settings->listen;
    enum err err = listener_check(listen.p, &fail);
    if (!err)
        say(c, "port", OUT_GOOD, arena_fmt(&c->arena, "%.*s is free", STR_ARG(listen)));
    else if (err == ERR_BUSY && is_own(c))
        say(c, "port", OUT_GOOD,
            arena_fmt(&c->arena, "the running server has %.*s", STR_ARG(listen)));
    else
        say(c, "port", OUT_BAD, arena_str(&c->arena, str_from(fail.text)));
}

static void check_mail(struct checking *c)
{
    const struct settings *s = c->settings;
    struct mail_server server;
    struct fail fail = {0};
    if (str_is_null(s->smtp_url)) {
        if (s->signup == SIGNUP_OPEN)
            say(c, "mail", OUT_BAD,
                STR("STOCKACT_SIGNUP is open and STOCKACT_SMTP_URL is not set: no address can be "
                    "confirmed"));
        else
            say(c, "mail", OUT_PLAIN, STR("STOCKACT_SMTP_URL is not set: no e-mail is sent"));
    } else if (str_is_null(s->mail_from)) {
        say(c, "mail", OUT_BAD, STR("STOCKACT_MAIL_FROM is not set: e-mails need a sender"));
    } else if (mail_server_parse(s->smtp_url, &server, &fail)) {
        say(c, "mail", OUT_BAD, arena_str(&c->arena, str_from(fail.text)));
    } else {
        say(c, "mail", OUT_GOOD, s->mail_from);
    }
}

static void check_address(struct checking *c)
{
    const struct settings *s = c->settings;
    bool local = str_starts(s->listen, STR("unix:"));
    if (local && !s->trusted_proxies.unix_socket)
        say(c, "address", OUT_DOUBTFUL,
            STR("all callers without a key share one limit: add `unix` to STOCKACT_TRUSTED_PROXIES "
                "if a proxy sets X-Forwarded-For"));
    else if (local && str_is_null(s->base_url))
        say(c, "address", OUT_DOUBTFUL, STR("STOCKACT_BASE_URL is not set: links say localhost"));
    else
        say(c, "address", OUT_GOOD, s->listen);
}

static void check_sync(struct checking *c)
{
    const struct settings *s = c->settings;
    if (s->sync_at == CLOCK_TIME_NONE)
        say(c, "daily fetch", OUT_PLAIN, STR("STOCKACT_SYNC_AT is off"));
    else if (str_is_null(s->sync_contact))
        say(c, "daily fetch", OUT_DOUBTFUL,
            STR("STOCKACT_SYNC_CONTACT is not set: the official sites get no contact address"));
    else
        say(c, "daily fetch", OUT_GOOD, s->sync_contact);
}

static void say_misspelt(void *ctx, const char *text)
{
    struct checking *c = ctx;
    say(c, "environment", OUT_DOUBTFUL, arena_str(&c->arena, str_from(text)));
}

static enum err result(const struct checking *c, struct fail *fail)
{
    if (*c->owner && (c->failed == 1 || geteuid() != 0))
        return fail_set(
            fail, ERR_REFUSED,
            "the server works as the user %s, not as this one: run `sudo -u %s stockact config "
            "check`",
            c->owner, c->owner);
    return c->failed
               ? fail_set(
                     fail, ERR_REFUSED,
                     "%zu of the checks failed: the server would not work with these settings",
                     c->failed)
               : OK;
}

static void check_settings(struct checking *c)
{
    say(c, "settings", OUT_GOOD,
        str_is_null(c->settings->file) ? STR("every value is valid; no settings file is read")
                                       : c->settings->file);
    settings_each_misspelt(say_misspelt, c);
}

static void check_authorities(struct checking *c)
{
    check_file(c, "CA for Redis", c->settings->redis_ca_file);
    check_file(c, "CA for webhooks", c->settings->webhook_ca_file);
}

static const struct {
    void (*run)(struct checking *c);
    bool for_doctor; /* `stockact doctor` looks closer at the others */
} checks[] = {
    {check_settings, true}, {check_database, false}, {check_key, true},  {check_address, true},
    {check_port, false},    {check_mail, false},     {check_sync, true}, {check_authorities, false},
};

static void run(struct checking *c, bool for_doctor)
{
    arena_init(&c->arena);
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        if (checks[i].for_doctor || !for_doctor)
            checks[i].run(c);
    arena_finish(&c->arena);
}

static void put_said(void *ctx, const char *what, enum out_mood mood, struct str text)
{
    put_line(ctx, what, mood, text);
}

enum err cmd_config_check(struct cmd *cmd, struct fail *fail)
{
    struct checking c = {.cmd = cmd, .settings = cmd->settings, .said = put_said, .ctx = cmd->out};
    run(&c, false);
    out_flush(cmd->out);
    return result(&c, fail);
}

void config_checks_for_doctor(struct cmd *cmd, config_said *said, void *ctx)
{
    struct checking c = {.cmd = cmd, .settings = cmd->settings, .said = said, .ctx = ctx};
    run(&c, true);
}

/* --- settings that are not valid */

struct refused {
    struct out *out;
    size_t count;
};

static void say_refused(void *ctx, const char *reason)
{
    struct refused *refused = ctx;
    refused->count++;
    put_line(refused->out, "settings", OUT_BAD, str_from(reason));
}

size_t config_list_refused(struct out *out, const struct options *options)
{
    struct refused refused = {.out = out};
    settings_each_refused(options, say_refused, &refused);
    return refused.count;
}

/* --- `stockact config show`: every setting, and where its value comes from */

static const char *const sources[] = {
    [SETTINGS_FROM_NOWHERE] = "not set", [SETTINGS_FROM_DEFAULT] = "default",
    [SETTINGS_FROM_FILE] = "file",       [SETTINGS_FROM_ENVIRONMENT] = "environment",
    [SETTINGS_FROM_FLAG] = "option",
};

/* A URL without its user and password. One with a password among its parameters is left out. */
static struct str shown(struct arena *arena, const struct settings_value *setting)
{
    struct str value = setting->text;
    ptrdiff_t scheme = str_find(value, STR("://"));
    if (setting->secret && !str_is_null(value))
        return STR("(not shown: it is a secret)");
    if (scheme < 0)
        return value;
    if (str_find(value, STR("password=")) >= 0)
        return STR("(not shown: it contains a password)");
    size_t from = (size_t)scheme + strlen("://"), at = value.n;
    while (at > from && value.p[at - 1] != '@')
        at--;
    if (at == from)
        return value;
    return arena_fmt(arena, "%.*s***@%.*s", (int)from, value.p, (int)(value.n - at), value.p + at);
}

static struct str place_of(
    const struct settings *settings, const struct settings_value *value, struct arena *arena)
{
    if (value->source == SETTINGS_FROM_ENVIRONMENT)
        return str_from(value->environment);
    if (value->source == SETTINGS_FROM_FLAG)
        return arena_fmt(arena, "--%s", value->flag);
    return value->source == SETTINGS_FROM_FILE ? settings->file : str_from(sources[value->source]);
}

/* Settings of the tests are shown if they are set. */
static bool is_shown(const struct settings_value *value)
{
    return !value->for_tests || value->source > SETTINGS_FROM_DEFAULT;
}

/* --- on a terminal: one part for each source, the settings that are not set as words */

enum { PAGE_MAX = 1 << 18, MARGIN = 2, GAP = 2 };

struct config_page {
    const struct settings *settings;
    const struct terminal *terminal;
    struct arena *arena;
    struct buf to;
    size_t name_columns; /* of the longest name that has a value */
};

static struct str title_of(const struct config_page *p, enum settings_source source)
{
    static const char *const titles[] = {
        [SETTINGS_FROM_FLAG] = "From options",
        [SETTINGS_FROM_ENVIRONMENT] = "From the environment",
        [SETTINGS_FROM_DEFAULT] = "Defaults",
        [SETTINGS_FROM_NOWHERE] = "Not set",
    };
    return source == SETTINGS_FROM_FILE
               ? arena_fmt(p->arena, "From %.*s", STR_ARG(p->settings->file))
               : str_from(titles[source]);
}

static void put_value(struct config_page *p, const struct settings_value *value)
{
    struct str name = str_from(value->environment);
    BUF_SCOPED(text, PAGE_MAX);
    hidden_show(&text, shown(p->arena, value));
    layout_spaces(&p->to, MARGIN);
    terminal_paint(p->terminal, &p->to, PAINT_FAINT, name);
    layout_wrap(
        &p->to, buf_view(&text), MARGIN + name.n, MARGIN + p->name_columns + GAP,
        (size_t)p->terminal->columns);
}

static void put_names(struct config_page *p)
{
    BUF_SCOPED(names, PAGE_MAX);
    for (size_t i = 0; i < p->settings->value_count; i++) {
        const struct settings_value *value = &p->settings->values[i];
        if (is_shown(value) && value->source == SETTINGS_FROM_NOWHERE)
            buf_fmt(&names, "%s%s", names.n ? " " : "", value->environment);
    }
    layout_wrap(&p->to, buf_view(&names), 0, MARGIN, (size_t)p->terminal->columns);
}

static void put_part(struct config_page *p, enum settings_source source)
{
    bool begun = false;
    for (size_t i = 0; i < p->settings->value_count; i++) {
        const struct settings_value *value = &p->settings->values[i];
        if (!is_shown(value) || value->source != source)
            continue;
        if (!begun) {
            if (p->to.n)
                buf_char(&p->to, '\n');
            terminal_paint(p->terminal, &p->to, PAINT_STRONG, title_of(p, source));
            buf_char(&p->to, '\n');
            begun = true;
        }
        if (source != SETTINGS_FROM_NOWHERE)
            put_value(p, value);
    }
    if (begun && source == SETTINGS_FROM_NOWHERE)
        put_names(p);
}

static void print_page(struct out *out, const struct settings *settings, struct arena *arena)
{
    struct config_page p = {.settings = settings, .terminal = &out->terminal, .arena = arena};
    buf_init(&p.to, PAGE_MAX);
    for (size_t i = 0; i < settings->value_count; i++) {
        const struct settings_value *value = &settings->values[i];
        size_t n = strlen(value->environment);
        if (is_shown(value) && value->source != SETTINGS_FROM_NOWHERE && n > p.name_columns)
            p.name_columns = n;
    }
    for (int source = SETTINGS_FROM_FLAG; source >= SETTINGS_FROM_NOWHERE; source--)
        put_part(&p, (enum settings_source)source);
    if (str_is_null(settings->file))
        buf_char(&p.to, '\n'); /* before the line that says so */
    out_page(out, &p.to);
    buf_finish(&p.to);
}

/* --- in a pipe */

static void print_table(struct out *out, const struct settings *settings, struct arena *arena)
{
    for (size_t i = 0; i < settings->value_count; i++) {
        const struct settings_value *value = &settings->values[i];
        if (!is_shown(value))
            continue;
        out_begin(out, OUT_TABLE);
        out_str(out, "setting", str_from(value->environment));
        out_str(out, "value", shown(arena, value));
        out_str(out, "from", place_of(settings, value, arena));
        out_end(out);
    }
}

enum err cmd_config_show(struct cmd *cmd, struct fail *fail)
{
    ARENA_SCOPED(arena);
    (out_is_page(cmd->out) ? print_page : print_table)(cmd->out, cmd->settings, &arena);
    if (str_is_null(cmd->settings->file))
        out_line(cmd->out, "No settings file is read: name one with --config.");
    return OK;
}
