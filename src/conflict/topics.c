/* What conflict signals are about; see topics.h. */
#include "conflict/topics.h"

#include <pthread.h>

#include "base/hash.h"
#include "base/intmap.h"
#include "base/json_in.h"
#include "core/committee.h"
#include "core/industry.h"
#include "store/finding.h"

struct topics {
    pthread_rwlock_t lock;
    uint64_t (*tag_of)(struct str reason);
    struct arena arena;
    int64_t last; /* number of the last finding that was read */
    uint32_t count;
    struct intmap by_tag; /* struct signal_topic */
    struct topic_committee *committees;
    size_t committee_count, committee_room;
};

struct topics *topics_create(uint64_t (*tag_of)(struct str reason))
{
    struct topics *t = MEM_NEW(struct topics);
    pthread_rwlock_init(&t->lock, NULL);
    t->tag_of = tag_of;
    arena_init(&t->arena);
    intmap_init(&t->by_tag);
    return t;
}

void topics_destroy(struct topics *t)
{
    if (!t)
        return;
    pthread_rwlock_destroy(&t->lock);
    arena_finish(&t->arena);
    intmap_finish(&t->by_tag);
    mem_free(t->committees);
    mem_free(t);
}

/* --- committees */

static uint32_t number_of(const struct topics *t, struct str id)
{
    for (uint32_t i = 0; i < t->committee_count; i++)
        if (str_eq(t->committees[i].id, id))
            return i;
    return UINT32_MAX;
}

/* The name of today, where the map of committees has it; else the one in the evidence. A
 * subcommittee's title ends with that of its committee. */
static struct str title_of(struct str id, struct str title, bool of_parent)
{
    const struct str between = STR(" of the ");
    size_t count;
    const struct committee_entry *entry = industry_of_committee(id, &count);
    if (id.n == COMMITTEE_ID_SIZE && count)
        return entry->name;
    for (size_t at = title.n; of_parent && at >= between.n; at--)
        if (str_eq(str_slice(title, at - between.n, at), between))
            return str_slice(title, at, title.n);
    return title;
}

static uint32_t intern(struct topics *t, struct str id, struct str title, bool of_parent)
{
    uint32_t number = number_of(t, id), parent;
    if (number != UINT32_MAX)
        return number;
    parent = id.n > COMMITTEE_ID_SIZE ? intern(t, str_slice(id, 0, COMMITTEE_ID_SIZE), title, true)
                                      : (uint32_t)t->committee_count;
    t->committees =
        mem_grow(t->committees, t->committee_count, &t->committee_room, sizeof *t->committees);
    t->committees[t->committee_count] = (struct topic_committee){
        arena_str(&t->arena, id), arena_str(&t->arena, title_of(id, title, of_parent)), parent};
    return (uint32_t)t->committee_count++;
}

/* --- findings */

struct topics_reading {
    struct topics *topics;
    struct fail *fail;
    enum err err;
};

static void add(struct json_in *j, struct topics *t, struct str reason)
{
    struct signal_topic *topic = ARENA_NEW(&t->arena, struct signal_topic);
    const json_t *list = json_in_array(j, j->root, "committees");
    size_t n = list ? json_array_size(list) : 0;
    uint32_t *numbers = arena_alloc(&t->arena, (n + 1) * sizeof *numbers);
    topic->industry = industry_from_name(json_in_str(j, j->root, "industry"));
    for (size_t i = 0; i < n; i++) {
        const json_t *seat = json_in_element(j, list, i, "a committee");
        struct str id = seat ? json_in_str(j, seat, "id") : STR_NULL;
        struct str name = seat ? json_in_str(j, seat, "name") : STR_NULL;
        if (!j->err && committee_id_valid(id))
            numbers[topic->committee_count++] = intern(t, id, name, false);
    }
    topic->committees = numbers;
    topic->no = t->count;
    if (j->err)
        return;
    t->count++;
    intmap_put(&t->by_tag, t->tag_of(reason), topic);
}

static void read_finding(void *ctx, const struct finding *finding, bool damaged)
{
    struct topics_reading *r = ctx;
    struct json_in j;
    if (r->err)
        return;
    if (!damaged) {
        r->err = json_in_open_object(&j, STR("the evidence"), finding->evidence, r->fail);
        if (r->err)
            return;
        add(&j, r->topics, finding->reason);
        r->err = j.err;
        json_in_close(&j);
    }
    if (!r->err)
        r->topics->last = finding->no;
}

static enum err refresh(struct topics *t, struct db *db, int64_t last, struct fail *fail)
{
    struct topics_reading r = {t, fail, OK};
    enum err err = OK;
    pthread_rwlock_wrlock(&t->lock);
    if (last > t->last) /* else another thread has read them meanwhile */
        err = finding_each_after(db, t->last, read_finding, &r, fail);
    pthread_rwlock_unlock(&t->lock);
    if (!err && r.err)
        err = fail_set(fail, ERR_CORRUPT, "the evidence of a signal cannot be read");
    return err;
}

enum err topics_open(struct topics *t, struct db *db, struct fail *fail)
{
    int64_t last;
    enum err err = finding_last(db, &last, fail);
    if (err)
        return err;
    pthread_rwlock_rdlock(&t->lock);
    if (last <= t->last)
        return OK;
    pthread_rwlock_unlock(&t->lock);
    err = refresh(t, db, last, fail);
    if (!err)
        pthread_rwlock_rdlock(&t->lock);
    return err;
}

void topics_close(struct topics *t)
{
    pthread_rwlock_unlock(&t->lock);
}

/* --- while open */

const struct signal_topic *topics_find(const struct topics *t, uint64_t tag)
{
    return intmap_get(&t->by_tag, tag);
}

uint32_t topics_count(const struct topics *t)
{
    return t->count;
}

uint32_t topics_committee_count(const struct topics *t)
{
    return (uint32_t)t->committee_count;
}

const struct topic_committee *topics_committee(const struct topics *t, uint32_t number)
{
    return &t->committees[number];
}

const struct topic_committee *topics_committee_with(const struct topics *t, struct str id)
{
    uint32_t number = number_of(t, id);
    return number == UINT32_MAX ? NULL : &t->committees[number];
}
