/* Changes from snapshot to snapshot; see record_changes.h. */
#include "record/record_changes.h"

#include "base/hash.h"
#include "base/intmap.h"
#include "noun/rows.h"

enum { ADD_MAX = 1000 };

struct hunk {
    struct str file;
    int64_t at, drop;
    struct str add; /* JSON strings, with commas between them */
};

static const struct shape_field hunk_rows[] = {
    {TEXT("file", hunk, file), SAYS("The file, by its name in both versions.")},
    {COUNT("at", hunk, at), SAYS("The line of the older file, from 0, where it begins.")},
    {COUNT("drop", hunk, drop), SAYS("How many lines from there on are dropped.")},
    {ROWS("add", hunk, add, NULL), SAYS("The lines that take their place, without their ends.")},
};

SHAPE(hunk, "Hunk", "Some lines that follow each other, and what replaces them.", hunk);

/* --- the lines of the older file, by their hash */

struct older {
    uint64_t *hashes;
    size_t count, room, at; /* those from `at` on are left */
    struct intmap left;     /* how many of each hash, and one more */
};

static uintptr_t left_of(const struct older *o, uint64_t hash)
{
    uintptr_t value = (uintptr_t)intmap_get(&o->left, hash);
    return value ? value - 1 : 0;
}

static void set_left(struct older *o, uint64_t hash, uintptr_t count)
{
    intmap_put(&o->left, hash, (void *)(count + 1));
}

static void take(struct older *o)
{
    uint64_t hash = o->hashes[o->at++];
    set_left(o, hash, left_of(o, hash) - 1);
}

/* False: the file is damaged. */
static bool read_older(struct older *o, struct str path)
{
    struct record_lines l;
    struct str line;
    record_lines_open(&l, path);
    while (record_lines_next(&l, &line)) {
        uint64_t hash = hash_str(line);
        o->hashes = mem_grow(o->hashes, o->count, &o->room, sizeof *o->hashes);
        o->hashes[o->count++] = hash;
        set_left(o, hash, left_of(o, hash) + 1);
    }
    record_lines_close(&l);
    return !l.failed;
}

/* --- hunks */

struct writing {
    struct record_file *file;
    struct hunk hunk;
    struct buf add;
    int64_t added;
};

static void end_hunk(struct writing *w)
{
    BUF_SCOPED(b, SIZE_MAX);
    if (!w->added && !w->hunk.drop)
        return;
    w->hunk.add = buf_view(&w->add);
    shape_object_json(&b, &shape_hunk, &w->hunk);
    buf_char(&b, '\n');
    record_file_put(w->file, buf_view(&b));
    w->file->rows++;
    w->hunk.drop = w->added = 0;
    buf_reset(&w->add);
}

static void begin_hunk(struct writing *w, size_t at)
{
    if (!w->added && !w->hunk.drop)
        w->hunk.at = (int64_t)at;
}

static void add_line(struct writing *w, struct str line)
{
    struct json_out j;
    buf_text(&w->add, w->added ? "," : "");
    json_init(&j, &w->add);
    json_str(&j, line);
    w->added++;
}

/* A line of the newer file that is not left in the older one is added; one of the older file that
 * is not next is dropped. Lines that moved are both. */
static bool put_hunks(struct writing *w, struct older *o, struct str path)
{
    struct record_lines l;
    struct str line = STR_NULL;
    record_lines_open(&l, path);
    bool any = record_lines_next(&l, &line);
    while (any || o->at < o->count) {
        uint64_t hash = any ? hash_str(line) : 0;
        bool adds = any && !left_of(o, hash);
        if (adds) {
            begin_hunk(w, o->at);
            add_line(w, line);
            if (w->added == ADD_MAX)
                end_hunk(w);
        } else if (!any || o->hashes[o->at] != hash) {
            begin_hunk(w, o->at);
            w->hunk.drop++;
            take(o);
            continue;
        } else {
            end_hunk(w);
            take(o);
        }
        any = record_lines_next(&l, &line);
    }
    end_hunk(w);
    record_lines_close(&l);
    return !l.failed;
}

enum err record_changes_put(
    struct record_file *file, const struct record_from *from, struct fail *fail)
{
    for (size_t i = 0; i < from->done->file_count && !file->system_error; i++) {
        ARENA_SCOPED(arena);
        struct str name = from->done->files[i].name;
        struct str before = arena_fmt(&arena, "%.*s/%.*s", STR_ARG(from->before), STR_ARG(name));
        struct str fresh = arena_fmt(&arena, "%.*s/%.*s", STR_ARG(from->fresh), STR_ARG(name));
        struct writing w = {.file = file, .hunk = {.file = name}};
        struct older older = {0};
        buf_init(&w.add, SIZE_MAX);
        intmap_init(&older.left);
        bool good = read_older(&older, before) && put_hunks(&w, &older, fresh);
        intmap_finish(&older.left);
        buf_finish(&w.add);
        mem_free(older.hashes);
        if (!good)
            return fail_set(fail, ERR_CORRUPT, "cannot read \"%.*s\" whole", STR_ARG(before));
    }
    return OK;
}
