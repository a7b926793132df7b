/* Committees and their seats; see committees.h. */
#include "feed/committees.h"

#include <stdlib.h>

#include "base/hash.h"
#include "market/congress.h"
#include "store/public/member.h"

void committee_maker_init(struct committee_maker *m)
{
    *m = (struct committee_maker){.book = MEM_NEW(struct committee_book)};
    arena_init(&m->book->arena);
    intmap_init(&m->texts);
}

static struct str keep_text(struct committee_maker *m, struct str text)
{
    if (str_is_null(text))
        return text;
    uint64_t key = hash_str(text);
    struct str *kept = intmap_get(&m->texts, key);
    if (kept && str_eq(*kept, text))
        return *kept;
    kept = ARENA_NEW(&m->book->arena, struct str);
    *kept = arena_str(&m->book->arena, text);
    intmap_put(&m->texts, key, kept);
    return *kept;
}

/* The member's last term that has begun on that day, or else the first one; NULL: none. */
static const struct member_term *term_on(const struct member *member, int32_t day)
{
    size_t n = 1;
    while (n < member->term_count && member->terms[n].start <= day)
        n++;
    return member->term_count ? &member->terms[n - 1] : NULL;
}

static void add_seat(
    struct committee_maker *m, const struct feed_seat *seat, const struct member_term *term)
{
    m->seats = mem_grow(m->seats, m->count, &m->room, sizeof *m->seats);
    struct feed_seat *kept = &m->seats[m->count++];
    *kept = *seat;
    if (!term)
        return;
    kept->party = keep_text(m, term->party);
    kept->state = keep_text(m, term->state);
    kept->chamber = term->chamber;
}

void committee_maker_add(
    struct committee_maker *m, const struct person *person, const struct member *member,
    const struct conflict_seats *seats)
{
    for (size_t i = 0; i < seats->count; i++) {
        const struct seat *is = &seats->items[i];
        struct feed_seat seat = {
            .person = person,
            .is = *is,
            .party = STR_NULL,
            .state = STR_NULL,
            .chamber = is->chamber,
            .from = seats->days[is->first],
            .congress = congress_of(seats->days[is->first]),
            .is_open = (size_t)is->after == seats->day_count};
        seat.is.id = keep_text(m, is->id);
        seat.is.name = keep_text(m, is->name);
        seat.is.title = keep_text(m, is->title);
        int32_t closes = congress_first_day(seat.congress + 1);
        int32_t after = seat.is_open ? closes : seats->days[is->after];
        int32_t until = after < closes ? after : closes;
        seat.is_open &= seats->newest < closes;
        const struct member_term *term = member ? term_on(member, seat.from) : NULL;
        const struct member_term *end = member ? member->terms + member->term_count : NULL;
        const struct member_term *last = term; /* of the seat's days in the chamber */
        while (last && last + 1 < end && last[1].start < until &&
               last[1].chamber == term->chamber) {
            struct feed_seat before = seat;
            before.until = (++last)->start;
            before.is_open = false;
            if (before.from < before.until && !str_eq(term->party, last->party)) {
                add_seat(m, &before, term); /* a change of party begins a term */
                seat.from = before.until;
                term = last;
            }
        }
        if (seat.is_open && last && last->end != DAY_NONE && last->end < until) {
            seat.is_open = false; /* the member left after the newest list */
            until = last->end > seats->newest ? last->end : seats->newest + 1;
        }
        seat.until = until;
        add_seat(m, &seat, term);
    }
}

static int seat_order(const void *a, const void *b)
{
    const struct feed_seat *x = a, *y = b;
    int order = str_cmp(x->is.id, y->is.id);
    return order ? order : (x->from > y->from) - (x->from < y->from);
}

struct committee_book *committee_maker_finish(
    struct committee_maker *m, const int32_t *days, size_t day_count)
{
    struct committee_book *book = m->book;
    struct feed_seat *seats = ARENA_ARRAY(&book->arena, struct feed_seat, m->count + 1);
    if (m->count) {
        qsort(m->seats, m->count, sizeof *m->seats, seat_order);
        memcpy(seats, m->seats, m->count * sizeof *seats);
    }
    for (size_t i = 0; i < m->count; i++)
        book->count += !i || !str_eq(seats[i].is.id, seats[i - 1].is.id);
    book->items = ARENA_ARRAY(&book->arena, struct feed_committee, book->count + 1);
    struct feed_committee *item = book->items - 1;
    for (size_t i = 0; i < m->count; i++) {
        if (!i || !str_eq(seats[i].is.id, seats[i - 1].is.id))
            *++item = (struct feed_committee){seats[i].is.id, &seats[i], 0};
        item->count++;
    }
    book->days = ARENA_ARRAY(&book->arena, int32_t, day_count + 1);
    for (; book->day_count < day_count; book->day_count++)
        book->days[book->day_count] = days[book->day_count];
    mem_free(m->seats);
    intmap_finish(&m->texts);
    return book;
}

void committee_book_free(struct committee_book *book)
{
    if (book)
        arena_finish(&book->arena);
    mem_free(book);
}
