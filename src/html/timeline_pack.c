/*
 * Where marks go; see timeline_parts.h. The axis is divided into cells. First the fullest cells are
 * merged into bars until few enough elements are left; if that is not enough, cells become longer.
 * Then the other marks are piled up; where a pile is too high, the fullest cell near it is merged,
 * and the lane is piled up again.
 */
#include <string.h>

#include "html/timeline_parts.h"

enum {
    UNDERLINE = 3, /* px more */
    GAP = 1,
    BAR_ROOM = 12, /* px above the highest bar, for its number */
    PART_MIN = 6,  /* px: a part of a bar */
    NEAR = 2,      /* cells on each side of a pile that is too high */
};

struct timeline_cell {
    int32_t from, to;
    int32_t count[2]; /* plain and strong */
    bool merged;
};

struct packing {
    const struct timeline *t;
    struct timeline_cell cells[TIMELINE_LANES_MAX][TIMELINE_CELLS_MAX];
    int cell_count;
    int *offset;   /* of each mark */
    size_t *drawn; /* the marks of a lane that are drawn alone */
};

int timeline_mark_radius(const struct timeline_mark *mark)
{
    return TIMELINE_RADIUS + mark->size;
}

int timeline_mark_extent(const struct timeline_mark *mark)
{
    return 2 * timeline_mark_radius(mark) + (mark->strong ? 2 * TIMELINE_RING : 0);
}

static int height_of(const struct timeline_mark *mark)
{
    return timeline_mark_extent(mark) + (mark->underlined ? UNDERLINE : 0) + GAP;
}

static bool is_shown(const struct timeline *t, const struct timeline_mark *mark)
{
    return mark->day >= t->from && mark->day < t->to && mark->lane < t->lane_count;
}

static void divide(struct packing *p, struct timeline_unit unit)
{
    int32_t day = timeline_unit_start(unit, p->t->from);
    memset(p->cells, 0, sizeof p->cells);
    for (p->cell_count = 0; p->cell_count < TIMELINE_CELLS_MAX && day < p->t->to; p->cell_count++) {
        int32_t next = timeline_unit_next(unit, day);
        for (size_t lane = 0; lane < p->t->lane_count; lane++) {
            p->cells[lane][p->cell_count].from = day;
            p->cells[lane][p->cell_count].to = next;
        }
        day = next;
    }
}

static int cell_at(const struct packing *p, int32_t day)
{
    int from = 0, to = p->cell_count - 1;
    while (from < to) {
        int middle = (from + to + 1) / 2;
        if (p->cells[0][middle].from <= day)
            from = middle;
        else
            to = middle - 1;
    }
    return from;
}

static void count_marks(struct packing *p)
{
    for (size_t i = 0; i < p->t->mark_count; i++) {
        const struct timeline_mark *mark = &p->t->marks[i];
        if (is_shown(p->t, mark))
            p->cells[mark->lane][cell_at(p, mark->day)].count[mark->strong]++;
    }
}

static int size_of(const struct timeline_cell *cell)
{
    return cell->merged ? 1 : cell->count[0] + cell->count[1];
}

static int elements(const struct packing *p)
{
    int sum = 0;
    for (size_t lane = 0; lane < p->t->lane_count; lane++)
        for (int i = 0; i < p->cell_count; i++)
            sum += size_of(&p->cells[lane][i]);
    return sum;
}

/* The fullest cell of a lane that can be merged, in a range; NULL: none. */
static struct timeline_cell *fullest(struct packing *p, size_t lane, int from, int to)
{
    struct timeline_cell *best = NULL;
    for (int i = from < 0 ? 0 : from; i <= to && i < p->cell_count; i++) {
        struct timeline_cell *cell = &p->cells[lane][i];
        if (!cell->merged && size_of(cell) > 1 && (!best || size_of(cell) > size_of(best)))
            best = cell;
    }
    return best;
}

static void merge_until_few(struct packing *p)
{
    while (elements(p) > TIMELINE_ELEMENTS_MAX) {
        struct timeline_cell *best = NULL;
        for (size_t lane = 0; lane < p->t->lane_count; lane++) {
            struct timeline_cell *cell = fullest(p, lane, 0, p->cell_count - 1);
            if (cell && (!best || size_of(cell) > size_of(best)))
                best = cell;
        }
        if (!best)
            return;
        best->merged = true;
    }
}

static int pixels_between(const struct timeline *t, int32_t a, int32_t b)
{
    int apart = timeline_at(t, a) - timeline_at(t, b);
    return (apart < 0 ? -apart : apart) * TIMELINE_NARROW / 1000;
}

/* The lowest free place above the marks before this one that it would cover. */
static int free_offset(const struct packing *p, size_t count, size_t index)
{
    const struct timeline_mark *mark = &p->t->marks[index];
    int offset = TIMELINE_AXIS_GAP;
    for (bool moved = true; moved;) {
        moved = false;
        for (size_t i = count; i > 0; i--) {
            const struct timeline_mark *other = &p->t->marks[p->drawn[i - 1]];
            int apart = pixels_between(p->t, mark->day, other->day);
            int top = p->offset[p->drawn[i - 1]] + height_of(other);
            if (apart > 2 * (TIMELINE_RADIUS + TIMELINE_SIZES + TIMELINE_RING))
                break;
            if (apart * 2 >= timeline_mark_extent(mark) + timeline_mark_extent(other) ||
                top <= offset || p->offset[p->drawn[i - 1]] >= offset + height_of(mark))
                continue;
            offset = top;
            moved = true;
        }
    }
    return offset;
}

/* Piles up the marks of a lane that are drawn alone; returns the height. */
static int pile(struct packing *p, size_t lane)
{
    int height = 0;
    size_t count = 0;
    for (size_t i = 0; i < p->t->mark_count; i++) {
        const struct timeline_mark *mark = &p->t->marks[i];
        if (mark->lane != lane || !is_shown(p->t, mark))
            continue;
        int at = cell_at(p, mark->day);
        if (p->cells[lane][at].merged)
            continue;
        p->offset[i] = free_offset(p, count, i);
        int top = p->offset[i] + height_of(mark);
        struct timeline_cell *near =
            top > TIMELINE_PILE_MAX ? fullest(p, lane, at - NEAR, at + NEAR) : NULL;
        if (near) {
            near->merged = true;
            return -1;
        }
        p->drawn[count++] = i;
        height = top > height ? top : height;
    }
    return height;
}

static void add_bar(struct timeline_packed *packed, int lane, const struct timeline_cell *cell)
{
    packed->places[packed->count++] = (struct timeline_place){
        .lane = lane,
        .is_bar = true,
        .from = cell->from,
        .to = cell->to,
        .count = {cell->count[0], cell->count[1]},
    };
    packed->has_bars = true;
    packed->has_hatch |= cell->count[1] > 0;
}

static void add_lane(struct packing *p, struct timeline_packed *packed, size_t lane)
{
    int next = 0; /* the first cell that is not added yet */
    for (size_t i = 0; i <= p->t->mark_count; i++) {
        const struct timeline_mark *mark = i < p->t->mark_count ? &p->t->marks[i] : NULL;
        if (mark && (mark->lane != lane || !is_shown(p->t, mark)))
            continue;
        int at = mark ? cell_at(p, mark->day) : p->cell_count - 1;
        for (; next <= at; next++)
            if (p->cells[lane][next].merged)
                add_bar(packed, (int)lane, &p->cells[lane][next]);
        if (mark && !p->cells[lane][at].merged)
            packed->places[packed->count++] =
                (struct timeline_place){.lane = (int)lane, .mark = i, .offset = p->offset[i]};
    }
}

static int32_t whole(const struct timeline_place *bar)
{
    return bar->count[0] + bar->count[1];
}

/* The root of a number of hundredths. */
static int64_t root(int64_t value)
{
    int64_t low = 0, high = value + 1;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (middle <= value / middle)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The height of a bar goes with the root of its number, so that a few are seen beside many. The
 * number stands on the bar. */
static void set_heights(struct timeline_packed *packed)
{
    const int room = TIMELINE_PILE_MAX - TIMELINE_AXIS_GAP - BAR_ROOM;
    int32_t most = 1;
    for (size_t i = 0; i < packed->count; i++)
        most = whole(&packed->places[i]) > most ? whole(&packed->places[i]) : most;
    for (size_t i = 0; i < packed->count; i++) {
        struct timeline_place *bar = &packed->places[i];
        if (!bar->is_bar)
            continue;
        int64_t all = room * root((int64_t)whole(bar) * 10000 / most) / 100;
        for (int part = 0; part < 2; part++) {
            int height = (int)(all * bar->count[part] / whole(bar));
            bar->height[part] = bar->count[part] && height < PART_MIN ? PART_MIN : height;
        }
        int top = TIMELINE_AXIS_GAP + bar->height[0] + bar->height[1] + BAR_ROOM;
        int *lane = &packed->height[bar->lane];
        *lane = top > *lane ? top : *lane;
    }
}

struct timeline_packed timeline_pack(const struct timeline *t, struct arena *arena)
{
    struct packing *p = ARENA_NEW(arena, struct packing);
    struct timeline_packed packed = {0};
    int unit = 0;
    p->t = t;
    p->offset = ARENA_ARRAY(arena, int, t->mark_count + 1);
    p->drawn = ARENA_ARRAY(arena, size_t, t->mark_count + 1);
    do {
        divide(p, timeline_unit_for(t->from, t->to, TIMELINE_CELLS_MAX, &unit));
        count_marks(p);
        merge_until_few(p);
    } while (elements(p) > TIMELINE_ELEMENTS_MAX && ++unit < timeline_units());
    packed.places = ARENA_ARRAY(arena, struct timeline_place, (size_t)elements(p) + 1);
    for (size_t lane = 0; lane < t->lane_count; lane++) {
        while ((packed.height[lane] = pile(p, lane)) < 0)
            ;
        add_lane(p, &packed, lane);
    }
    set_heights(&packed);
    return packed;
}
