/* Keeps answers; see group_answers.h. */
#include "feed/group_answers.h"

#include <pthread.h>

#include "base/mem.h"

enum { ANSWERS = 64 };

struct kept_answer {
    uint64_t changes;
    uint64_t used; /* the greater, the later; 0: free */
    struct buf key;
    struct arena arena; /* of what the answer points to */
    struct group_answer is;
};

struct group_answers {
    pthread_mutex_t lock;
    uint64_t uses;
    struct kept_answer items[ANSWERS];
};

struct group_answers *group_answers_create(void)
{
    struct group_answers *a = MEM_NEW(struct group_answers);
    (void)pthread_mutex_init(&a->lock, NULL);
    for (size_t i = 0; i < ANSWERS; i++) {
        buf_init(&a->items[i].key, SIZE_MAX);
        arena_init(&a->items[i].arena);
    }
    return a;
}

void group_answers_destroy(struct group_answers *a)
{
    for (size_t i = 0; i < ANSWERS; i++) {
        buf_finish(&a->items[i].key);
        arena_finish(&a->items[i].arena);
    }
    (void)pthread_mutex_destroy(&a->lock);
    mem_free(a);
}

static void copy_groups(
    const struct trade_group *from, size_t count, struct arena *arena, struct trade_group *to)
{
    for (size_t i = 0; i < count; i++) {
        to[i] = from[i];
        for (size_t d = 0; d < GROUP_BY_MAX; d++) {
            struct politician_ref *p = &to[i].values[d].politician;
            struct str *const texts[] = {
                &to[i].values[d].text, &p->slug, &p->name, &p->party, &p->state};
            for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
                *texts[t] = arena_str(arena, *texts[t]);
        }
    }
}

/* The same question's place; else the free one or the one that was used longest ago. */
static struct kept_answer *place_of(struct group_answers *a, struct str key)
{
    struct kept_answer *oldest = &a->items[0];
    for (size_t i = 0; i < ANSWERS; i++) {
        if (a->items[i].used && str_eq(buf_view(&a->items[i].key), key))
            return &a->items[i];
        if (a->items[i].used < oldest->used)
            oldest = &a->items[i];
    }
    return oldest;
}

bool group_answers_find(
    struct group_answers *a, struct str key, uint64_t changes, struct arena *arena,
    struct group_answer *ret)
{
    struct trade_group *room = ret->groups;
    if (pthread_mutex_trylock(&a->lock))
        return false;
    struct kept_answer *kept = place_of(a, key);
    bool found = kept->used && kept->changes == changes && str_eq(buf_view(&kept->key), key);
    if (found) {
        kept->used = ++a->uses;
        *ret = kept->is;
        ret->groups = room;
        copy_groups(kept->is.groups, kept->is.count, arena, room);
    }
    (void)pthread_mutex_unlock(&a->lock);
    return found;
}

void group_answers_keep(
    struct group_answers *a, struct str key, uint64_t changes, const struct group_answer *answer)
{
    if (pthread_mutex_trylock(&a->lock))
        return;
    struct kept_answer *kept = place_of(a, key);
    buf_reset(&kept->key);
    buf_str(&kept->key, key);
    arena_finish(&kept->arena);
    arena_init(&kept->arena);
    kept->changes = changes;
    kept->used = ++a->uses;
    kept->is = *answer;
    kept->is.groups = ARENA_ARRAY(&kept->arena, struct trade_group, answer->count + 1);
    copy_groups(answer->groups, answer->count, &kept->arena, kept->is.groups);
    (void)pthread_mutex_unlock(&a->lock);
}
