/* The server's own list of paths; see serve_confine.h. */
#include "cmd/serve_confine.h"

#include <assert.h>
#include <libgen.h>
#include <stdlib.h>

#include "cmd/values.h"

enum { PATHS_MAX = 32 };

struct path_list {
    struct confine_path items[PATHS_MAX];
    size_t n;
    struct arena arena;
};

static void add(struct path_list *list, const char *path, bool write)
{
    assert(list->n < PATHS_MAX);
    list->items[list->n++] = (struct confine_path){path, write};
}

/* The folder that holds a file: files beside it come and go (journals, sockets). */
static void add_folder_of(struct path_list *list, struct str file, bool write)
{
    char *copy = mem_strdup(file); /* dirname writes into it */
    add(list, arena_str(&list->arena, str_from(dirname(copy))).p, write);
    mem_free(copy);
}

static void add_system(struct path_list *list)
{
    static const char *const folders[] = {
        "/usr",
        "/lib",
        "/lib64",
        "/etc",
        "/proc",
        "/sys/devices/system/cpu",
        "/run/systemd/resolve",
        "/dev/urandom",
        "/dev/random"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        add(list, folders[i], false);
    add(list, "/dev/null", true);
    add(list, "/proc/self/exe", false); /* the program itself, wherever it is installed */
}

/* What libpq reads: passwords and certificates of the user. */
static void add_postgresql(struct path_list *list)
{
    const char *home = getenv("HOME"), *pass_file = getenv("PGPASSFILE");
    if (home) {
        add(list, arena_fmt(&list->arena, "%s/.pgpass", home).p, false);
        add(list, arena_fmt(&list->arena, "%s/.postgresql", home).p, false);
        add(list, arena_fmt(&list->arena, "%s/.pg_service.conf", home).p, false);
    }
    if (pass_file)
        add(list, pass_file, false);
}

struct confine_result serve_confine(const struct settings *settings, struct str secret_key_file)
{
    struct path_list list = {0};
    struct listen_address listen;
    arena_init(&list.arena);
    add_system(&list);
    if (settings_embedded(settings))
        add_folder_of(&list, settings_database_path(settings), true);
    else
        add_postgresql(&list);
    if (!str_is_null(secret_key_file))
        add_folder_of(&list, secret_key_file, settings_embedded(settings));
    if (!str_is_null(settings->test_clock))
        add_folder_of(&list, settings->test_clock, false);
    if (value_listen(settings->listen, &listen) && !str_is_null(listen.path))
        add_folder_of(&list, listen.path, true);
    struct confine_result had = confine(list.items, list.n);
    arena_finish(&list.arena);
    return had;
}
