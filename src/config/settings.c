/* How the values of settings are found and loaded; see settings.h. */
#include "config/settings.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/disk.h"
#include "config/file.h"
#include "config/settings_parts.h"
#include "config/values.h"
#include "names/likeness.h"

enum { CONFIG_SIZE_MAX = 1 << 20 };

static const struct settings_text config_text = {
    .flag = {.name = "config", .value = "FILE", .help = "settings file with `key = value` lines"}};

static bool takes(enum settings_scope scope, const struct setting *setting)
{
    bool sealed = scope == SETTINGS_WEBHOOKS || scope == SETTINGS_SNAPSHOT;
    return setting->scope == SETTINGS_ALL || scope == SETTINGS_SERVE ||
           (sealed && setting->scope == SETTINGS_SECRET) || scope == setting->scope;
}

void settings_know_flags(struct options *o, enum settings_scope scope)
{
    options_know_one(o, &config_text.flag);
    for (size_t i = 0; i < settings_count; i++)
        if (takes(scope, &settings_table[i]))
            options_know_one(o, &settings_table[i].text.flag);
}

void settings_each(enum settings_scope scope, settings_each_fn *fn, void *ctx)
{
    fn(ctx, &config_text);
    for (size_t i = 0; i < settings_count; i++)
        if (takes(scope, &settings_table[i]))
            fn(ctx, &settings_table[i].text);
}

/* The setting named by a key of the file. NULL: there is none. */
static const struct setting *find_by_key(struct str key)
{
    if (key.n > strlen(ENVIRONMENT_PREFIX) &&
        str_eq_nocase(str_slice(key, 0, strlen(ENVIRONMENT_PREFIX)), STR(ENVIRONMENT_PREFIX)))
        key = str_slice(key, strlen(ENVIRONMENT_PREFIX), key.n);
    for (size_t i = 0; i < settings_count; i++) {
        struct str name = str_from(settings_table[i].text.environment + strlen(ENVIRONMENT_PREFIX));
        if (str_eq_nocase(key, name))
            return &settings_table[i];
    }
    return NULL;
}

/* Writes the name in lower case, without the prefix of the variables. */
static struct str write_key(struct str name, char space[static LIKENESS_WORD_MAX])
{
    size_t prefix = strlen(ENVIRONMENT_PREFIX), n = 0;
    if (name.n > prefix && str_eq_nocase(str_slice(name, 0, prefix), STR(ENVIRONMENT_PREFIX)))
        name = str_slice(name, prefix, name.n);
    while (n < name.n && n < LIKENESS_WORD_MAX) {
        space[n] = ascii_lower(name.p[n]);
        n++;
    }
    return str_of(space, n);
}

/* The setting that a name was probably meant to be. NULL: it is like none. */
static const struct setting *find_like(struct str name)
{
    char typed_space[LIKENESS_WORD_MAX], space[LIKENESS_WORD_MAX];
    struct str typed = write_key(name, typed_space);
    const struct setting *like = NULL;
    int best = INT_MAX;
    for (size_t i = 0; i < settings_count; i++) {
        struct str known = write_key(str_from(settings_table[i].text.environment), space);
        int slips = likeness_slips(typed, known), edits = likeness_edits(typed, known, slips);
        if (edits < best && edits <= slips) {
            best = edits;
            like = &settings_table[i];
        }
    }
    return like;
}

static enum err fail_unknown(const char *path, int number, struct str key, struct fail *fail)
{
    char space[LIKENESS_WORD_MAX];
    const struct setting *like = find_like(key);
    struct str name = like ? write_key(str_from(like->text.environment), space) : STR("");
    return fail_set(
        fail, ERR_INVALID, "%s:%d: unknown setting \"%.*s\"%s%.*s%s", path, number, STR_ARG(key),
        like ? " (did you mean \"" : "", STR_ARG(name), like ? "\"?)" : "");
}

/* The messages about values that are not valid. */
struct refusals {
    settings_refused_fn *fn; /* NULL: loading ends with the first */
    void *ctx;
};

/* True: loading goes on, because the reason was told. */
static bool is_told(const struct refusals *refusals, enum err err, const struct fail *fail)
{
    if (err != ERR_INVALID || !refusals->fn)
        return false;
    refusals->fn(refusals->ctx, fail->text);
    return true;
}

/* Sets one of values[], which are indexed like the table. A key that is set twice is an error. */
static enum err parse_line(
    const char *path, int number, struct str line, struct str *values, struct fail *fail)
{
    ptrdiff_t equals = str_find_char(line, '=');
    if (equals <= 0)
        return fail_set(fail, ERR_INVALID, "%s:%d: expected key = value", path, number);
    struct str key = str_trim(str_slice(line, 0, (size_t)equals));
    const struct setting *setting = find_by_key(key);
    if (!setting)
        return fail_unknown(path, number, key, fail);
    struct str *value = &values[setting - settings_table];
    if (!str_is_null(*value))
        return fail_set(
            fail, ERR_INVALID, "%s:%d: \"%.*s\" is set twice", path, number, STR_ARG(key));
    *value = str_trim(str_slice(line, (size_t)equals + 1, line.n));
    return OK;
}

static enum err parse_config(
    const char *path, struct str text, struct str *values, const struct refusals *refusals,
    struct fail *fail)
{
    struct str line;
    enum err err = OK;
    for (int number = 1; !err && str_split(&text, '\n', &line); number++) {
        line = str_trim(line);
        if (line.n == 0 || line.p[0] == '#')
            continue;
        err = parse_line(path, number, line, values, fail);
        if (is_told(refusals, err, fail))
            err = OK;
    }
    return err;
}

/* Reasons end in logs, and a URL can have a password before its '@'. Do not quote such a value. */
static enum err refuse_value(
    const struct setting *setting, bool is_flag, bool is_variable, struct str file, struct str text,
    struct fail *fail)
{
    const char *dashes = is_flag ? "--" : "";
    const char *name = is_flag ? setting->text.flag.name : setting->text.environment;
    bool from_file = !is_flag && !is_variable;
    const char *in = from_file ? " in " : "";
    struct str place = from_file ? file : STR("");
    const char *comma = setting->text.more ? ", " : "";
    const char *more = setting->text.more ? setting->text.more : "";
    if (setting->text.secret || str_find_char(text, '@') >= 0)
        return fail_set(
            fail, ERR_INVALID,
            "invalid value for %s%s%s%.*s: expected %s%s%s (the value is not printed: it may "
            "contain a password)",
            dashes, name, in, STR_ARG(place), setting->text.flag.value, comma, more);
    return fail_set(
        fail, ERR_INVALID, "invalid value \"%.*s\" for %s%s%s%.*s: expected %s%s%s", STR_ARG(text),
        dashes, name, in, STR_ARG(place), setting->text.flag.value, comma, more);
}

/* Sets one field from the first source that has a value. */
static enum err load_one(
    struct settings *s, const struct setting *setting, const struct options *o,
    struct str from_file, struct fail *fail)
{
    struct str environment = str_from(getenv(setting->text.environment));
    struct str flag = setting->scope == SETTINGS_ALL || options_knows(o, setting->text.flag.name)
                          ? options_value(o, setting->text.flag.name)
                          : STR_NULL;
    struct str text = flag.n          ? flag
                      : environment.n ? environment
                      : from_file.n   ? from_file
                                      : str_from(setting->text.fallback);
    s->values[setting - settings_table] = (struct settings_value){
        .environment = setting->text.environment,
        .flag = setting->text.flag.name,
        .text = text.n ? text : STR_NULL,
        .source = flag.n          ? SETTINGS_FROM_FLAG
                  : environment.n ? SETTINGS_FROM_ENVIRONMENT
                  : from_file.n   ? SETTINGS_FROM_FILE
                  : text.n        ? SETTINGS_FROM_DEFAULT
                                  : SETTINGS_FROM_NOWHERE,
        .secret = setting->text.secret,
        .for_tests = setting->text.for_tests,
    };
    if (text.n == 0)
        return OK;
    if (setting->parse(setting, text, (char *)s + setting->offset))
        return OK;
    return refuse_value(setting, flag.n, environment.n, s->file, text, fail);
}

/* The settings file that is read: that of --config, or the one that the build names if it exists.
 * NULL: none. */
static const char *config_file(const struct options *o)
{
    struct str given = options_value(o, config_text.flag.name);
    if (given.n)
        return given.p;
    return default_file() && access(default_file(), F_OK) == 0 ? default_file() : NULL;
}

static enum err read_config(const char *path, struct buf *file, struct fail *fail)
{
    char owner[FILE_OWNER_SIZE];
    if (access(path, R_OK) != 0 && errno == EACCES && file_owner_other(path, owner))
        return fail_set(
            fail, ERR_REFUSED,
            "only the user %s may read the settings in \"%s\": run `sudo -u %s stockact ...`",
            owner, path, owner);
    return file_read(path, file, fail);
}

static enum err load(
    struct settings *ret, const struct options *o, const struct refusals *refusals,
    struct fail *fail)
{
    struct settings s = {.sync_pace_ms = SYNC_PACE_NONE};
    BUF_SCOPED(file, CONFIG_SIZE_MAX);
    enum err err = OK;
    arena_init(&s.arena);
    struct str *from_file = ARENA_ARRAY(&s.arena, struct str, settings_count);
    const char *config = config_file(o);
    s.values = ARENA_ARRAY(&s.arena, struct settings_value, settings_count);
    s.value_count = settings_count;
    if (config) {
        s.file = arena_str(&s.arena, str_from(config));
        err = read_config(config, &file, fail);
        if (!err)
            err = parse_config(config, buf_view(&file), from_file, refusals, fail);
    }
    for (size_t i = 0; i < settings_count && !err; i++) {
        err = load_one(&s, &settings_table[i], o, arena_str(&s.arena, from_file[i]), fail);
        if (is_told(refusals, err, fail))
            err = OK;
    }
    if (!s.access_log_set)
        s.access_log = !s.bench_unlimited;
    if (err)
        settings_finish(&s);
    else
        *ret = s;
    return err;
}

enum err settings_load(struct settings *ret, const struct options *o, struct fail *fail)
{
    return load(ret, o, &(struct refusals){.fn = NULL}, fail);
}

void settings_each_refused(const struct options *o, settings_refused_fn *fn, void *ctx)
{
    struct settings s;
    struct fail fail;
    if (load(&s, o, &(struct refusals){fn, ctx}, &fail) == OK)
        settings_finish(&s);
}

void settings_each_misspelt(settings_refused_fn *fn, void *ctx)
{
    struct fail fail;
    for (char **variable = environ; *variable; variable++) {
        struct str name = str_of(*variable, strcspn(*variable, "="));
        const struct setting *like = NULL;
        if (str_starts(name, STR(ENVIRONMENT_PREFIX)) && !find_by_key(name))
            like = find_like(name);
        if (!like)
            continue;
        (void)fail_set(
            &fail, ERR_INVALID, "the variable %.*s is not a setting (did you mean %s?)",
            STR_ARG(name), like->text.environment);
        fn(ctx, fail.text);
    }
}

void settings_finish(struct settings *s)
{
    arena_finish(&s->arena);
    *s = (struct settings){0};
}

enum err settings_use_clock(struct settings *s, struct fail *fail)
{
    if (str_is_null(s->test_clock))
        return OK;
    if (!s->allow_test_clock)
        return fail_set(
            fail, ERR_REFUSED,
            "STOCKACT_TEST_CLOCK is for tests only: it needs STOCKACT_ALLOW_TEST_CLOCK=1");
    enum err err = clock_use_file(arena_str(&s->arena, s->test_clock).p, fail);
    return err || str_is_null(s->test_database_clock)
               ? err
               : clock_use_database_file(arena_str(&s->arena, s->test_database_clock).p, fail);
}

bool settings_embedded(const struct settings *s)
{
    return str_starts(s->database, STR("sqlite:"));
}

struct str settings_database_path(const struct settings *s)
{
    return str_slice(s->database, strlen("sqlite:"), s->database.n);
}

struct str settings_secret_key_file(const struct settings *s, struct arena *arena)
{
    if (!str_is_null(s->secret_key_file) || !settings_embedded(s))
        return arena_str(arena, s->secret_key_file);
    return arena_fmt(arena, "%.*s.secret", STR_ARG(settings_database_path(s)));
}

struct str settings_base_url_of(struct arena *arena, struct str bound)
{
    struct listen_address a;
    if (!value_listen(bound, &a) || str_is_null(a.host))
        return STR("http://localhost");
    struct str host = a.host;
    bool any = str_eq(host, STR("0.0.0.0")) || str_eq(host, STR("::"));
    if (any)
        host = STR("127.0.0.1");
    bool v6 = str_find_char(host, ':') >= 0;
    return arena_fmt(
        arena, "http://%s%.*s%s:%u", v6 ? "[" : "", STR_ARG(host), v6 ? "]" : "", a.port);
}
