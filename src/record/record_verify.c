/* Checks snapshots; see record_verify.h. */
#include "record/record_verify.h"

#include "net/client.h"
#include "record/record_file.h"
#include "record/record_folder.h"

/* Of what comes from a server. */
enum { WEB_DAYS_MAX = 40000, FILE_MAX = 1 << 30, CONNECT_MS_MAX = 10000 };

struct check {
    record_fault_fn *fault;
    void *ctx;
    struct arena *arena;
    struct record_verified *ret;
    struct client *web; /* NULL: paths are of files */
};

static void add(const struct check *c, struct str path, const char *what)
{
    c->ret->faults++;
    c->fault(c->ctx, path, what);
}

static enum err digest(
    const struct check *c, struct str path, uint8_t ret[static SHA256_SIZE], int64_t *ret_bytes,
    struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct str text;
    if (!c->web)
        return record_file_digest(path.p, ret, ret_bytes, fail);
    TRY(record_fetch(c->web, path, &arena, &text, fail));
    sha256(text, ret);
    *ret_bytes = (int64_t)text.n;
    return OK;
}

static void check_file(const struct check *c, struct str day, const struct manifest_file *file)
{
    struct str path = arena_fmt(c->arena, "%.*s/%.*s", STR_ARG(day), STR_ARG(file->name));
    uint8_t is[SHA256_SIZE];
    int64_t bytes;
    struct fail why;
    c->ret->files++;
    if (digest(c, path, is, &bytes, &why))
        add(c, path, why.text);
    else if (memcmp(is, file->sha256, SHA256_SIZE) != 0)
        add(c, path, "it was changed: its SHA-256 is not that of the manifest");
}

static void check_strangers(const struct check *c, struct str day, const struct manifest *m)
{
    struct backup_list found;
    struct fail why;
    if (backup_list(day, "*", c->arena, &found, &why)) {
        add(c, day, why.text);
        return;
    }
    for (int i = 0; i < found.count; i++)
        if (!str_starts(record_folder_name(found.files[i]), STR(".")) &&
            !manifest_names(m, record_folder_name(found.files[i])))
            add(c, found.files[i], "the manifest does not name it");
}

/* `before`: of the folder before; NULL: this is the first, or that one cannot be read. */
static void check_link(
    const struct check *c, struct str day, bool first, const struct record_day *before,
    const struct record_day *is)
{
    const struct manifest *m = &is->manifest;
    if (!str_eq(m->day, record_folder_name(day)))
        add(c, day, "its manifest is of another day");
    if (first && (m->sequence != 1 || !str_is_null(m->previous)))
        add(c, day, "it is not the first snapshot: the one before is missing");
    if (!before)
        return;
    if (m->sequence != before->manifest.sequence + 1 || !str_eq(m->previous, before->manifest.day))
        add(c, day, "it does not follow the snapshot before it: one is missing");
    else if (memcmp(m->previous_sha256, before->sha256, SHA256_SIZE) != 0)
        add(c, day, "the manifest before it was changed");
}

static void check_key(
    const struct check *c, struct str day, const struct record_day *is, struct str key)
{
    BUF_SCOPED(text, SIZE_MAX);
    minisign_public_put(&text, &is->key);
    c->ret->key = arena_str(c->arena, buf_view(&text));
    if (!str_is_null(key) && !str_eq(key, c->ret->key))
        add(c, day, "another key than that of --key signed it");
}

/* From the newest manifest on, each names the one before it. What cannot be read is the first. */
static void list_days(const struct check *c, struct str url, struct backup_list *ret)
{
    struct str *files = ARENA_ARRAY(c->arena, struct str, WEB_DAYS_MAX);
    struct record_day *is = ARENA_NEW(c->arena, struct record_day);
    struct str day = STR("latest");
    int at = WEB_DAYS_MAX;
    while (at > 0 && !str_is_null(day)) {
        struct fail unused; /* the check finds it again */
        struct str path = arena_fmt(c->arena, "%.*s/%.*s", STR_ARG(url), STR_ARG(day));
        bool read = record_folder_read(c->web, path, c->arena, is, &unused) == OK;
        files[--at] =
            arena_fmt(c->arena, "%.*s/%.*s", STR_ARG(url), STR_ARG(read ? is->manifest.day : day));
        if (!read || (at < WEB_DAYS_MAX - 1 && !str_eq(is->manifest.day, day)))
            break;
        day =
            str_cmp(is->manifest.previous, is->manifest.day) < 0 ? is->manifest.previous : STR_NULL;
    }
    *ret = (struct backup_list){files + at, WEB_DAYS_MAX - at};
}

static void check_days(const struct check *c, const struct backup_list *list, struct str key)
{
    struct record_day *days = ARENA_ARRAY(c->arena, struct record_day, 2);
    struct record_day *before = NULL;
    for (int i = 0; i < list->count; i++) {
        struct str day = list->files[i];
        struct record_day *is = &days[i % 2];
        struct fail why;
        c->ret->snapshots++;
        c->ret->newest = record_folder_name(day);
        if (record_folder_read(c->web, day, c->arena, is, &why)) {
            add(c, day, why.text);
            before = NULL;
            continue;
        }
        check_link(c, day, i == 0, before, is);
        for (size_t f = 0; f < is->manifest.file_count; f++)
            check_file(c, day, &is->manifest.files[f]);
        if (!c->web)
            check_strangers(c, day, &is->manifest);
        if (i == list->count - 1)
            check_key(c, day, is, key);
        before = is;
    }
}

/* A URL without its last slash; null: it is a path. */
static struct str url_of(struct str place)
{
    if (!str_starts(place, STR("https://")) && !str_starts(place, STR("http://")))
        return STR_NULL;
    return str_slice(place, 0, str_ends(place, STR("/")) ? place.n - 1 : place.n);
}

enum err record_verify(
    struct str place, struct str key, record_fault_fn *fault, void *ctx, struct arena *arena,
    struct record_verified *ret, struct fail *fail)
{
    struct check c = {fault, ctx, arena, ret, NULL};
    const struct client_config config = {
        .base_url = STR_NULL,
        .plain_http = true,
        .bearer = STR_NULL,
        .proxy = STR_NULL,
        .ca_file = STR_NULL,
        .user_agent = STR("stockact"),
        .connections_max = 1,
        .connect_time_max_ms = CONNECT_MS_MAX,
        .body_max = FILE_MAX,
    };
    struct backup_list list;
    struct str url = url_of(place);
    *ret = (struct record_verified){.newest = STR_NULL, .key = STR_NULL};
    if (str_is_null(url)) {
        TRY(record_folder_days(place, arena, &list, fail));
    } else {
        TRY(client_create(&config, &c.web, fail));
        list_days(&c, url, &list);
    }
    if (list.count)
        check_days(&c, &list, key);
    client_destroy(c.web);
    if (!list.count)
        return fail_set(fail, ERR_NOT_FOUND, "the folder \"%.*s\" has no snapshot", STR_ARG(place));
    return OK;
}
