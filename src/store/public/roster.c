/* All lists of seats in one order of days; see roster.h. */
#include "store/public/roster.h"

#include <assert.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/intmap.h"
#include "base/search.h"
#include "market/congress.h"
#include "market/seats_shipped.h"
#include "store/public/committee.h"
#include "store/row/meta.h"

/* A list so long after its Congress began is taken to be of it. */
enum { RENEWAL_DAYS_MAX = 200 };

/* --- the order of lists */

/* Everything that roster_load joins. */
struct parts {
    const int32_t *shipped;
    int32_t *spans;
    struct committee_version *versions;
    size_t shipped_count, span_count, version_count;
};

static int by_day(const void *a, const void *b)
{
    const struct roster_list *x = a, *y = b;
    return x->day != y->day ? (x->day > y->day) - (x->day < y->day)
                            : (int)x->source - (int)y->source;
}

static bool within_spans(const struct parts *p, int32_t day)
{
    return p->span_count && p->spans[0] <= day && day <= p->spans[p->span_count - 1];
}

/* Of several lists of one day, the imported one sorts last and stays. */
static void join(struct roster *r, const struct parts *p, struct arena *arena)
{
    size_t n = 0, kept = 0;
    r->lists =
        ARENA_ARRAY(arena, struct roster_list, p->shipped_count + p->span_count + p->version_count);
    for (size_t i = 0; i < p->shipped_count; i++)
        if (!within_spans(p, p->shipped[i]))
            r->lists[n++] = (struct roster_list){p->shipped[i], LIST_SHIPPED, 0, NULL, 0};
    for (size_t i = 0; i < p->span_count; i++)
        r->lists[n++] = (struct roster_list){p->spans[i], LIST_SPANS, 0, NULL, 0};
    for (size_t i = 0; i < p->version_count; i++)
        r->lists[n++] =
            (struct roster_list){p->versions[i].day, LIST_IMPORTED, p->versions[i].no, NULL, 0};
    qsort(r->lists, n, sizeof *r->lists, by_day);
    for (size_t i = 0; i < n; i++)
        if (i + 1 == n || r->lists[i + 1].day != r->lists[i].day)
            r->lists[kept++] = r->lists[i];
    r->count = kept;
    r->days = ARENA_ARRAY(arena, int32_t, kept);
    for (size_t i = 0; i < kept; i++)
        r->days[i] = r->lists[i].day;
    r->has_imported = p->version_count > 0;
    r->has_spans = p->span_count > 0;
}

/* --- committees whose seats an imported list has */

struct seated {
    struct roster *roster;
    struct arena *arena;
    size_t list; /* the current one */
};

static void keep_seated(void *ctx, int64_t version_no, struct str committee)
{
    struct seated *s = ctx;
    struct roster_list *lists = s->roster->lists;
    size_t at = s->list;
    while (at < s->roster->count &&
           (lists[at].source != LIST_IMPORTED || lists[at].version_no != version_no))
        at++;
    if (at == s->roster->count) /* imported after the lists were read: not in this roster */
        return;
    s->list = at;
    struct roster_list *list = &lists[at];
    if ((list->seated_count & (list->seated_count - 1)) == 0) { /* grow at powers of two */
        struct str *more = ARENA_ARRAY(s->arena, struct str, 2 * list->seated_count + 1);
        for (size_t i = 0; i < list->seated_count; i++)
            more[i] = list->seated[i];
        list->seated = more;
    }
    list->seated[list->seated_count++] = arena_str(s->arena, committee);
}

bool roster_list_has(const struct roster_list *list, struct str committee)
{
    size_t from = FIRST_NOT(i, list->seated_count, str_cmp(list->seated[i], committee) < 0);
    return from < list->seated_count && str_eq(list->seated[from], committee);
}

/* --- imported lists that still hold the Congress before */

/* The seats of the last list of the Congress before, as a set of digests; and which committees of
 * the list that is looked at have a seat that is not in it. */
struct renewal {
    struct intmap old;
    struct roster_list *list;
    bool *renewed; /* for each of list->seated */
    size_t at;     /* the current one */
};

static uint64_t seat_key(struct str committee, struct str member, enum seat_role role)
{
    return hash_seeded(committee, hash_seeded(member, (uint64_t)role));
}

static void keep_old(void *ctx, struct str committee, struct str member, enum seat_role role)
{
    struct renewal *r = ctx;
    intmap_put(&r->old, seat_key(committee, member, role), r);
}

static void keep_old_spans(
    struct renewal *r, const struct seat_span *spans, size_t count, int32_t day)
{
    for (size_t i = 0; i < count; i++) {
        enum seat_role role;
        seat_role_from_title(spans[i].title, &role);
        if (seat_span_covers(&spans[i], day))
            keep_old(r, spans[i].committee, spans[i].member, role);
    }
}

static enum err load_old(
    struct db *db, struct renewal *r, const struct roster_list *list, struct fail *fail)
{
    struct arena arena;
    const struct seat_span *shipped;
    struct seat_span *spans;
    size_t count;
    enum err err = OK;
    switch (list->source) {
    case LIST_SHIPPED:
        shipped = seats_shipped_all(&count);
        keep_old_spans(r, shipped, count, list->day);
        return OK;
    case LIST_IMPORTED:
        return committee_each_seat(db, list->version_no, keep_old, r, fail);
    case LIST_SPANS:
        arena_init(&arena);
        err = committee_span_of(db, STR_NULL, &arena, &spans, &count, fail);
        if (!err)
            keep_old_spans(r, spans, count, list->day);
        arena_finish(&arena);
        return err;
    }
    return err;
}

static void look_at_seat(void *ctx, struct str committee, struct str member, enum seat_role role)
{
    struct renewal *r = ctx;
    size_t at = r->at;
    while (at < r->list->seated_count && !str_eq(r->list->seated[at], committee))
        at++;
    if (at == r->list->seated_count) /* the list was replaced after its committees were read */
        return;
    r->at = at;
    if (!intmap_get(&r->old, seat_key(committee, member, role)))
        r->renewed[r->at] = true;
}

/* A Senate committee can continue unchanged: it is new once half of its peers are. */
static void renew_with_peers(struct renewal *r)
{
    for (int panel = 0; panel < 2; panel++) {
        size_t renewed = 0, all = 0;
        for (size_t i = 0; i < r->list->seated_count; i++)
            if (committee_id_chamber(r->list->seated[i]) == CHAMBER_SENATE &&
                committee_id_is_panel(r->list->seated[i]) == panel) {
                renewed += r->renewed[i];
                all++;
            }
        for (size_t i = 0; i < r->list->seated_count && 2 * renewed >= all; i++)
            if (committee_id_chamber(r->list->seated[i]) == CHAMBER_SENATE &&
                committee_id_is_panel(r->list->seated[i]) == panel)
                r->renewed[i] = true;
    }
}

/* Takes the committees that the list still has from the Congress before out of `seated`. */
static enum err forget_old(
    struct db *db, struct roster_list *list, const struct roster_list *before, struct fail *fail)
{
    struct renewal r = {.list = list};
    size_t kept = 0;
    intmap_init(&r.old);
    r.renewed = mem_array(list->seated_count + 1, sizeof *r.renewed);
    enum err err = load_old(db, &r, before, fail);
    if (!err)
        err = committee_each_seat(db, list->version_no, look_at_seat, &r, fail);
    if (!err) {
        renew_with_peers(&r);
        for (size_t i = 0; i < list->seated_count; i++)
            if (r.renewed[i])
                list->seated[kept++] = list->seated[i];
        list->seated_count = kept;
    }
    mem_free(r.renewed);
    intmap_finish(&r.old);
    return err;
}

static enum err forget_all_old(struct db *db, struct roster *r, struct fail *fail)
{
    const struct roster_list *before = NULL; /* last list of an earlier Congress */
    enum err err = OK;
    for (size_t i = 0; i < r->count && !err; i++) {
        struct roster_list *list = &r->lists[i];
        int congress = congress_of(list->day);
        if (i > 0 && congress_of(r->days[i - 1]) != congress)
            before = &r->lists[i - 1];
        if (list->source == LIST_IMPORTED && before && congress_of(before->day) + 1 == congress &&
            list->day - congress_first_day(congress) < RENEWAL_DAYS_MAX)
            err = forget_old(db, list, before, fail);
    }
    return err;
}

/* The lists by which a member is judged who is in none of the others: that they lack the member
 * says nothing. */
static const struct roster *imported_only(const struct roster *all, struct arena *arena)
{
    struct roster *r = ARENA_NEW(arena, struct roster);
    *r = (struct roster){.has_imported = all->has_imported};
    r->lists = ARENA_ARRAY(arena, struct roster_list, all->count);
    r->days = ARENA_ARRAY(arena, int32_t, all->count);
    for (size_t i = 0; i < all->count; i++)
        if (all->lists[i].source == LIST_IMPORTED) {
            r->days[r->count] = all->days[i];
            r->lists[r->count++] = all->lists[i];
        }
    return r;
}

enum err roster_load(
    struct db *db, struct arena *arena, const struct roster **ret, struct fail *fail)
{
    struct roster *r = ARENA_NEW(arena, struct roster);
    struct parts parts = {.shipped_count = 0};
    enum meta_data data = META_DATA_NONE;
    *r = (struct roster){.count = 0};
    enum err err = meta_data_get(db, &data, fail);
    if (data != META_DATA_DEMO)
        parts.shipped = seats_shipped_days(&parts.shipped_count);
    if (!err)
        err = committee_span_days(db, arena, &parts.spans, &parts.span_count, fail);
    if (!err)
        err = committee_versions(db, arena, &parts.versions, &parts.version_count, fail);
    if (err)
        return err;
    join(r, &parts, arena);
    struct seated seated = {r, arena, 0};
    if (r->has_imported)
        err = committee_each_seated(db, keep_seated, &seated, fail);
    if (!err && r->has_imported)
        err = forget_all_old(db, r, fail);
    if (!err && r->has_spans)
        err = committee_span_names(db, arena, &r->namings, &r->naming_count, fail);
    if (!err) {
        r->imported = imported_only(r, arena);
        *ret = r;
    }
    return err;
}

const int32_t *roster_days(const struct roster *roster, size_t *ret_count)
{
    *ret_count = roster->count;
    return roster->days;
}
