/* All lists of seats as one; see roster.h. */
#include "store/roster.h"

#include <assert.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/intmap.h"
#include "core/congress.h"
#include "core/seats_shipped.h"
#include "store/committee.h"
#include "store/committee_span.h"
#include "store/list.h"
#include "store/meta.h"

enum {
    TITLE_SIZE_MAX = 2048,
    OPEN_MAX = 256,        /* seats of one member in one list */
    RENEWAL_DAYS_MAX = 200 /* a list so long after its Congress began is taken to be of it */
};

enum list_source { LIST_SHIPPED, LIST_SPANS, LIST_IMPORTED };

struct roster_list {
    int32_t day;
    enum list_source source;
    int64_t version_no; /* of LIST_IMPORTED */
    struct str *seated; /* of LIST_IMPORTED: ids of committees whose seats it has, ascending */
    size_t seated_count;
};

struct roster {
    struct roster_list *lists;
    int32_t *days; /* of the lists */
    size_t count;
    bool has_imported, has_spans;
    struct committee_naming *namings; /* of the spans */
    size_t naming_count;
    const struct roster *imported; /* the imported lists alone; NULL in that one */
};

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
    while (lists[s->list].source != LIST_IMPORTED || lists[s->list].version_no != version_no)
        s->list++;
    struct roster_list *list = &lists[s->list];
    if ((list->seated_count & (list->seated_count - 1)) == 0) { /* grow at powers of two */
        struct str *more = ARENA_ARRAY(s->arena, struct str, 2 * list->seated_count + 1);
        for (size_t i = 0; i < list->seated_count; i++)
            more[i] = list->seated[i];
        list->seated = more;
    }
    list->seated[list->seated_count++] = arena_str(s->arena, committee);
}

static bool is_seated(const struct roster_list *list, struct str committee)
{
    size_t from = 0, to = list->seated_count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (str_cmp(list->seated[middle], committee) < 0)
            from = middle + 1;
        else
            to = middle;
    }
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
    while (!str_eq(r->list->seated[r->at], committee))
        r->at++;
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

/* --- the seats of one member */

/* What the sources have of one member. */
struct sources {
    struct str member;
    const struct seat_span *shipped, *spans;
    size_t shipped_count, span_count;
    const struct committee_held *held; /* by day */
    size_t held_count;
};

/* A walk over the lists. `open` are the seats of the list before, as indexes into `seats`. */
struct walk {
    const struct roster *roster;
    const struct sources *sources;
    struct arena *arena;
    struct list *seats;
    size_t open[OPEN_MAX], next[OPEN_MAX];
    size_t open_count, next_count;
    size_t held; /* the first of the sources' that is not before the current list */
    int list;
};

static struct seat *seat_at(const struct walk *w, size_t index)
{
    return (struct seat *)(void *)(w->seats->items + index * w->seats->size);
}

/* True if that seat continues with the same name, which counts for subcommittees only: their ids
 * are reused. */
static bool continues(const struct seat *seat, const struct seat *now)
{
    return str_eq(seat->id, now->id) && seat->role == now->role && seat->chamber == now->chamber &&
           (!seat->subcommittee || str_eq_nocase(seat->name, now->name));
}

/* Adds the seat to the current list: `seat` without its lists and, for spans, without a title. */
static void add(struct walk *w, const struct seat *seat, struct str parent)
{
    if (w->next_count == OPEN_MAX)
        return;
    for (size_t i = 0; i < w->open_count; i++)
        if (continues(seat_at(w, w->open[i]), seat)) {
            w->next[w->next_count++] = w->open[i];
            return;
        }
    struct seat *new = list_add(w->seats);
    *new = *seat;
    new->first = w->list;
    if (str_is_null(new->title)) {
        struct buf title;
        buf_init(&title, TITLE_SIZE_MAX);
        committee_title(&title, new->name, parent);
        new->title = arena_str(w->arena, buf_view(&title));
        buf_finish(&title);
    }
    w->next[w->next_count++] = w->seats->count - 1;
}

static struct str imported_name(const struct roster *r, struct str committee, int32_t day)
{
    struct str name = STR_NULL;
    size_t from = 0, to = r->naming_count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (str_cmp(r->namings[middle].committee, committee) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    for (; from < r->naming_count && str_eq(r->namings[from].committee, committee); from++)
        if (str_is_null(name) || r->namings[from].from <= day)
            name = r->namings[from].name;
    return name;
}

static struct str name_on(const struct walk *w, struct str committee, int32_t day)
{
    struct str name = w->roster->lists[w->list].source == LIST_SPANS
                          ? imported_name(w->roster, committee, day)
                          : STR_NULL;
    name = str_is_null(name) ? seats_shipped_name(committee, day) : name;
    return str_is_null(name) ? committee : name;
}

static void add_spans(struct walk *w, const struct seat_span *spans, size_t count, int32_t day)
{
    for (size_t i = 0; i < count; i++) {
        const struct seat_span *span = &spans[i];
        if (!seat_span_covers(span, day))
            continue;
        bool panel = committee_id_is_panel(span->committee);
        struct seat seat = {
            .id = span->committee,
            .name = name_on(w, span->committee, day),
            .subcommittee = panel,
            .chamber = committee_id_chamber(span->committee),
        };
        seat_role_from_title(span->title, &seat.role);
        add(w, &seat,
            panel ? name_on(w, str_slice(span->committee, 0, COMMITTEE_ID_SIZE), day) : STR_NULL);
    }
}

static void add_held(struct walk *w, const struct roster_list *list)
{
    const struct sources *s = w->sources;
    size_t i = w->held;
    while (i < s->held_count && s->held[i].version_no != list->version_no)
        i++;
    if (i == s->held_count)
        return; /* the member is not in it */
    for (; i < s->held_count && s->held[i].version_no == list->version_no; i++) {
        const struct committee_held *held = &s->held[i];
        const struct seat seat = {
            .id = held->id,
            .name = held->name,
            .title = held->title,
            .subcommittee = held->subcommittee,
            .chamber = held->chamber,
            .role = held->role,
        };
        if (is_seated(list, held->id))
            add(w, &seat, STR_NULL);
    }
    w->held = i;
}

/* A subcommittee without seats beside a committee with seats is dissolved, not left out. */
static bool is_left_out(const struct roster_list *list, struct str committee)
{
    return !is_seated(list, committee) &&
           !is_seated(list, str_slice(committee, 0, COMMITTEE_ID_SIZE));
}

static void keep_left_out(struct walk *w, const struct roster_list *list)
{
    for (size_t i = 0; i < w->open_count && w->next_count < OPEN_MAX; i++)
        if (is_left_out(list, seat_at(w, w->open[i])->id))
            w->next[w->next_count++] = w->open[i];
}

/* Ends the open seats that are not in the current list, and opens the seats of that. */
static void turn(struct walk *w)
{
    for (size_t i = 0; i < w->open_count; i++) {
        bool stays = false;
        for (size_t k = 0; k < w->next_count && !stays; k++)
            stays = w->next[k] == w->open[i];
        if (!stays)
            seat_at(w, w->open[i])->after = w->list;
    }
    for (size_t i = 0; i < w->next_count; i++)
        w->open[i] = w->next[i];
    w->open_count = w->next_count;
    w->next_count = 0;
}

static void walk_list(struct walk *w, const struct roster_list *list)
{
    const struct sources *s = w->sources;
    switch (list->source) {
    case LIST_SHIPPED:
        add_spans(w, s->shipped, s->shipped_count, list->day);
        break;
    case LIST_SPANS:
        add_spans(w, s->spans, s->span_count, list->day);
        break;
    case LIST_IMPORTED:
        add_held(w, list);
        keep_left_out(w, list);
        break;
    }
}

/* Collects the member's seats in the lists from `first` on. */
static void walk(
    const struct roster *r, const struct sources *sources, size_t first, struct arena *arena,
    struct list *seats)
{
    struct walk w = {.roster = r, .sources = sources, .arena = arena, .seats = seats};
    for (size_t i = first; i < r->count; i++) {
        w.list = (int)i;
        if (i > first && congress_of(r->days[i]) != congress_of(r->days[i - 1]))
            turn(&w); /* no seat goes on into the next Congress */
        walk_list(&w, &r->lists[i]);
        turn(&w);
    }
    w.list = (int)r->count;
    turn(&w);
}

static enum err member_id(
    struct db *db, int64_t member_no, struct arena *arena, struct str *ret, struct fail *fail)
{
    struct query q;
    query_start(&q, db, "SELECT id FROM member WHERE no = $1");
    query_i64(&q, member_no);
    if (query_row(&q))
        *ret = arena_str(arena, query_get_str(&q, 0));
    return query_end_or(
        &q, ERR_NOT_FOUND, fail, "there is no member with number %lld", (long long)member_no);
}

enum err roster_seats_of(
    struct db *db, const struct roster *r, int64_t member_no, struct arena *arena,
    struct conflict_seats *ret, struct fail *fail)
{
    struct sources s = {.member = STR_NULL};
    struct committee_held *held = NULL;
    struct seat_span *spans = NULL;
    struct list seats;
    enum err err = member_id(db, member_no, arena, &s.member, fail);
    if (!err && r->has_spans)
        err = committee_span_of(db, s.member, arena, &spans, &s.span_count, fail);
    if (!err && r->has_imported)
        err = committee_seats_of(db, member_no, arena, &held, &s.held_count, fail);
    if (err)
        return err;
    s.shipped = seats_shipped_of(s.member, &s.shipped_count);
    s.spans = spans;
    s.held = held;
    list_init(&seats, sizeof(struct seat));
    const struct roster *used = s.shipped_count || s.span_count ? r : r->imported;
    walk(used, &s, 0, arena, &seats);
    size_t count = seats.count;
    *ret = (struct conflict_seats){
        used->days, used->count, r->count ? r->days[r->count - 1] : DAY_NONE,
        list_keep(&seats, arena), count};
    list_finish(&seats);
    return OK;
}

/* --- the seats of today */

/* The sources of all members, each in order of member ids. */
struct everybody {
    struct sources rest;
    struct sources member; /* the next one's part */
};

static struct str earlier(struct str a, struct str b)
{
    return str_is_null(a) || (!str_is_null(b) && str_cmp(b, a) < 0) ? b : a;
}

/* Cuts the member with the lowest id off the sources. */
static bool next_member(struct everybody *e)
{
    struct sources *rest = &e->rest;
    struct str id = STR_NULL;
    if (rest->shipped_count)
        id = earlier(id, rest->shipped->member);
    if (rest->span_count)
        id = earlier(id, rest->spans->member);
    if (rest->held_count)
        id = earlier(id, rest->held->member);
    e->member = (struct sources){
        .member = id, .shipped = rest->shipped, .spans = rest->spans, .held = rest->held};
    for (; rest->shipped_count && str_eq(rest->shipped->member, id); rest->shipped_count--)
        rest->shipped++, e->member.shipped_count++;
    for (; rest->span_count && str_eq(rest->spans->member, id); rest->span_count--)
        rest->spans++, e->member.span_count++;
    for (; rest->held_count && str_eq(rest->held->member, id); rest->held_count--)
        rest->held++, e->member.held_count++;
    return !str_is_null(id);
}

static int by_id(const void *a, const void *b)
{
    return str_cmp(((const struct seat *)a)->id, ((const struct seat *)b)->id);
}

static void visit_member(
    const struct roster *r, const struct sources *s, size_t first, roster_visit *visit, void *ctx)
{
    struct arena arena;
    struct list seats;
    arena_init(&arena);
    list_init(&seats, sizeof(struct seat));
    walk(r, s, first, &arena, &seats);
    qsort(seats.items, seats.count, sizeof(struct seat), by_id);
    for (size_t i = 0; i < seats.count; i++) {
        const struct seat *seat = (const struct seat *)(void *)(seats.items + i * seats.size);
        if ((size_t)seat->after == r->count)
            visit(ctx, s->member, seat);
    }
    list_finish(&seats);
    arena_finish(&arena);
}

enum err roster_each_current(struct db *db, roster_visit *visit, void *ctx, struct fail *fail)
{
    struct arena arena;
    const struct roster *r = NULL;
    struct everybody e = {.rest = {.member = STR_NULL}};
    struct committee_held *held = NULL;
    struct seat_span *spans = NULL;
    arena_init(&arena);
    enum err err = roster_load(db, &arena, &r, fail);
    size_t first = err ? 0 : r->count;
    while (first > 0 && congress_of(r->days[first - 1]) == congress_of(r->days[r->count - 1]))
        first--;
    if (!err && r->has_spans)
        err = committee_span_of(db, STR_NULL, &arena, &spans, &e.rest.span_count, fail);
    if (!err && r->has_imported)
        err = committee_seats_since(db, r->days[first], &arena, &held, &e.rest.held_count, fail);
    if (!err && r->count) {
        e.rest.shipped = seats_shipped_all(&e.rest.shipped_count);
        e.rest.spans = spans;
        e.rest.held = held;
        while (next_member(&e))
            visit_member(r, &e.member, first, visit, ctx);
    }
    arena_finish(&arena);
    return err;
}
