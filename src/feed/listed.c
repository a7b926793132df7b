/* Sectors and seats of trades; see listed.h. */
#include "feed/listed.h"

#include <assert.h>

#include "base/hash.h"

enum { SET_MAX = 512, FIRST_ROOM = 256 };

_Static_assert(INDUSTRY_COUNT < 1 << LISTED_SECTOR_BITS, "a sector fits");

struct listed_member {
    struct conflict_seats seats;
    uint16_t *committees; /* of the seats: number, and number of the full committee */
    /* of the last trade: trades of one day come together */
    enum chamber chamber;
    int list;
    uint32_t set;
};

void listed_init(struct listed *s, struct rcu_retired *retired)
{
    s->retired = retired;
    s->set_count = 1;
    s->set_room = FIRST_ROOM;
    arena_init(&s->arena);
    arena_init(&s->sets_arena);
    intmap_init(&s->by_hash);
    atomic_init(&s->sets, mem_array(s->set_room, sizeof(const struct listed_set *)));
}

void listed_finish(struct listed *s)
{
    arena_finish(&s->arena);
    arena_finish(&s->sets_arena);
    intmap_finish(&s->by_hash);
    mem_free(s->members);
    mem_free(atomic_load(&s->sets));
}

void listed_reset(struct listed *s)
{
    arena_finish(&s->arena);
    arena_init(&s->arena);
    mem_free(s->members);
    s->members = NULL;
    s->member_count = 0;
}

uint32_t listed_committee(const struct listed *s, struct str id)
{
    uint32_t count = atomic_load_explicit(&s->committee_count, memory_order_acquire);
    for (uint32_t i = 0; i < count; i++)
        if (str_eq(s->committees[i], id))
            return i;
    return UINT32_MAX;
}

static uint16_t number_of(struct listed *s, struct str id)
{
    uint32_t number = listed_committee(s, id);
    if (number == UINT32_MAX) {
        number = atomic_load(&s->committee_count);
        assert(number < LISTED_COMMITTEES_MAX);
        s->committees[number] = arena_str(&s->sets_arena, id);
        atomic_store_explicit(&s->committee_count, number + 1, memory_order_release);
    }
    return (uint16_t)number;
}

void listed_put(struct listed *s, uint32_t person, const struct conflict_seats *seats)
{
    while (person >= s->member_count) {
        size_t more = s->member_count ? s->member_count : FIRST_ROOM;
        s->members = mem_realloc(s->members, 2 * more * sizeof *s->members);
        memset(s->members + s->member_count, 0, (2 * more - s->member_count) * sizeof *s->members);
        s->member_count = 2 * more;
    }
    struct listed_member *member = ARENA_NEW(&s->arena, struct listed_member);
    member->seats = *seats;
    member->committees = ARENA_ARRAY(&s->arena, uint16_t, 2 * seats->count + 1);
    for (size_t i = 0; i < seats->count; i++) {
        struct str id = seats->items[i].id;
        member->committees[2 * i] = number_of(s, id);
        member->committees[2 * i + 1] = number_of(s, str_slice(id, 0, COMMITTEE_ID_SIZE));
    }
    s->members[person] = member;
}

static void add(uint16_t *numbers, uint32_t *n, uint16_t number)
{
    uint32_t i = *n;
    for (uint32_t k = 0; k < *n; k++)
        if (numbers[k] == number)
            return;
    if (*n == SET_MAX)
        return;
    for (; i > 0 && numbers[i - 1] > number; i--)
        numbers[i] = numbers[i - 1];
    numbers[i] = number;
    ++*n;
}

/* The number of the set, which is added if it is new. */
static uint32_t intern(struct listed *s, const uint16_t *numbers, uint32_t n)
{
    struct str bytes = str_of((const char *)numbers, n * sizeof *numbers);
    uint64_t hash = hash_str(bytes);
    struct listed_set *first = intmap_get(&s->by_hash, hash), *set = first;
    const struct listed_set **sets = atomic_load(&s->sets);
    while (set && !str_eq(str_of((const char *)set->committees, set->count * 2), bytes))
        set = set->same_hash;
    if (set)
        return set->number;
    if (s->set_count == s->set_room) {
        const struct listed_set **larger = mem_array(2 * s->set_room, sizeof *larger);
        memcpy(larger, sets, s->set_room * sizeof *larger);
        s->set_room *= 2;
        atomic_store_explicit(&s->sets, larger, memory_order_release);
        rcu_free_later(s->retired, sets);
        sets = larger;
    }
    set = arena_alloc(&s->sets_arena, sizeof *set + n * sizeof *numbers);
    set->same_hash = first;
    set->number = s->set_count++;
    set->count = n;
    memcpy(set->committees, numbers, bytes.n);
    intmap_put(&s->by_hash, hash, set);
    sets[set->number] = set;
    return set->number;
}

/* 0: no list of the Congress has the member. */
static uint32_t set_of(
    struct listed *s, struct listed_member *member, enum chamber chamber, int32_t day)
{
    const struct conflict_seats *seats = &member->seats;
    const struct conflict_list list = conflict_list_of(seats, chamber, day);
    uint16_t numbers[SET_MAX];
    uint32_t n = 0;
    if (list.basis == CONFLICT_NO_LIST)
        return 0;
    if (member->set && member->chamber == chamber && member->list == list.index)
        return member->set;
    for (size_t i = 0; i < seats->count; i++)
        if (conflict_seat_counts(&seats->items[i], &list, chamber)) {
            add(numbers, &n, member->committees[2 * i]);
            add(numbers, &n, member->committees[2 * i + 1]);
        }
    member->chamber = chamber;
    member->list = list.index;
    member->set = intern(s, numbers, n);
    return member->set;
}

uint32_t listed_of(
    struct listed *s, uint32_t person, const struct conflict_trade *trade,
    const struct company_import *imported)
{
    struct listed_member *member = person < s->member_count ? s->members[person] : NULL;
    uint32_t set = member ? set_of(s, member, trade->chamber, trade->day) : 0;
    return set << LISTED_SECTOR_BITS | (uint32_t)conflict_asset_of(trade, imported).industry;
}

bool listed_passes(const struct listed *s, const struct listed_test *test, uint32_t word)
{
    if (test->sector && listed_sector(word) != test->sector)
        return false;
    const struct listed_set *set = test->of_seat ? listed_seats(s, word) : NULL;
    for (uint32_t i = 0; set && i < set->count; i++)
        if (set->committees[i] == test->committee)
            return true;
    return !test->of_seat;
}
