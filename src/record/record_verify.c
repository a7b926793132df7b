/* Checks snapshots; see record_verify.h. */
#include "record/record_verify.h"

#include "record/record_file.h"
#include "record/record_folder.h"

struct check {
    record_fault_fn *fault;
    void *ctx;
    struct arena *arena;
    struct record_verified *ret;
};

static void add(const struct check *c, struct str path, const char *what)
{
    c->ret->faults++;
    c->fault(c->ctx, path, what);
}

static void check_file(const struct check *c, struct str day, const struct manifest_file *file)
{
    struct str path = arena_fmt(c->arena, "%.*s/%.*s", STR_ARG(day), STR_ARG(file->name));
    uint8_t is[SHA256_SIZE];
    int64_t bytes;
    struct fail why;
    c->ret->files++;
    if (record_file_digest(path.p, is, &bytes, &why))
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

enum err record_verify(
    struct str folder, struct str key, record_fault_fn *fault, void *ctx, struct arena *arena,
    struct record_verified *ret, struct fail *fail)
{
    const struct check c = {fault, ctx, arena, ret};
    struct record_day *days = ARENA_ARRAY(arena, struct record_day, 2);
    struct record_day *before = NULL;
    struct backup_list list;
    *ret = (struct record_verified){.newest = STR_NULL, .key = STR_NULL};
    enum err err = record_folder_days(folder, arena, &list, fail);
    if (!err && !list.count)
        err = fail_set(fail, ERR_NOT_FOUND, "the folder \"%.*s\" has no snapshot", STR_ARG(folder));
    for (int i = 0; i < list.count && !err; i++) {
        struct str day = list.files[i];
        struct record_day *is = &days[i % 2];
        struct fail why;
        ret->snapshots++;
        ret->newest = record_folder_name(day);
        if (record_folder_read(day, arena, is, &why)) {
            add(&c, day, why.text);
            before = NULL;
            continue;
        }
        check_link(&c, day, i == 0, before, is);
        for (size_t f = 0; f < is->manifest.file_count; f++)
            check_file(&c, day, &is->manifest.files[f]);
        check_strangers(&c, day, &is->manifest);
        if (i == list.count - 1)
            check_key(&c, day, is, key);
        before = is;
    }
    return err;
}
