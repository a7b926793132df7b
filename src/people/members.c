/* Imports members in one transaction; see members.h. */
#include "people/members.h"

#include "base/json_in.h"
#include "base/progress_hook.h"
#include "people/members_merge.h"
#include "store/row/change.h"
#include "store/row/meta.h"

static bool is_json(struct str text)
{
    char first = json_in_first(text);
    return first == '[' || first == '{';
}

static enum err read_files(
    struct members_read *read, const struct import_file *files, size_t count,
    const struct progress_hook *progress, struct fail *fail)
{
    int64_t done = 0, total = 0;
    for (size_t i = 0; i < count; i++)
        total += (int64_t)files[i].text.n;
    progress_enter(progress, IMPORT_READ, total);
    for (size_t i = 0; i < count; i++) {
        enum err err = is_json(files[i].text) ? members_read_json(read, &files[i], fail)
                                              : members_read_csv(read, &files[i], fail);
        if (err)
            return err;
        progress_tell(progress, done += (int64_t)files[i].text.n, total);
    }
    return OK;
}

/* Runs inside the transaction. */
static enum err put_all(
    struct db *db, const struct members_read *read, const struct progress_hook *progress,
    struct members_report *ret, struct fail *fail)
{
    struct member_list stored;
    struct aliases aliases;
    struct members_merged merged;
    enum err err = meta_data_claim(db, META_DATA_REAL, fail);
    if (!err)
        err = member_load(db, read->arena, &stored, fail);
    if (err)
        return err;
    aliases_read(read->arena, &aliases);
    members_merge(read->arena, read, &stored, &aliases, &merged);
    ret->people = merged.people;
    ret->sitting = merged.sitting;
    progress_enter(progress, IMPORT_WRITE, (int64_t)merged.count);
    for (size_t i = 0; i < merged.count && !err; i++) {
        enum member_outcome outcome;
        err = member_put(db, &merged.items[i], &outcome, fail);
        if (err)
            return err;
        ret->added += outcome == MEMBER_ADDED;
        ret->changed += outcome == MEMBER_CHANGED;
        progress_tell(progress, (int64_t)i + 1, (int64_t)merged.count);
    }
    if (ret->added + ret->changed)
        err = change_add(db, STR("member"), STR(""), &ret->change_seq, fail);
    return err;
}

enum err members_import(
    struct db *db, const struct import_file *files, size_t count,
    const struct progress_hook *progress, struct members_report *ret, struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct members_read read = {.arena = &arena};
    struct members_report report = {0};
    enum err err = read_files(&read, files, count, progress, fail);
    if (!err)
        err = db_begin(db, fail);
    if (!err) {
        err = put_all(db, &read, progress, &report, fail);
        err = db_end(db, err, fail);
    }
    if (!err)
        *ret = report;
    members_read_finish(&read);
    return err;
}
