/* See developer.h. */
#include "cmd/operate/developer.h"

#include <stdlib.h>
#include <unistd.h>

#include "listen/listen_secret.h"

enum { FILE_SIZE_MAX = 4096, MACHINE_SIZE_MAX = 256 };

struct str developer_variable(const char *name, struct str fallback)
{
    struct str value = str_trim(str_from(getenv(name)));
    return value.n > 0 ? value : fallback;
}

enum err developer_read_line(
    struct str path, struct arena *arena, struct str *ret, struct fail *fail)
{
    char text[FILE_SIZE_MAX];
    FILE *file = fopen(path.p, "re");
    size_t n = file ? fread(text, 1, sizeof text, file) : 0;
    bool bad = !file || ferror(file);
    if (file)
        fclose(file);
    *ret = arena_str(arena, str_trim(str_of(text, n)));
    mem_wipe(text, sizeof text);
    if (bad)
        return fail_set(fail, ERR_IO, "cannot read \"%.*s\"", STR_ARG(path));
    return ret->n > 0 ? OK : fail_set(fail, ERR_IO, "\"%.*s\" is empty", STR_ARG(path));
}

struct str developer_url(struct str to, struct arena *arena)
{
    return str_find(to, STR("://")) >= 0 ? to : arena_fmt(arena, "http://%.*s", STR_ARG(to));
}

/* A text that says which machine this is. */
static struct str machine_of(struct arena *arena)
{
    char text[MACHINE_SIZE_MAX];
    FILE *file = fopen("/etc/machine-id", "re");
    size_t n = file ? fread(text, 1, sizeof text, file) : 0;
    if (file)
        fclose(file);
    struct str id = str_trim(str_of(text, n));
    if (id.n > 0)
        return arena_str(arena, id);
    return arena_str(arena, gethostname(text, sizeof text - 1) ? STR("") : str_from(text));
}

enum err developer_secret(
    const struct options *options, struct str api_key, struct arena *arena, struct secret *derived,
    struct str *ret, struct fail *fail)
{
    if (options_given(options, "secret-file"))
        return developer_read_line(options_value(options, "secret-file"), arena, ret, fail);
    listen_secret_derive(api_key, machine_of(arena), derived);
    *ret = secret_text(derived);
    return OK;
}
