/* A member's seats; see member_seats.h. */
#include "site/data/member_seats.h"

#include <stdlib.h>

#include "base/fold.h"
#include "market/congress.h"
#include "store/public/roster.h"

enum {
    LETTERS = 26,
    NEW_CONGRESS_DAYS = 60, /* committees are filled again some weeks after a Congress begins */
    PERIODS_SIZE_MAX = 4096,
};

/* --- rows */

/* The words of a name: lists differ in commas and letter case. */
static struct str words_of(struct str name, struct arena *arena)
{
    BUF_SCOPED(b, 2 * FOLD_TEXT_MAX);
    return fold_words(&b, name, FOLD_SEARCH) ? arena_str(arena, buf_view(&b)) : name;
}

static bool same_words(struct str a, struct str b, struct arena *arena)
{
    return str_eq(a, b) || str_eq(words_of(a, arena), words_of(b, arena));
}

/* Ids of subcommittees are reused, so their names count. */
static bool is_row_of(const struct member_seat *row, const struct seat *seat, struct arena *arena)
{
    return str_eq(row->id, seat->id) && (!row->panel || same_words(row->name, seat->name, arena));
}

struct str seat_without_chamber(struct str name)
{
    static const struct str starts[] = {
        STR_INIT("House Committee on the "),
        STR_INIT("House Committee on "),
        STR_INIT("Senate Committee on the "),
        STR_INIT("Senate Committee on "),
        STR_INIT("House "),
        STR_INIT("Senate ")};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (str_starts(name, starts[i]) && name.n > starts[i].n)
            return str_slice(name, starts[i].n, name.n);
    return name;
}

static struct member_seat *row_for(
    struct member_seats *seats, const struct seat *seat, size_t seat_count, struct arena *arena)
{
    for (size_t i = 0; i < seats->count; i++)
        if (is_row_of(&seats->rows[i], seat, arena))
            return &seats->rows[i];
    if (seats->count == MEMBER_SEATS_MAX)
        return NULL;
    struct member_seat *row = &seats->rows[seats->count++];
    *row = (struct member_seat){
        .id = seat->id,
        .name = seat->subcommittee ? seat->name : seat_without_chamber(seat->name),
        .title = seat->title,
        .panel = seat->subcommittee,
        .spans = ARENA_ARRAY(arena, struct timeline_span, seat_count),
        .roles = ARENA_ARRAY(arena, enum seat_role, seat_count),
    };
    return row;
}

/* The days of the seat in this role: until the first list without it, the next Congress, or the day
 * on which the member left. */
static struct timeline_span span_of(
    const struct conflict_seats *lists, const struct seat *seat, int32_t left)
{
    int32_t from = lists->days[seat->first];
    int32_t closes = congress_first_day(congress_of(from) + 1);
    int32_t to = lists->newest >= closes ? closes : from < left ? left : DAY_NONE;
    if ((size_t)seat->after < lists->day_count && lists->days[seat->after] < closes)
        to = lists->days[seat->after];
    return (struct timeline_span){from, to};
}

/* Sorts the rows: a committee by its first day, and its subcommittees after it. */
static const struct member_seat *parent_of(
    const struct member_seats *seats, const struct member_seat *row)
{
    for (size_t i = 0; i < seats->count; i++)
        if (!seats->rows[i].panel &&
            str_eq(seats->rows[i].id, str_slice(row->id, 0, COMMITTEE_ID_SIZE)))
            return &seats->rows[i];
    return row;
}

static int order(const void *a, const void *b, void *ctx)
{
    const struct member_seat *x = a, *y = b;
    const struct member_seat *px = parent_of(ctx, x), *py = parent_of(ctx, y);
    int32_t days[] = {px->spans[0].from, py->spans[0].from, x->spans[0].from, y->spans[0].from};
    if (days[0] != days[1])
        return days[0] < days[1] ? -1 : 1;
    int by_committee =
        str_cmp(str_slice(px->id, 0, COMMITTEE_ID_SIZE), str_slice(py->id, 0, COMMITTEE_ID_SIZE));
    if (by_committee)
        return by_committee;
    if (x->panel != y->panel)
        return x->panel ? 1 : -1;
    if (days[2] != days[3])
        return days[2] < days[3] ? -1 : 1;
    return str_cmp(x->title, y->title);
}

static void sort_rows(struct member_seats *seats, struct arena *arena)
{
    struct member_seats before = *seats;
    before.rows = ARENA_ARRAY(arena, struct member_seat, seats->count);
    for (size_t i = 0; i < seats->count; i++)
        before.rows[i] = seats->rows[i];
    qsort_r(seats->rows, seats->count, sizeof *seats->rows, order, &before);
    for (size_t i = 0; i < seats->count; i++)
        seats->rows[i].key =
            i < LETTERS ? arena_fmt(arena, "%c", (int)('A' + i)) : arena_fmt(arena, "%zu", i + 1);
}

/* --- the seats of a signal */

uint64_t member_seats_of(
    const struct member_seats *seats, const struct topics *topics, const struct signal_topic *topic,
    struct arena *arena)
{
    uint64_t rows = 0;
    for (uint32_t i = 0; topic && i < topic->committee_count; i++) {
        struct str id = topics_committee(topics, topic->committees[i])->id;
        for (size_t k = 0; k < seats->count; k++) {
            const struct member_seat *row = &seats->rows[k];
            if (str_eq(row->id, id) &&
                (!row->panel || same_words(row->title, topic->names[i], arena)))
                rows |= UINT64_C(1) << k;
        }
    }
    return rows;
}

enum err member_seats_load(
    struct db *db, int64_t member_no, int32_t left, struct arena *arena, struct member_seats *ret,
    struct fail *fail)
{
    const struct roster *roster;
    struct conflict_seats lists;
    *ret = (struct member_seats){.rows = ARENA_ARRAY(arena, struct member_seat, MEMBER_SEATS_MAX)};
    TRY(roster_load(db, arena, &roster, fail));
    TRY(roster_seats_of(db, roster, member_no, arena, &lists, fail));
    for (size_t i = 0; i < lists.count; i++) {
        struct member_seat *row = row_for(ret, &lists.items[i], lists.count, arena);
        ret->more |= !row;
        if (!row)
            continue;
        row->roles[row->span_count] = lists.items[i].role;
        row->spans[row->span_count++] = span_of(&lists, &lists.items[i], left);
    }
    sort_rows(ret, arena);
    return OK;
}

/* --- periods */

static const char *role_text(enum seat_role role)
{
    static const char *const texts[SEAT_ROLE_COUNT] = {
        [SEAT_CHAIR] = "chair",
        [SEAT_RANKING_MEMBER] = "ranking member",
        [SEAT_VICE_CHAIR] = "vice chair",
    };
    return texts[role];
}

struct str member_seat_periods(const struct member_seat *seat, struct arena *arena)
{
    char space[PERIODS_SIZE_MAX];
    struct buf b = buf_over(space, sizeof space);
    for (size_t i = 0; i < seat->span_count;) {
        enum seat_role role = seat->roles[i];
        int32_t from = seat->spans[i].from, to = seat->spans[i].to;
        buf_text(&b, i ? "; " : "");
        while (++i < seat->span_count && seat->roles[i] == role && to != DAY_NONE &&
               seat->spans[i].from <= to + NEW_CONGRESS_DAYS)
            to = seat->spans[i].to;
        if (to == DAY_NONE)
            buf_text(&b, "since ");
        day_put(&b, from);
        if (to != DAY_NONE) {
            buf_text(&b, " to ");
            day_put(&b, to);
        }
        if (role_text(role))
            buf_fmt(&b, " (%s)", role_text(role));
    }
    return arena_str(arena, buf_view(&b));
}
