/* Imports members in one transaction; see members.h. */
#include "people/members.h"

#include "base/json_in.h"
#include "people/members_merge.h"
#include "store/change.h"
#include "store/meta.h"

static bool is_json(struct str text)
{
    char first = json_in_first(text);
    return first == '[' || first == '{';
}

static enum err read_files(
    struct members_read *read, const struct members_file *files, size_t count, struct fail *fail)
{
    for (size_t i = 0; i < count; i++) {
        enum err err = is_json(files[i].text) ? members_read_json(read, &files[i], fail)
                                              : members_read_csv(read, &files[i], fail);
        if (err)
            return err;
    }
    return OK;
}

/* Runs inside the transaction. */
static enum err put_all(
    struct db *db, const struct members_read *read, struct members_report *ret, struct fail *fail)
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
    ret->people = merged.count;
    for (size_t i = 0; i < merged.count && !err; i++) {
        enum member_outcome outcome;
        err = member_put(db, &merged.items[i], &outcome, fail);
        if (err)
            return err;
        ret->added += outcome == MEMBER_ADDED;
        ret->changed += outcome == MEMBER_CHANGED;
    }
    if (ret->added + ret->changed)
        err = change_add(db, STR("member"), STR(""), &ret->change_seq, fail);
    return err;
}

enum err members_import(
    struct db *db, const struct members_file *files, size_t count, struct members_report *ret,
    struct fail *fail)
{
    struct arena arena;
    arena_init(&arena);
    struct members_read read = {.arena = &arena};
    struct members_report report = {0};
    enum err err = read_files(&read, files, count, fail);
    if (!err)
        err = db_begin(db, fail);
    if (!err) {
        err = put_all(db, &read, &report, fail);
        err = db_end(db, err, fail);
    }
    if (!err)
        *ret = report;
    members_read_finish(&read);
    arena_finish(&arena);
    return err;
}
