/* The paths that the server needs; see serve_confine.h. */
#include "serve/serve_confine.h"

#include <assert.h>
#include <libgen.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "config/values.h"
#include "db/client_files.h"

enum {
    PATHS_MAX = 64,
    CERTIFICATE_FOLDERS_MAX = 16,
    CONFINED_TEXT_MAX = 200,
    SNAPSHOTS_MODE = 0755
};

struct path_list {
    struct confine_path items[PATHS_MAX];
    size_t n;
    struct arena arena;
};

static void add(struct path_list *list, const char *path, bool write)
{
    assert(list->n < PATHS_MAX);
    list->items[list->n++] = (struct confine_path){.path = path, .write = write};
}

/* Adds the folder of a file, because files next to it are created and deleted (journals, sockets).
 * If the file is a symbolic link, adds the folder of its target too: Landlock checks the target. */
static void add_folder_of(struct path_list *list, struct str file, bool write)
{
    char *copy = mem_strdup(file), *real = realpath(copy, NULL); /* dirname writes into both */
    add(list, arena_str(&list->arena, str_from(dirname(copy))).p, write);
    if (real)
        add(list, arena_str(&list->arena, str_from(dirname(real))).p, write);
    free(real);
    mem_free(copy);
}

/* System files: the program, libraries, resolver configuration, CA certificates. */
static void add_system(struct path_list *list)
{
    static const char *const folders[] = {"/usr",         "/lib",       "/lib64",
                                          "/etc",         "/proc",      "/sys/devices/system/cpu",
                                          "/dev/urandom", "/dev/random"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        add(list, folders[i], false);
    add(list, "/dev/null", true);
    add(list, "/var/cache/fontconfig", false);           /* pdftoppm draws with fonts */
    add(list, "/proc/self/exe", false);                  /* the program */
    add_folder_of(list, STR("/etc/resolv.conf"), false); /* often a link into /run */
}

/* CA certificates that OpenSSL reads instead of the system's: a file, and folders between colons.
 */
static void add_own_certificates(struct path_list *list)
{
    const char *file = getenv("SSL_CERT_FILE");
    struct str rest = str_from(getenv("SSL_CERT_DIR")), folder;
    if (file && *file)
        add_folder_of(list, str_from(file), false);
    for (size_t i = 0; i < CERTIFICATE_FOLDERS_MAX && str_split(&rest, ':', &folder); i++)
        if (folder.n)
            add(list, arena_str(&list->arena, folder).p, false);
}

static void add_client_file(void *list, const char *keyword, struct str path)
{
    add_folder_of(list, path, false);
}

/* Files that libpq reads: passwords and certificates, in the home folder or named by the URL. */
static void add_postgresql(struct path_list *list, struct str url)
{
    const char *home = getenv("HOME");
    if (home) {
        add(list, arena_fmt(&list->arena, "%s/.pgpass", home).p, false);
        add(list, arena_fmt(&list->arena, "%s/.postgresql", home).p, false);
        add(list, arena_fmt(&list->arena, "%s/.pg_service.conf", home).p, false);
    }
    client_files_each(url, add_client_file, list);
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
        add_postgresql(&list, settings->database);
    if (!str_is_null(secret_key_file))
        add_folder_of(&list, secret_key_file, settings_embedded(settings));
    if (!str_is_null(settings->snapshots)) {
        /* a folder that cannot be made is an error of the snapshot, and no page shows files */
        int unused = mkdir(settings->snapshots.p, SNAPSHOTS_MODE);
        (void)unused;
        add(&list, settings->snapshots.p, settings->snapshot_at != CLOCK_TIME_NONE);
        list.items[list.n - 1].links = list.items[list.n - 1].write; /* `latest` */
    }
    if (!str_is_null(settings->redis_ca_file))
        add_folder_of(&list, settings->redis_ca_file, false);
    else
        add_own_certificates(&list);
    if (!str_is_null(settings->webhook_ca_file))
        add_folder_of(&list, settings->webhook_ca_file, false);
    if (!str_is_null(settings->test_clock))
        add_folder_of(&list, settings->test_clock, false);
    /* The guard of webhooks binds to a free port to see which addresses are this machine's. */
    uint16_t ports[] = {0, 0};
    if (value_listen(settings->listen, &listen)) {
        if (!str_is_null(listen.path))
            add_folder_of(&list, listen.path, true);
        else
            ports[1] = listen.port;
    }
    const struct confine_needs needs = {
        .paths = list.items,
        .path_count = list.n,
        .bind_ports = ports,
        .bind_port_count = sizeof ports / sizeof *ports,
        .connects = true, /* webhooks may go to any port */
        .abstract_sockets =
            !settings_embedded(settings) && client_uses_abstract_socket(settings->database),
    };
    struct confine_result result = confine(&needs);
    arena_finish(&list.arena);
    return result;
}

void serve_confine_log(const struct confine_result *confined)
{
    BUF_SCOPED(rights, CONFINED_TEXT_MAX);
    confine_rights_put(&rights, confined);
    log_line(
        LOG_INFO, "confined", LOG_I("no_core_dumps", confined->no_core_dumps),
        LOG_I("no_new_privileges", confined->no_new_privileges),
        LOG_I("landlock", confined->landlock), LOG_S("landlock_rights", buf_view(&rights)));
}
