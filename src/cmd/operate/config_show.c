/* `stockact config show`: every setting, and where its value comes from. */
#include <string.h>

#include "base/hidden.h"
#include "cmd/operate/store_access.h"
#include "cmd/term/layout.h"

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
