/* Imports members in one transaction; see members.h. */
#include "people/members.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/json_in.h"
#include "base/progress_hook.h"
#include "db/row_digest.h"
#include "market/slug.h"
#include "store/row/change.h"
#include "store/row/meta.h"

/* Merges imported members with stored ones. */

enum { NAMES_MAX = 60 };

static bool is_dated(const struct member *m)
{
    return m->term_count && m->terms[m->term_count - 1].end != DAY_NONE;
}

/* The last day in office; DAY_NONE (the smallest number) if no dates are known. */
static int32_t service_end(const struct member *m)
{
    int32_t end = DAY_NONE;
    for (size_t i = 0; i < m->term_count; i++)
        if (m->terms[i].end > end)
            end = m->terms[i].end;
    return end;
}

static int by_id(const void *a, const void *b)
{
    return str_cmp((*(const struct member *const *)a)->id, (*(const struct member *const *)b)->id);
}

/* The start of the last term; DAY_NONE (the smallest number) if it is not known. */
static int32_t last_start(const struct member *m)
{
    return m->term_count ? m->terms[m->term_count - 1].start : DAY_NONE;
}

/* If several files list one person, the best informed record comes first, so that the order of
 * files does not matter: dated terms, then the latest term, then the earliest end of it (a file
 * that is older than a resignation has the later, planned end). */
static int by_id_and_knowledge(const void *a, const void *b)
{
    const struct member *x = *(const struct member *const *)a,
                        *y = *(const struct member *const *)b;
    int order = str_cmp(x->id, y->id);
    if (order)
        return order;
    if (last_start(x) != last_start(y))
        return last_start(x) > last_start(y) ? -1 : 1;
    if (service_end(x) != service_end(y))
        return service_end(x) < service_end(y) ? -1 : 1;
    if (x->term_count != y->term_count)
        return x->term_count > y->term_count ? -1 : 1;
    return str_cmp(x->name, y->name);
}

static int by_slug_order(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    int32_t x_end = service_end(x), y_end = service_end(y);
    if (x_end != y_end)
        return x_end > y_end ? -1 : 1;
    if (x->birthday != y->birthday)
        return x->birthday > y->birthday ? -1 : 1;
    return str_cmp(x->id, y->id);
}

static const struct member **sorted(
    struct arena *arena, const struct member *items, size_t count,
    int (*order)(const void *, const void *))
{
    const struct member **list = ARENA_ARRAY(arena, const struct member *, count + 1);
    for (size_t i = 0; i < count; i++)
        list[i] = &items[i];
    qsort(list, count, sizeof *list, order);
    return list;
}

static void names_add(struct member *to, const struct member *from)
{
    for (size_t i = 0; i < from->name_count; i++)
        member_name_add(to, NAMES_MAX, from->names[i].first, from->names[i].last);
}

/* `known` may be NULL. `sitting`: the day of the newest list of sitting members that was read. A
 * stored list of the same day without the member was read earlier or is read now: the last one that
 * was read counts, so the member was on a list of the day before at the latest. */
static int32_t listed_on(const struct member *read, const struct member *known, int32_t sitting)
{
    int32_t is = read->listed_on, was = known ? known->listed_on : DAY_NONE;
    if (sitting != DAY_NONE && was == sitting && is < sitting)
        return sitting - 1;
    return is > was ? is : was;
}

static struct member merge_person(
    struct arena *arena, const struct member *read, const struct member *known, int32_t sitting)
{
    const struct member *base = known && is_dated(known) && !is_dated(read) ? known : read;
    struct member merged = *base;
    if (merged.birthday == DAY_NONE)
        merged.birthday = base == read && known ? known->birthday : read->birthday;
    merged.no = known ? known->no : 0;
    merged.listed_on = listed_on(read, known, sitting);
    merged.slug = known ? known->slug : STR_NULL;
    merged.names = ARENA_ARRAY(arena, struct member_name, NAMES_MAX);
    merged.name_count = 0;
    if (known)
        names_add(&merged, known);
    names_add(&merged, read);
    return merged;
}

static void alias_add(struct member *m, const struct aliases *aliases)
{
    for (size_t i = 0; i < aliases->count; i++)
        if (str_eq(aliases->items[i].id, m->id))
            member_name_add(m, NAMES_MAX, aliases->items[i].first, aliases->items[i].last);
}

/* Slugs in use, as an open hash table. */
struct slugs {
    struct str *slot;
    size_t mask;
};

static bool slug_take(struct slugs *s, struct str slug)
{
    size_t at = (size_t)hash_str(slug) & s->mask;
    for (; !str_is_null(s->slot[at]); at = (at + 1) & s->mask)
        if (str_eq(s->slot[at], slug))
            return false;
    s->slot[at] = slug;
    return true;
}

static void slugs_give(
    struct arena *arena, struct member *items, size_t count, const struct member_list *stored)
{
    struct slugs slugs = {.mask = 1023};
    while (slugs.mask < (count + stored->count) * 2)
        slugs.mask = slugs.mask * 2 + 1;
    slugs.slot = ARENA_ARRAY(arena, struct str, slugs.mask + 1);
    for (size_t i = 0; i < stored->count; i++)
        slug_take(&slugs, stored->items[i].slug);
    for (size_t i = 0; i < count; i++) {
        struct member *m = &items[i];
        if (!str_is_null(m->slug))
            continue;
        m->slug = slug_make(arena, m->first, m->last, m->id);
        if (!slug_take(&slugs, m->slug)) {
            m->slug = slug_with_id(arena, m->slug, m->id);
            slug_take(&slugs, m->slug);
        }
    }
}

void members_merge(
    struct arena *arena, const struct members_read *read, const struct member_list *stored,
    const struct aliases *aliases, struct members_merged *ret)
{
    const struct member **incoming = sorted(arena, read->items, read->count, by_id_and_knowledge);
    const struct member **known = sorted(arena, stored->items, stored->count, by_id);
    struct member *items = ARENA_ARRAY(arena, struct member, read->count + stored->count + 1);
    size_t count = 0, k = 0;
    int32_t sitting = DAY_NONE;
    for (size_t i = 0; i < read->count; i++)
        sitting = read->items[i].listed_on > sitting ? read->items[i].listed_on : sitting;
    for (size_t i = 0; i < read->count; i++) {
        if (i && str_eq(incoming[i]->id, incoming[i - 1]->id)) {
            names_add(&items[count - 1], incoming[i]);
            if (items[count - 1].listed_on < incoming[i]->listed_on)
                items[count - 1].listed_on = incoming[i]->listed_on;
            if (items[count - 1].birthday == DAY_NONE)
                items[count - 1].birthday = incoming[i]->birthday;
            continue;
        }
        while (k < stored->count && str_cmp(known[k]->id, incoming[i]->id) < 0)
            k++;
        bool same = k < stored->count && str_eq(known[k]->id, incoming[i]->id);
        items[count++] = merge_person(arena, incoming[i], same ? known[k] : NULL, sitting);
    }
    size_t people = count;
    for (size_t i = 0, in = 0; i < stored->count && sitting != DAY_NONE; i++) {
        while (in < people && str_cmp(items[in].id, known[i]->id) < 0)
            in++;
        bool was_read = in < people && str_eq(items[in].id, known[i]->id);
        if (was_read || known[i]->listed_on != sitting)
            continue;
        items[count] = merge_person(arena, known[i], known[i], sitting);
        items[count++].listed_on = sitting - 1;
    }
    for (size_t i = 0; i < count; i++)
        alias_add(&items[i], aliases);
    qsort(items, count, sizeof *items, by_slug_order);
    slugs_give(arena, items, count, stored);
    *ret = (struct members_merged){items, count, sitting != DAY_NONE, people};
}

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
        TRY(is_json(files[i].text) ? members_read_json(read, &files[i], fail)
                                   : members_read_csv(read, &files[i], fail));
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
    if (ret->added + ret->changed == 0)
        return OK;
    TRY(row_seal_all(db, ROW_DIGEST_MEMBER, ROW_DIGEST_MEMBER_TERM, fail));
    return change_add(db, STR("member"), STR(""), &ret->change_seq, fail);
}

enum err members_import(
    struct db *db, const struct import_file *files, size_t count,
    const struct progress_hook *progress, struct members_report *ret, struct fail *fail)
{
    ARENA_SCOPED(arena);
    SCOPED(members_read_finish) struct members_read read = {.arena = &arena};
    struct members_report report = {0};
    TRY(read_files(&read, files, count, progress, fail));
    TRY(db_begin(db, fail));
    TRY(db_end(db, put_all(db, &read, progress, &report, fail), fail));
    *ret = report;
    return OK;
}
