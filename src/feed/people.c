/* Members in the feed; see people.h. */
#include "feed/people.h"

#include <assert.h>
#include <stdlib.h>

#include "base/fold.h"
#include "base/hash.h"
#include "base/search.h"
#include "feed/postings.h"

enum { FOLDED_SIZE_MAX = 64 * 1024 };

static uint64_t hash_slug(const void *item)
{
    return hash_str(((const struct person *)item)->slug);
}

static uint64_t hash_id(const void *item)
{
    return hash_str(((const struct person *)item)->id);
}

static bool equal_slug(const void *item, const void *key)
{
    return str_eq(((const struct person *)item)->slug, *(const struct str *)key);
}

static bool equal_id(const void *item, const void *key)
{
    return str_eq(((const struct person *)item)->id, *(const struct str *)key);
}

static const struct rcumap_type slug_type = {hash_slug, equal_slug};
static const struct rcumap_type id_type = {hash_id, equal_id};

void people_init(struct people *p, struct rcu_retired *retired)
{
    *p = (struct people){.retired = retired};
    p->by_slug = rcumap_create(&slug_type, 0, retired);
    p->by_id = rcumap_create(&id_type, 0, retired);
    p->unsorted = true;
    people_sort(p);
}

void people_finish(struct people *p)
{
    for (uint32_t i = 1; i <= p->n; i++) {
        mem_free(atomic_load(&p->by_index[i]->profile));
        mem_free(p->by_index[i]);
    }
    mem_free(p->by_index);
    mem_free(atomic_load(&p->order));
    rcumap_destroy(p->by_slug);
    rcumap_destroy(p->by_id);
}

struct person *people_find(const struct people *p, struct str slug_or_id)
{
    uint64_t hash = hash_str(slug_or_id);
    struct person *person = rcumap_find(p->by_slug, hash, &slug_or_id);
    return person ? person : rcumap_find(p->by_id, hash, &slug_or_id);
}

/* Copies the text to *to and advances *to; null stays null. */
static struct str put_text(char **to, struct str text)
{
    if (str_is_null(text))
        return text;
    struct str copy = str_of(*to, text.n);
    memcpy(*to, text.p, text.n);
    *to += text.n;
    return copy;
}

/* Appends the words of the name that are not there yet. */
static void fold_name(struct buf *all, struct str name)
{
    char space[2 * FOLD_TEXT_MAX];
    struct buf folded = buf_over(space, sizeof space);
    fold_words(&folded, name, FOLD_SEARCH);
    struct str word, words = buf_view(&folded);
    while (str_split(&words, ' ', &word)) {
        if (str_lists(buf_view(all), word))
            continue;
        if (all->n)
            buf_char(all, ' ');
        buf_str(all, word);
    }
}

/* A copy in one block, freed with one free. */
static struct people_profile *copy_profile(const struct people_profile *from)
{
    struct str name, names = from->other_names;
    BUF_SCOPED(folded, FOLDED_SIZE_MAX);
    fold_name(&folded, from->name);
    size_t name_n = folded.n;
    while (str_split(&names, '\n', &name))
        fold_name(&folded, name);
    size_t text_n = from->id.n + from->slug.n + from->name.n + from->party.n + from->state.n +
                    from->committees_json.n + from->other_names.n + folded.n;
    size_t service_n = from->service_count * sizeof *from->service;
    struct people_profile *copy = mem_alloc(sizeof *copy + service_n + text_n);
    char *text = (char *)(copy + 1) + service_n;
    *copy = *from;
    if (service_n)
        copy->service = memcpy(copy + 1, from->service, service_n);
    copy->id = put_text(&text, from->id);
    copy->slug = put_text(&text, from->slug);
    copy->name = put_text(&text, from->name);
    copy->party = put_text(&text, from->party);
    copy->state = put_text(&text, from->state);
    copy->committees_json = put_text(&text, from->committees_json);
    copy->other_names = put_text(&text, from->other_names);
    copy->folded = put_text(&text, buf_view(&folded));
    copy->name_n = name_n;
    return copy;
}

static struct person *person_create(const struct people_profile *profile)
{
    struct person *person = mem_zalloc(sizeof *person + profile->id.n + profile->slug.n);
    char *text = (char *)(person + 1);
    person->id = put_text(&text, profile->id);
    person->slug = put_text(&text, profile->slug);
    return person;
}

static bool same_service(const struct people_profile *a, const struct people_profile *b)
{
    bool same = a->service_count == b->service_count;
    for (size_t i = 0; same && i < a->service_count; i++)
        same = a->service[i].chamber == b->service[i].chamber &&
               a->service[i].from == b->service[i].from &&
               a->service[i].until == b->service[i].until;
    return same;
}

static bool same_profile(const struct people_profile *a, const struct people_profile *b)
{
    return str_eq(a->name, b->name) && a->chamber == b->chamber && str_eq(a->party, b->party) &&
           str_eq(a->state, b->state) && a->district == b->district &&
           str_eq(a->other_names, b->other_names) && same_service(a, b) &&
           str_eq(a->committees_json, b->committees_json);
}

struct person *people_put(struct people *p, const struct people_profile *profile)
{
    assert(!str_is_null(profile->id) && !str_is_null(profile->slug));
    struct person *person = rcumap_find(p->by_id, hash_str(profile->id), &profile->id);
    if (person && same_profile(atomic_load(&person->profile), profile))
        return person;
    struct people_profile *fresh = copy_profile(profile);
    p->unsorted = true;
    if (person) {
        rcu_free_later(
            p->retired, atomic_exchange_explicit(&person->profile, fresh, memory_order_acq_rel));
        return person;
    }
    person = person_create(profile);
    atomic_init(&person->profile, fresh);
    person->index = ++p->n;
    assert(person->index < 1u << POSTING_INDEX_BITS);
    if (person->index >= p->capacity) {
        p->capacity = p->capacity ? 2 * p->capacity : 64;
        p->by_index = mem_realloc(p->by_index, p->capacity * sizeof(struct person *));
        p->by_index[0] = NULL;
    }
    p->by_index[person->index] = person;
    rcumap_insert(p->by_id, person);
    rcumap_insert(p->by_slug, person);
    return person;
}

/* The order by slug. */

/* The part of a slug that fits into a cursor. */
static struct str slug_head(struct str slug)
{
    return str_slice(slug, 0, CURSOR_ID_SIZE_MAX);
}

static int slug_order(const void *a, const void *b)
{
    const struct person *x = *(const struct person *const *)a,
                        *y = *(const struct person *const *)b;
    return str_cmp(x->slug, y->slug);
}

static struct str folded_name(const struct person *person)
{
    return atomic_load_explicit(&person->profile, memory_order_relaxed)->folded;
}

void people_sort(struct people *p)
{
    size_t text_n = 0;
    if (!p->unsorted)
        return;
    for (uint32_t i = 1; i <= p->n; i++)
        text_n += folded_name(p->by_index[i]).n + 1;
    struct name_order *order = name_order_create(p->n, text_n);
    for (uint32_t i = 0; i < p->n; i++)
        order->items[i] = p->by_index[i + 1];
    if (p->n)
        qsort(order->items, p->n, sizeof order->items[0], slug_order);
    for (uint32_t i = 0; i < p->n; i++) {
        const struct person *person = order->items[i];
        name_order_add(order, i, folded_name(person), atomic_load(&person->profile)->name_n);
    }
    rcu_free_later(p->retired, atomic_exchange_explicit(&p->order, order, memory_order_acq_rel));
    p->unsorted = false;
}

const struct name_order *people_order(const struct people *p)
{
    return atomic_load_explicit(&p->order, memory_order_acquire);
}

static struct str head_at(const struct name_order *order, uint32_t i)
{
    return slug_head(((const struct person *)order->items[i])->slug);
}

/* Lower bound by slug. */
static uint32_t bound(const struct name_order *order, struct str head)
{
    return (uint32_t)FIRST_NOT(i, order->n, str_cmp(head_at(order, i), head) < 0);
}

/* The instant of a cursor: the rank, and below it the place among slugs with the same head. */
enum { RANK_SHIFT = 32 };

struct cursor people_order_cursor(const struct name_order *order, uint32_t i, enum name_rank rank)
{
    struct str head = head_at(order, i);
    return cursor_at(
        CURSOR_POLITICIANS, (int64_t)rank << RANK_SHIFT | (i - bound(order, head)), head);
}

uint32_t people_order_after(
    const struct name_order *order, const struct cursor *cursor, enum name_rank *ret_rank)
{
    uint32_t i = bound(order, cursor_id(cursor));
    int64_t left = cursor->at_ms & UINT32_MAX, rank = cursor->at_ms >> RANK_SHIFT;
    *ret_rank = rank >= 0 && rank < NAME_RANK_COUNT ? (enum name_rank)rank : NAME_RANK_COUNT;
    while (i < order->n && left >= 0 && str_eq(head_at(order, i), cursor_id(cursor))) {
        i++;
        left--;
    }
    return i;
}
