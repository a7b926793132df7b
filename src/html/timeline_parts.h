/* The parts of a drawing on an axis of days; see timeline.h. Private to src/html. */
#pragma once

#include "html/timeline.h"

enum {
    TIMELINE_CELLS_MAX = 60,    /* stretches of the axis whose marks can become a bar */
    TIMELINE_ELEMENTS_MAX = 40, /* marks and bars, as far as merging can do it */
    TIMELINE_PILE_MAX = 84,     /* px: the height of a lane */
    TIMELINE_AXIS_GAP = 4,      /* px between the axis of a lane and what stands on it */
    TIMELINE_NARROW = 330,      /* px: the width on which marks must not cover each other */
    TIMELINE_RADIUS = 3,        /* px: of the smallest mark; each size adds one */
    TIMELINE_GAP_HEIGHT = 8,    /* px */
    TIMELINE_RING = 3,          /* px between a mark and the outside of its ring */
};

/* A stretch of the calendar. */
struct timeline_unit {
    enum { UNIT_DAY, UNIT_WEEK, UNIT_MONTH, UNIT_YEAR } kind;
    int count; /* of days (1 or 7: one of the kind), months or years */
};

/* The first day of the stretch that has this day, and of the next one. */
int32_t timeline_unit_start(struct timeline_unit unit, int32_t day);
int32_t timeline_unit_next(struct timeline_unit unit, int32_t start);

/* The finest unit that divides the axis into at most `max` stretches, beginning with
 * units[*index]; sets *index to its place. */
struct timeline_unit timeline_unit_for(int32_t from, int32_t to, int max, int *index);
int timeline_units(void); /* number of units */

/* The unit of the axis' labels. */
struct timeline_unit timeline_tick_unit(int32_t from, int32_t to);

/* The text of a stretch above the axis: "2024", "Mar 2024", "Mar 5". */
void timeline_unit_text(struct buf *b, struct timeline_unit unit, int32_t start);

/* Tenths of a percent of the axis. Days outside are at its ends. */
int timeline_at(const struct timeline *t, int32_t day);
/* The middle of a day inside the axis. */
int timeline_middle(const struct timeline *t, int32_t day);

/* A place in the drawing: one mark, or the marks of one stretch as a bar. */
struct timeline_place {
    int lane;
    bool is_bar;
    size_t mark;      /* index, unless it is a bar */
    int offset;       /* px from the axis to the near side of the mark */
    int32_t from, to; /* of a bar: its stretch, `to` is the next one's first day */
    int32_t count[2]; /* of a bar: plain and strong marks */
    int height[2];    /* px: of a bar's parts */
};

struct timeline_packed {
    struct timeline_place *places; /* by lane and day */
    size_t count;
    int height[TIMELINE_LANES_MAX]; /* px */
    bool has_bars, has_hatch;
};

/* Decides for each mark whether it is drawn alone, and where. In the arena. */
struct timeline_packed timeline_pack(const struct timeline *t, struct arena *arena);

int timeline_mark_radius(const struct timeline_mark *mark); /* px */
/* px: the width of a mark with its ring */
int timeline_mark_extent(const struct timeline_mark *mark);

/* The name of a mark's definition. */
void timeline_put_mark_id(struct buf *b, const char *id, const struct timeline_mark *mark);

/* <defs> with each kind of mark in the drawing. */
void timeline_put_definitions(
    struct buf *b, const struct timeline *t, const struct timeline_packed *packed);

/* Adds the list `legend`: sample, label. */
void timeline_add_legend(struct view *to, const struct timeline *t);
