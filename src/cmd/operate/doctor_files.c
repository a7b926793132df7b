/* What `stockact doctor` finds in the files that the settings name: who can read secrets, and when
 * certificates end. See doctor.h. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/operate/doctor.h"
#include "cmd/operate/doctor_judge.h"
#include "config/secret_key.h"
#include "db/client_files.h"

/* --- permissions */

static struct str key_file(struct doctor *d)
{
    return settings_secret_key_file(d->settings, &d->arena);
}

static struct str database_file(struct doctor *d)
{
    return settings_embedded(d->settings) ? settings_database_path(d->settings) : STR_NULL;
}

/* Null while the database file is open to others: a new log file has the mode of the database, and
 * it can be gone before the command that closes it is run. */
static struct str log_file(struct doctor *d)
{
    struct str path = database_file(d);
    struct stat file;
    if (str_is_null(path) || stat(arena_str(&d->arena, path).p, &file) || file.st_mode & 007)
        return STR_NULL;
    return arena_fmt(&d->arena, "%.*s-wal", STR_ARG(path));
}

static struct str settings_file(struct doctor *d)
{
    return d->settings->file;
}

/* Files that nobody but their owner should read. A file that is missing is no matter here. */
static const struct {
    const char *what;
    struct str (*path)(struct doctor *d); /* null: there is none */
    mode_t refused;                       /* bits of the mode that it must not have; 0: the key's */
    enum out_mood mood;
} private_files[] = {
    {"master key file", key_file, 0, OUT_BAD},
    {"database file", database_file, 007, OUT_BAD},
    {"database log file", log_file, 007, OUT_BAD},
    {"settings file", settings_file, 007, OUT_DOUBTFUL},
};

/* The command that closes a file to others. After it the server, whose user runs this, can still
 * read the file, also one of root, as a package installs its settings. `group_may`: its group may
 * read it. */
static struct str fix_of(struct doctor *d, struct str path, const struct stat *st, bool group_may)
{
    uid_t me = geteuid();
    if (!me || st->st_uid == me)
        return arena_fmt(
            &d->arena, "run `chmod %s %.*s`", group_may ? "o-rwx" : "600", STR_ARG(path));
    return group_may ? arena_fmt(
                           &d->arena, "run `sudo chgrp %u %.*s && sudo chmod 640 %.*s`", getegid(),
                           STR_ARG(path), STR_ARG(path))
                     : arena_fmt(
                           &d->arena, "run `sudo chown %u %.*s && sudo chmod 600 %.*s`", me,
                           STR_ARG(path), STR_ARG(path));
}

/* scheme://USER:PASSWORD@HOST */
static bool has_password(struct str url)
{
    ptrdiff_t scheme = str_find(url, STR("://"));
    struct str rest = str_slice(url, scheme < 0 ? url.n : (size_t)scheme + 3, url.n);
    ptrdiff_t at = str_find_char(rest, '@'), colon = str_find_char(rest, ':');
    return (colon >= 0 && colon < at) || str_find(url, STR("password=")) >= 0;
}

static bool has_secret(const struct settings *s)
{
    for (size_t i = 0; i < s->value_count; i++)
        if (s->values[i].source == SETTINGS_FROM_FILE &&
            (s->values[i].secret || has_password(s->values[i].text)))
            return true;
    return false;
}

static void say_mode(
    struct doctor *d, const char *check, struct str path, const struct stat *st, bool open,
    enum out_mood mood, bool group_may)
{
    doctor_say(
        d, check, open ? mood : OUT_GOOD,
        arena_fmt(
            &d->arena, "%.*s has mode %03o%s", STR_ARG(path), st->st_mode & 0777,
            open ? ": others can use it" : ""),
        open ? fix_of(d, path, st, group_may) : STR_NULL);
}

static void say_private_file(struct doctor *d, size_t i)
{
    struct stat st;
    struct str path = private_files[i].path(d);
    struct str name = str_is_null(path) ? path : arena_str(&d->arena, path);
    if (str_is_null(name) || stat(name.p, &st) != 0)
        return;
    bool open = private_files[i].refused ? st.st_mode & private_files[i].refused
                                         : !secret_key_is_private(&st);
    if (private_files[i].path == settings_file && !has_secret(d->settings))
        open = false;
    say_mode(
        d, private_files[i].what, name, &st, open, private_files[i].mood,
        private_files[i].refused != 0);
}

/* --- files of the connection to PostgreSQL */

/* What is looked at of a file that a parameter of libpq names. */
static const struct client_file {
    const char *keyword, *check, *setting;
    bool secret; /* its mode: libpq does not use a file that others can read */
} client_files[] = {
    {"passfile", "database password file", "passfile in STOCKACT_DATABASE", true},
    {"sslkey", "database key file", "sslkey in STOCKACT_DATABASE", true},
    {"sslrootcert", "database CA", "sslrootcert in STOCKACT_DATABASE", false},
    {"sslcert", "database client", "sslcert in STOCKACT_DATABASE", false},
};

enum { CLIENT_FILES = sizeof client_files / sizeof *client_files };

struct client_look {
    struct doctor *d;
    bool secrets;            /* look at those, or at the others */
    bool seen[CLIENT_FILES]; /* the address is visited before the environment, and wins */
};

static void look_at_client_file(void *ctx, const char *keyword, struct str path)
{
    struct client_look *look = ctx;
    struct doctor *d = look->d;
    struct str name = arena_str(&d->arena, path);
    struct stat st;
    for (size_t i = 0; i < CLIENT_FILES; i++) {
        const struct client_file *file = &client_files[i];
        if (strcmp(file->keyword, keyword) != 0 || file->secret != look->secrets || look->seen[i])
            continue;
        look->seen[i] = true;
        if (!file->secret)
            doctor_say_certificates(d, file->check, path, file->setting);
        else if (stat(name.p, &st) == 0)
            say_mode(d, file->check, name, &st, !secret_key_is_private(&st), OUT_BAD, false);
        else
            doctor_say(
                d, file->check, OUT_BAD,
                arena_fmt(&d->arena, "cannot read \"%s\": %s", name.p, strerror(errno)),
                arena_fmt(&d->arena, "correct %s", file->setting));
    }
}

static void look_at_client_files(struct doctor *d, bool secrets)
{
    struct client_look look = {.d = d, .secrets = secrets};
    if (!settings_embedded(d->settings))
        client_files_each(d->settings->database, look_at_client_file, &look);
}

/* --- the checks */

void doctor_files(struct doctor *d)
{
    for (size_t i = 0; i < sizeof private_files / sizeof *private_files; i++)
        say_private_file(d, i);
    look_at_client_files(d, true);
}

void doctor_certificates(struct doctor *d)
{
    const struct settings *s = d->settings;
    look_at_client_files(d, false);
    if (!str_is_null(s->redis_ca_file))
        doctor_say_certificates(d, "CA for Redis", s->redis_ca_file, "STOCKACT_REDIS_CA_FILE");
    if (!str_is_null(s->webhook_ca_file))
        doctor_say_certificates(
            d, "CA for webhooks", s->webhook_ca_file, "STOCKACT_WEBHOOK_CA_FILE");
}
