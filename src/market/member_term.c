/* The ends of terms; see member_term.h. */
#include "market/member_term.h"

#include <stdlib.h>

#include "market/seats_shipped.h"

enum {
    BETWEEN_TERMS_DAYS = 100, /* a Congress of the past adjourned up to 95 days before the next */
    STATE_SENATORS = 2,
    FIRST_REPORTS = 15645, /* 2012-11-01 */
};

/* A dated term in a list of all. */
struct held {
    struct member_term *term;
    struct str id;
};

struct held_list {
    struct held *items;
    size_t count;
};

static bool is_dated(const struct member_term *t)
{
    return t->start != DAY_NONE && t->end != DAY_NONE;
}

static int seat_of(const struct member_term *t)
{
    return t->chamber == CHAMBER_SENATE ? t->senate_class : t->district;
}

static bool seat_is_known(const struct member_term *t)
{
    return t->chamber == CHAMBER_SENATE ? t->senate_class : t->district != MEMBER_DISTRICT_NONE;
}

static int by_place(const struct member_term *a, const struct member_term *b)
{
    int order = (a->chamber > b->chamber) - (a->chamber < b->chamber);
    return order ? order : str_cmp(a->state, b->state);
}

static int by_seat(const void *a, const void *b)
{
    const struct member_term *x = ((const struct held *)a)->term,
                             *y = ((const struct held *)b)->term;
    int order = by_place(x, y);
    if (!order)
        order = (seat_of(x) > seat_of(y)) - (seat_of(x) < seat_of(y));
    if (!order)
        order = (x->start > y->start) - (x->start < y->start);
    return order ? order : str_cmp(((const struct held *)a)->id, ((const struct held *)b)->id);
}

static bool same_seat(const struct member_term *a, const struct member_term *b)
{
    return by_place(a, b) == 0 && seat_of(a) == seat_of(b);
}

/* By chamber, state, seat and day. */
static struct held_list list_terms(const struct member_terms *members, size_t count)
{
    struct held_list list = {0};
    size_t room = 1;
    for (size_t i = 0; i < count; i++)
        room += members[i].count;
    list.items = mem_array(room, sizeof *list.items);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < members[i].count; k++)
            if (is_dated(&members[i].items[k]))
                list.items[list.count++] = (struct held){&members[i].items[k], members[i].id};
    qsort(list.items, list.count, sizeof *list.items, by_seat);
    return list;
}

static void end_by(struct member_term *t, int32_t day)
{
    if (day > t->start && day < t->end)
        t->end = day;
}

static void end_by_successors(const struct held_list *list)
{
    int32_t next = DAY_NONE; /* the day on which the next term in the seat begins */
    for (size_t i = list->count; i-- > 0;) {
        struct member_term *t = list->items[i].term;
        const struct member_term *after = i + 1 < list->count ? list->items[i + 1].term : NULL;
        if (!after || !seat_is_known(t) || !same_seat(t, after))
            next = DAY_NONE;
        else if (after->start > t->start)
            next = after->start;
        if (next != DAY_NONE)
            end_by(t, next);
    }
}

/* The first day without any of the committee seats that began since then; DAY_NONE: there are none.
 */
static int32_t seats_end(struct str member, int32_t since)
{
    size_t count, day_count;
    const int32_t *days = seats_shipped_days(&day_count);
    const struct seat_span *spans = seats_shipped_of(member, &count);
    int32_t last = DAY_NONE;
    for (size_t i = 0; i < count; i++) {
        int32_t to = spans[i].to == DAY_NONE ? days[day_count - 1] + 1 : spans[i].to;
        if (spans[i].from >= since && to > last)
            last = to;
    }
    return last;
}

static void end_where_lists_stop(const struct member_terms *m, int32_t newest)
{
    struct member_term *t = &m->items[m->count - 1];
    if (m->listed_on == newest || !is_dated(t) || t->start > newest)
        return;
    int32_t end = seats_end(m->id, t->start);
    if (m->listed_on >= t->start && m->listed_on >= end)
        end = m->listed_on + 1;
    end_by(t, end == DAY_NONE ? newest : end);
}

void member_terms_end(struct member_terms *members, size_t count)
{
    int32_t newest = DAY_NONE;
    struct held_list list = list_terms(members, count);
    end_by_successors(&list);
    mem_free(list.items);
    for (size_t i = 0; i < count; i++)
        newest = members[i].listed_on > newest ? members[i].listed_on : newest;
    for (size_t i = 0; i < count; i++) {
        const struct member_terms *m = &members[i];
        for (size_t k = 1; k < m->count; k++)
            if (is_dated(&m->items[k - 1]) && m->items[k].start > m->items[k - 1].start)
                end_by(&m->items[k - 1], m->items[k].start);
        if (newest != DAY_NONE && m->count)
            end_where_lists_stop(m, newest);
    }
}

size_t member_terms_service(
    const struct member_term *terms, size_t count, struct member_service *ret)
{
    size_t n = 0;
    for (size_t i = count; i-- > 0;) {
        const struct member_term *t = &terms[i];
        if (!is_dated(t))
            continue;
        if (n && ret[n - 1].chamber == t->chamber && ret[n - 1].from <= t->end + BETWEEN_TERMS_DAYS)
            ret[n - 1].from = t->start;
        else
            ret[n++] = (struct member_service){t->chamber, t->start, t->end};
    }
    return n;
}

bool member_service_has(const struct member_service *service, size_t count, int32_t day)
{
    for (size_t i = 0; i < count; i++)
        if (service[i].from <= day && day < service[i].until)
            return true;
    return false;
}

static int32_t first_day(const struct member_term *t)
{
    return t->start > FIRST_REPORTS ? t->start : FIRST_REPORTS;
}

/* `group` are the terms in seats that have `max` holders together. */
static void check_group(
    const struct held *group, size_t count, size_t max, member_seat_crowded *tell, void *ctx)
{
    for (size_t i = 0; i < count; i++) {
        const struct member_term *t = group[i].term;
        int32_t day = first_day(t);
        size_t others = 0;
        for (size_t k = 0; k < count && t->end > day && others < max; k++) {
            const struct member_term *is = group[k].term;
            bool before = first_day(is) < day || (first_day(is) == day && k < i);
            if (before && is->end > day && ++others == max)
                tell(ctx, t, group[i].id, group[k].id, day);
        }
    }
}

void member_seats_check(
    const struct member_terms *members, size_t count, member_seat_crowded *tell, void *ctx)
{
    struct held_list list = list_terms(members, count);
    for (size_t i = 0, end; i < list.count; i = end) {
        const struct member_term *t = list.items[i].term;
        bool senate = t->chamber == CHAMBER_SENATE;
        for (end = i + 1; end < list.count; end++)
            if (senate ? by_place(t, list.items[end].term) : !same_seat(t, list.items[end].term))
                break;
        if (senate || seat_is_known(t))
            check_group(&list.items[i], end - i, senate ? STATE_SENATORS : 1, tell, ctx);
    }
    mem_free(list.items);
}
