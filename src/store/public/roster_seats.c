/* The seats of members in all lists; see roster.h. */
#include "store/public/roster.h"

#include <stdlib.h>

#include "base/search.h"
#include "market/congress.h"
#include "market/seats_shipped.h"
#include "store/public/committee.h"
#include "store/row/list.h"

enum { TITLE_SIZE_MAX = 2048, OPEN_MAX = 256 /* seats of one member in one list */ };

/* What the sources have of one member. */
struct sources {
    struct str member;
    const struct seat_span *shipped, *spans;
    size_t shipped_count, span_count;
    const struct committee_held *held; /* by day */
    size_t held_count;
};

/* A walk over the lists. `open` are the seats of the list before, as indexes into `seats`. */
struct roster_walk {
    const struct roster *roster;
    const struct sources *sources;
    struct arena *arena;
    struct list *seats;
    size_t open[OPEN_MAX], next[OPEN_MAX];
    size_t open_count, next_count;
    size_t held; /* the first of the sources' that is not before the current list */
    int list;
};

static struct seat *seat_at(const struct roster_walk *w, size_t index)
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
static void add(struct roster_walk *w, const struct seat *seat, struct str parent)
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
        BUF_SCOPED(title, TITLE_SIZE_MAX);
        committee_title(&title, new->name, parent);
        new->title = arena_str(w->arena, buf_view(&title));
    }
    w->next[w->next_count++] = w->seats->count - 1;
}

static struct str imported_name(const struct roster *r, struct str committee, int32_t day)
{
    struct str name = STR_NULL;
    size_t from = FIRST_NOT(i, r->naming_count, str_cmp(r->namings[i].committee, committee) < 0);
    for (; from < r->naming_count && str_eq(r->namings[from].committee, committee); from++)
        if (str_is_null(name) || r->namings[from].from <= day)
            name = r->namings[from].name;
    return name;
}

static struct str name_on(const struct roster_walk *w, struct str committee, int32_t day)
{
    struct str name = w->roster->lists[w->list].source == LIST_SPANS
                          ? imported_name(w->roster, committee, day)
                          : STR_NULL;
    name = str_is_null(name) ? seats_shipped_name(committee, day) : name;
    return str_is_null(name) ? committee : name;
}

static void add_spans(
    struct roster_walk *w, const struct seat_span *spans, size_t count, int32_t day)
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

static void add_held(struct roster_walk *w, const struct roster_list *list)
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
        if (roster_list_has(list, held->id))
            add(w, &seat, STR_NULL);
    }
    w->held = i;
}

/* A subcommittee without seats beside a committee with seats is dissolved, not left out. */
static bool is_left_out(const struct roster_list *list, struct str committee)
{
    return !roster_list_has(list, committee) &&
           !roster_list_has(list, str_slice(committee, 0, COMMITTEE_ID_SIZE));
}

static void keep_left_out(struct roster_walk *w, const struct roster_list *list)
{
    for (size_t i = 0; i < w->open_count && w->next_count < OPEN_MAX; i++)
        if (is_left_out(list, seat_at(w, w->open[i])->id))
            w->next[w->next_count++] = w->open[i];
}

/* Ends the open seats that are not in the current list, and opens the seats of that. */
static void turn(struct roster_walk *w)
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

static void walk_list(struct roster_walk *w, const struct roster_list *list)
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
    struct roster_walk w = {.roster = r, .sources = sources, .arena = arena, .seats = seats};
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
    QUERY(q, db, "SELECT id FROM member WHERE no = $1", V(member_no));
    if (query_row(&q))
        *ret = query_text(&q, 0, arena);
    return query_end_or(
        &q, ERR_NOT_FOUND, fail, "there is no member with number %lld", (long long)member_no);
}

static struct conflict_seats seats_of(
    const struct roster *r, const struct sources *s, struct arena *arena)
{
    LIST_SCOPED(seats, struct seat);
    const struct roster *used = s->shipped_count || s->span_count ? r : r->imported;
    walk(used, s, 0, arena, &seats);
    size_t count = seats.count;
    return (struct conflict_seats){
        used->days, used->count, r->count ? r->days[r->count - 1] : DAY_NONE,
        list_keep(&seats, arena), count};
}

enum err roster_seats_of(
    struct db *db, const struct roster *r, int64_t member_no, struct arena *arena,
    struct conflict_seats *ret, struct fail *fail)
{
    struct sources s = {.member = STR_NULL};
    struct committee_held *held = NULL;
    struct seat_span *spans = NULL;
    TRY(member_id(db, member_no, arena, &s.member, fail));
    if (r->has_spans)
        TRY(committee_span_of(db, s.member, arena, &spans, &s.span_count, fail));
    if (r->has_imported)
        TRY(committee_seats_of(db, member_no, arena, &held, &s.held_count, fail));
    s.shipped = seats_shipped_of(s.member, &s.shipped_count);
    s.spans = spans;
    s.held = held;
    *ret = seats_of(r, &s, arena);
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
    ARENA_SCOPED(arena);
    LIST_SCOPED(seats, struct seat);
    walk(r, s, first, &arena, &seats);
    if (seats.count)
        qsort(seats.items, seats.count, sizeof(struct seat), by_id);
    for (size_t i = 0; i < seats.count; i++) {
        const struct seat *seat = (const struct seat *)(void *)(seats.items + i * seats.size);
        if ((size_t)seat->after == r->count)
            visit(ctx, s->member, seat);
    }
}

static bool has_shipped(const struct roster *r, size_t first)
{
    for (size_t i = first; i < r->count; i++)
        if (r->lists[i].source == LIST_SHIPPED)
            return true;
    return false;
}

enum err roster_each_current(struct db *db, roster_visit *visit, void *ctx, struct fail *fail)
{
    ARENA_SCOPED(arena);
    const struct roster *r = NULL;
    struct everybody e = {.rest = {.member = STR_NULL}};
    struct committee_held *held = NULL;
    struct seat_span *spans = NULL;
    enum err err = roster_load(db, &arena, &r, fail);
    size_t first = err ? 0 : r->count;
    while (first > 0 && congress_of(r->days[first - 1]) == congress_of(r->days[r->count - 1]))
        first--;
    if (!err && r->has_spans)
        err = committee_span_of(db, STR_NULL, &arena, &spans, &e.rest.span_count, fail);
    if (!err && r->has_imported)
        err = committee_seats_since(db, r->days[first], &arena, &held, &e.rest.held_count, fail);
    if (!err && r->count) {
        if (has_shipped(r, first))
            e.rest.shipped = seats_shipped_all(&e.rest.shipped_count);
        e.rest.spans = spans;
        e.rest.held = held;
        while (next_member(&e))
            visit_member(r, &e.member, first, visit, ctx);
    }
    return err;
}

enum err roster_each_member(
    struct db *db, struct arena *arena, roster_member_visit *visit, void *ctx, struct fail *fail)
{
    const struct roster *r = NULL;
    struct everybody e = {.rest = {.member = STR_NULL}};
    struct committee_held *held = NULL;
    struct seat_span *spans = NULL;
    TRY(roster_load(db, arena, &r, fail));
    if (r->has_spans)
        TRY(committee_span_of(db, STR_NULL, arena, &spans, &e.rest.span_count, fail));
    if (r->has_imported)
        TRY(committee_seats_since(db, r->days[0], arena, &held, &e.rest.held_count, fail));
    e.rest.shipped = seats_shipped_all(&e.rest.shipped_count);
    e.rest.spans = spans;
    e.rest.held = held;
    while (next_member(&e)) {
        const struct conflict_seats seats = seats_of(r, &e.member, arena);
        if (seats.count)
            visit(ctx, e.member.member, &seats);
    }
    return OK;
}
