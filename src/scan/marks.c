/* Marks; see marks.h. */
#include "scan/marks.h"

#include "scan/strokes.h"

/* Boxed: thousandths of the area. Printed boxes without a mark have 0 to 10, typed ticks 60 and
 * more, crosses 200 to 600. */
enum {
    BOXED_CLEAR = 50,
    BOXED_FAINT = 15,
    SPILL_PART = 3, /* the ink next to a mark may have a third of its strength */
};

/* Free: dots of ink in strokes that are large enough to be no specks. */
enum {
    STROKE_SIDE = 6, /* of a stroke's frame: the smallest typed x has 8 */
    STROKE_INK = 16,
    FREE_CLEAR = 22,
    TEXT_INK = 60,  /* of the shortest text: "SP" in small letters has 80 */
    LINE_THICK = 4, /* thinner and longer than the next is what is left of a line */
    LINE_LONG = 14,
};

/* Whether it may be part of a mark: not a speck, and not the rest of a line. */
static bool counts(const struct stroke *s)
{
    int width = s->frame.right - s->frame.left, height = s->frame.bottom - s->frame.top;
    if ((width <= LINE_THICK && height >= LINE_LONG) ||
        (height <= LINE_THICK && width >= LINE_LONG))
        return false;
    return s->ink >= STROKE_INK && (width >= STROKE_SIDE || height >= STROKE_SIDE);
}

/* Whether it hangs down from the line above, into the upper half: the end of a letter there. */
static bool hangs(const struct stroke *s, struct area area)
{
    return s->frame.top == 0 && 2 * s->frame.bottom <= area.bottom - area.top;
}

/* Dots of ink in strokes that count. */
static int stroke_ink(const struct bitmap *map, struct area area, bool with_hanging)
{
    struct strokes strokes;
    struct stroke stroke;
    int ink = 0;
    if (!strokes_begin(&strokes, map, area))
        return 0;
    while (strokes_next(&strokes, &stroke))
        ink += counts(&stroke) && (with_hanging || !hangs(&stroke, area)) ? stroke.ink : 0;
    strokes_finish(&strokes);
    return ink;
}

bool mark_is_text(const struct bitmap *map, struct area area, bool hanging)
{
    return stroke_ink(map, area, hanging) >= TEXT_INK;
}

bool mark_touches_side(const struct bitmap *map, struct area area, bool ends)
{
    struct strokes strokes;
    struct stroke s;
    bool touches = false;
    if (!strokes_begin(&strokes, map, area))
        return false;
    while (!touches && strokes_next(&strokes, &s)) {
        bool side = s.frame.left == 0 || s.frame.right == strokes.width;
        bool end = s.frame.top == 0 || s.frame.bottom == strokes.height;
        touches = (side || (ends && end)) && counts(&s);
    }
    strokes_finish(&strokes);
    return touches;
}

struct scan_mark mark_measure(const struct bitmap *map, struct area area, bool boxed)
{
    int ink = boxed ? area_ink(map, area) : stroke_ink(map, area, true);
    if (!boxed)
        return (struct scan_mark){
            .clear = ink >= FREE_CLEAR, .faint = ink > 0 && ink < FREE_CLEAR, .strength = ink};
    return (struct scan_mark){
        .clear = ink >= BOXED_CLEAR,
        .faint = ink >= BOXED_FAINT && ink < BOXED_CLEAR,
        .strength = ink,
    };
}

void marks_judge(const struct scan_mark *marks, int count, enum mark_verdict *ret)
{
    int strongest = 0;
    for (int i = 0; i < count; i++)
        if (marks[i].clear && marks[i].strength > strongest)
            strongest = marks[i].strength;
    for (int i = 0; i < count; i++)
        ret[i] = SPILL_PART * marks[i].strength < strongest ? MARK_NONE
                 : marks[i].clear                           ? MARK_CLEAR
                 : marks[i].faint                           ? MARK_FAINT
                                                            : MARK_NONE;
}
