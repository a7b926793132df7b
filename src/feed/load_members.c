/* Members with their committee seats, and how many of their reports are known; see load.h. */
#include "feed/load.h"

#include <stdlib.h>

#include "base/json_out.h"
#include "store/public/known.h"
#include "store/public/member.h"
#include "store/public/roster.h"

enum { CURRENT_SEATS_MAX = 256, SEATS_SIZE_MAX = 1 << 20, NAMES_SIZE_MAX = 16 * 1024 };

/* One on each line. */
static struct str other_names(struct arena *arena, const struct member *member)
{
    BUF_SCOPED(lines, NAMES_SIZE_MAX);
    for (size_t i = 0; i < member->name_count; i++) {
        const struct member_name *name = &member->names[i];
        struct str last = str_is_null(name->last) ? member->last : name->last;
        buf_fmt(&lines, "%s%.*s %.*s", i ? "\n" : "", STR_ARG(name->first), STR_ARG(last));
    }
    return lines.overflow || lines.n == 0 ? STR_NULL : arena_str(arena, buf_view(&lines));
}

static struct people_profile profile_of(
    struct arena *arena, const struct member *member, struct str committees)
{
    struct member_service *service =
        ARENA_ARRAY(arena, struct member_service, member->term_count + 1);
    struct people_profile profile = {
        .id = member->id,
        .slug = member->slug,
        .name = member->name,
        .district = MEMBER_DISTRICT_NONE,
        .service = service,
        .service_count = member_terms_service(member->terms, member->term_count, service),
        .committees_json = committees,
        .other_names = other_names(arena, member),
    };
    const struct member_term *term = member_term_latest(member);
    if (term) {
        profile.chamber = term->chamber;
        profile.party = term->party;
        profile.state = term->state;
        profile.district = term->district;
    }
    return profile;
}

struct member_loading {
    struct edition *edition;
    struct arena *arena;
    const struct member **members; /* by id */
    size_t count, put;             /* put: how many are in the edition */
    struct committee_maker maker;
    struct buf text;
};

/* The next member, with the JSON array of current seats (decision 9). */
static const struct person *put_next(struct member_loading *l, struct str committees)
{
    const struct member *member = l->members[l->put++];
    struct people_profile profile = profile_of(l->arena, member, committees);
    edition_put_member(l->edition, &profile);
    return people_find(&l->edition->people, member->id);
}

static int seat_order(const void *a, const void *b)
{
    const struct seat *const *x = a, *const *y = b;
    return str_cmp((*x)->id, (*y)->id);
}

/* By committee; null: the newest list has none. */
static struct str current_seats(struct buf *text, const struct conflict_seats *seats)
{
    const struct seat *current[CURRENT_SEATS_MAX];
    struct json_out j;
    size_t n = 0;
    bool newest = seats->days[seats->day_count - 1] == seats->newest;
    for (size_t i = 0; i < seats->count && newest && n < CURRENT_SEATS_MAX; i++)
        if ((size_t)seats->items[i].after == seats->day_count)
            current[n++] = &seats->items[i];
    if (!n)
        return STR_NULL;
    qsort(current, n, sizeof *current, seat_order);
    buf_reset(text);
    json_init(&j, text);
    json_array_begin(&j);
    for (size_t i = 0; i < n; i++) {
        json_object_begin(&j);
        JSON_KEY_STR(&j, "id", current[i]->id);
        JSON_KEY_STR(&j, "name", current[i]->title);
        JSON_KEY_STR(&j, "role", seat_role_name(current[i]->role));
        json_object_end(&j);
    }
    json_array_end(&j);
    return buf_view(text);
}

/* Members and visits are in the order of ids. */
static void add_seats(void *ctx, struct str id, const struct conflict_seats *seats)
{
    struct member_loading *l = ctx;
    while (l->put < l->count && str_cmp(l->members[l->put]->id, id) < 0)
        put_next(l, STR_NULL);
    bool known = l->put < l->count && str_eq(l->members[l->put]->id, id);
    const struct member *member = known ? l->members[l->put] : NULL;
    const struct person *person = known ? put_next(l, current_seats(&l->text, seats)) : NULL;
    committee_maker_add(&l->maker, person, member, seats);
    edition_put_seats(l->edition, id, seats);
}

static int by_id(const void *a, const void *b)
{
    const struct member *const *x = a, *const *y = b;
    return str_cmp((*x)->id, (*y)->id);
}

static enum err put_members(
    struct member_loading *l, const struct member_list *list, struct db *db, struct fail *fail)
{
    const struct roster *roster;
    size_t day_count;
    l->members = ARENA_ARRAY(l->arena, const struct member *, list->count + 1);
    for (; l->count < list->count; l->count++)
        l->members[l->count] = &list->items[l->count];
    if (l->count)
        qsort(l->members, l->count, sizeof *l->members, by_id);
    TRY(roster_load(db, l->arena, &roster, fail));
    const int32_t *days = roster_days(roster, &day_count);
    committee_maker_init(&l->maker);
    enum err err = OK;
    if (l->count)
        err = roster_each_member(db, &l->edition->listed.arena, add_seats, l, fail);
    struct committee_book *book = committee_maker_finish(&l->maker, days, day_count);
    if (err) {
        committee_book_free(book);
        return err;
    }
    while (l->put < l->count)
        put_next(l, STR_NULL);
    edition_put_committees(l->edition, book);
    people_sort(&l->edition->people);
    return OK;
}

enum err load_members(struct edition *e, struct db *db, struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct member_list members;
    TRY(member_load(db, &arena, &members, fail));
    member_end_terms(&members, &arena);
    struct member_loading loading = {.edition = e, .arena = &arena};
    buf_init(&loading.text, SEATS_SIZE_MAX);
    listed_reset(&e->listed);
    enum err err = put_members(&loading, &members, db, fail);
    edition_relist(e);
    buf_finish(&loading.text);
    return err;
}

/* Known reports. Readers may hold the edition: each count is stored at once. */

struct known_sum {
    int32_t indexed, waiting;
};

struct known_sums {
    const struct edition *e;
    struct known_sum *items; /* by index of the person; [0]: nobody matched */
};

static void add_known(struct known_sum *sum, const struct known_report *report)
{
    sum->indexed += report->indexed;
    sum->waiting += report_state_is_waiting(report->state);
}

static void add_report(void *ctx, const struct known_report *report)
{
    struct known_sums *sums = ctx;
    const struct person *person = str_is_null(report->politician_id)
                                      ? NULL
                                      : people_find(&sums->e->people, report->politician_id);
    add_known(&sums->items[person ? person->index : 0], report);
}

static void add_of_member(void *ctx, const struct known_report *report)
{
    add_known(ctx, report);
}

struct index_years {
    int first[CHAMBER_COUNT], last[CHAMBER_COUNT]; /* 0: no index */
};

static void add_index(void *ctx, const struct known_index *index)
{
    struct index_years *years = ctx;
    if (!years->first[index->chamber])
        years->first[index->chamber] = index->year;
    years->last[index->chamber] = index->year; /* they come in order */
}

static void put(struct edition *e, struct person *person, const struct known_sum *sum)
{
    atomic_fetch_add(&e->waiting, sum->waiting - atomic_load(&person->waiting));
    atomic_store(&person->waiting, sum->waiting);
    atomic_store(&person->indexed, sum->indexed);
}

enum err load_known(struct edition *e, struct db *db, struct fail *fail)
{
    struct index_years years = {{0}, {0}};
    struct known_sums sums = {e, mem_array(e->people.n + 1, sizeof *sums.items)};
    for (uint32_t i = 0; i <= e->people.n; i++)
        sums.items[i] = (struct known_sum){0, 0};
    enum err err = known_each_index(db, add_index, &years, fail);
    if (!err)
        err = known_each(db, STR_NULL, add_report, &sums, fail);
    for (int i = 0; i < CHAMBER_COUNT && !err; i++) {
        atomic_store(&e->index_first[i], years.first[i]);
        atomic_store(&e->index_last[i], years.last[i]);
    }
    for (uint32_t i = 1; i <= e->people.n && !err; i++)
        put(e, e->people.by_index[i], &sums.items[i]);
    if (!err) {
        atomic_fetch_add(&e->waiting, sums.items[0].waiting - e->waiting_of_nobody);
        e->waiting_of_nobody = sums.items[0].waiting;
    }
    mem_free(sums.items);
    return err;
}

enum err load_known_of(
    struct edition *e, struct db *db, struct str politician_id, struct fail *fail)
{
    struct known_sum sum = {0, 0};
    struct person *person = people_find(&e->people, politician_id);
    enum err err = person ? known_each(db, politician_id, add_of_member, &sum, fail) : OK;
    if (person && !err)
        put(e, person, &sum);
    return err;
}
