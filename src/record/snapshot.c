/* One snapshot; see snapshot.h. */
#include "record/snapshot.h"

#include "feed/feed.h"
#include "record/datapackage.h"
#include "record/record_file.h"
#include "record/record_rows.h"
#include "record/record_tables.h"

/* The link of the chain to the newest snapshot. */
static enum err link_newest(
    struct str folder, struct arena *arena, struct manifest *m, struct fail *fail)
{
    struct backup_list days;
    m->sequence = 1;
    enum err err = record_folder_days(folder, arena, &days, fail);
    if (err || !days.count)
        return err;
    struct str newest = days.files[days.count - 1];
    m->previous = record_folder_name(newest);
    int order = str_cmp(m->previous, m->day);
    if (order == 0)
        return fail_set(fail, ERR_EXISTS, "\"%.*s\" is there: nothing to do", STR_ARG(newest));
    if (order > 0)
        return fail_set(
            fail, ERR_REFUSED, "there is a snapshot of a later day, \"%.*s\": set the clock",
            STR_ARG(newest));
    struct record_day *day = ARENA_NEW(arena, struct record_day);
    struct fail why;
    if (record_folder_read(NULL, newest, arena, day, &why))
        return fail_set(
            fail, ERR_CORRUPT,
            "the newest snapshot is damaged, put it back from a copy or move it away: %s",
            why.text);
    if (day->manifest.whole != m->whole)
        return fail_set(
            fail, ERR_REFUSED, "the snapshots of \"%.*s\" are %s: use another folder",
            STR_ARG(folder), m->whole ? "for everybody, and --whole is not" : "made with --whole");
    m->sequence = day->manifest.sequence + 1;
    memcpy(m->previous_sha256, day->sha256, SHA256_SIZE);
    return OK;
}

static enum err write_part(
    const struct record_part *part, const struct snapshot_want *want, struct str fresh,
    struct arena *arena, struct manifest *m, struct fail *fail)
{
    bool first = str_is_null(m->previous);
    if (!part->name && first)
        return OK; /* nothing is before it */
    const struct record_from from = {
        .feed = want->feed,
        .db = want->db,
        .until_ms = want->until_ms,
        .today = instant_day_utc(want->now_ms),
        .before = first
                      ? STR_NULL
                      : arena_fmt(arena, "%.*s/%.*s", STR_ARG(want->folder), STR_ARG(m->previous)),
        .fresh = fresh,
        .done = m,
    };
    struct str name = part->name ? str_from(part->name)
                                 : arena_fmt(arena, "changes-%.*s.jsonl.gz", STR_ARG(m->previous));
    struct str path = arena_fmt(arena, "%.*s/%.*s", STR_ARG(fresh), STR_ARG(name));
    struct record_file file;
    TRY(record_file_begin(&file, path.p, fail));
    rcu_read_begin();
    struct fail why;
    enum err read = part->put(&file, &from, &why);
    rcu_read_end();
    enum err err = record_file_end(&file, fail);
    if (read && !err)
        err = fail_set(fail, read, "%s", why.text);
    struct manifest_file *entry = &m->files[m->file_count++];
    *entry = (struct manifest_file){.name = name, .rows = file.rows};
    return err ? err : record_file_digest(path.p, entry->sha256, &entry->bytes, fail);
}

static enum err add_file(
    struct str fresh, const char *name, int64_t rows, struct arena *arena, struct manifest *m,
    struct fail *fail)
{
    struct str path = arena_fmt(arena, "%.*s/%s", STR_ARG(fresh), name);
    struct manifest_file *entry = &m->files[m->file_count++];
    *entry = (struct manifest_file){.name = str_from(name), .rows = rows};
    return record_file_digest(path.p, entry->sha256, &entry->bytes, fail);
}

/* What describes the files, and the same rows as tables. */
static enum err write_datapackage(
    struct str fresh, struct arena *arena, struct manifest *m, struct fail *fail)
{
    BUF_SCOPED(text, MANIFEST_SIZE_MAX);
    struct str path = arena_fmt(arena, "%.*s/" DATAPACKAGE_NAME, STR_ARG(fresh));
    int64_t parts = (int64_t)m->file_count;
    datapackage_put(&text, m);
    TRY(record_tables_write(fresh, &text, arena, fail));
    TRY(record_file_write(path.p, buf_view(&text), fail));
    TRY(add_file(fresh, DATAPACKAGE_NAME, parts, arena, m, fail));
    TRY(add_file(fresh, RECORD_TABLES_NAME, m->files[0].rows, arena, m, fail));
    return add_file(fresh, RECORD_TABLES_ABOUT, 1, arena, m, fail);
}

static enum err write_signed(
    const struct snapshot_want *want, struct str fresh, const struct manifest *m,
    struct arena *arena, struct fail *fail)
{
    BUF_SCOPED(text, MANIFEST_SIZE_MAX);
    BUF_SCOPED(signature, MANIFEST_SIZE_MAX);
    BUF_SCOPED(key, MANIFEST_SIZE_MAX);
    struct str comment =
        arena_fmt(arena, "snapshot %.*s, number %lld", STR_ARG(m->day), (long long)m->sequence);
    manifest_put(&text, m);
    minisign_sign(&signature, want->key, buf_view(&text), comment);
    minisign_public_file_put(&key, &want->key->shown);
    const struct {
        const char *name;
        struct str bytes;
    } files[] = {
        {MANIFEST_NAME, buf_view(&text)},
        {MANIFEST_SIGNATURE_NAME, buf_view(&signature)},
        {MANIFEST_KEY_NAME, buf_view(&key)},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        TRY(record_file_write(
            arena_fmt(arena, "%.*s/%s", STR_ARG(fresh), files[i].name).p, files[i].bytes, fail));
    return OK;
}

enum err snapshot_write(
    const struct snapshot_want *want, struct arena *arena, struct manifest *ret, struct fail *fail)
{
    SCOPED(record_folder_end) struct record_writing w;
    *ret = (struct manifest){
        .day = day_str(arena, instant_day_utc(want->now_ms)),
        .created_at = want->now_ms,
        .until_ms = want->until_ms,
        .whole = want->whole,
    };
    enum err err = record_folder_begin(want->folder, arena, &w, fail);
    if (!err)
        err = link_newest(want->folder, arena, ret, fail);
    if (err == ERR_EXISTS) {
        struct fail unused; /* a killed run may have left the old link */
        enum err ignored = record_folder_link(want->folder, ret->day, arena, &unused);
        (void)ignored;
    }
    if (!err) {
        rcu_read_begin();
        ret->withheld = feed_stats(want->feed).withheld;
        rcu_read_end();
    }
    for (size_t i = 0; i < RECORD_PARTS && !err; i++)
        err = write_part(&record_parts[i], want, w.fresh, arena, ret, fail);
    if (!err)
        err = write_datapackage(w.fresh, arena, ret, fail);
    if (!err)
        err = write_signed(want, w.fresh, ret, arena, fail);
    if (!err)
        err = record_folder_publish(&w, ret->day, arena, fail);
    return err;
}
