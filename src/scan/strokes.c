/* Strokes; see strokes.h. */
#include "scan/strokes.h"

enum {
    AREA_MAX = 1500 * 600,
    SPECK_INK = 3, /* dots: as much is nothing, not even the dot of an i */
    SIDE = 3,      /* dots from the side of the cell */
    THIN = 3,      /* what is left of a line is no thicker */
    TAKEN = 2,
};

bool strokes_begin(struct strokes *s, const struct bitmap *map, struct area area)
{
    int width = area.right - area.left, height = area.bottom - area.top;
    if (width <= 0 || height <= 0 || width * height > AREA_MAX)
        return false;
    *s = (struct strokes){
        .width = width,
        .height = height,
        .dots = mem_alloc((size_t)width * (size_t)height),
        .stack = mem_array((size_t)width * (size_t)height, sizeof *s->stack),
    };
    for (int y = 0; y < height; y++)
        memcpy(
            s->dots + y * width,
            map->dots + (size_t)(area.top + y) * (size_t)map->width + (size_t)area.left,
            (size_t)width);
    return true;
}

void strokes_finish(struct strokes *s)
{
    mem_free(s->stack);
    mem_free(s->dots);
}

static void stretch(struct area *frame, int x, int y)
{
    frame->left = x < frame->left ? x : frame->left;
    frame->right = x + 1 > frame->right ? x + 1 : frame->right;
    frame->top = y < frame->top ? y : frame->top;
    frame->bottom = y + 1 > frame->bottom ? y + 1 : frame->bottom;
}

bool strokes_next(struct strokes *s, struct stroke *ret)
{
    int depth = 0;
    while (s->at < s->width * s->height && s->dots[s->at] != 1)
        s->at++;
    if (s->at == s->width * s->height)
        return false;
    int x = s->at % s->width, y = s->at / s->width;
    *ret = (struct stroke){{x, y, x + 1, y + 1}, 0};
    s->dots[s->at] = TAKEN;
    s->stack[depth++] = s->at;
    while (depth > 0) {
        int dot = s->stack[--depth];
        x = dot % s->width;
        y = dot / s->width;
        s->stack[s->width * s->height - 1 - ret->ink] = dot;
        ret->ink++;
        stretch(&ret->frame, x, y);
        for (int ny = y > 0 ? y - 1 : 0; ny <= y + 1 && ny < s->height; ny++)
            for (int nx = x > 0 ? x - 1 : 0; nx <= x + 1 && nx < s->width; nx++)
                if (s->dots[ny * s->width + nx] == 1) {
                    s->dots[ny * s->width + nx] = TAKEN;
                    s->stack[depth++] = ny * s->width + nx;
                }
    }
    return true;
}

/* Whether it is a speck, or what is left of a line at a side of the cell. */
static bool is_dirt(const struct strokes *s, const struct stroke *stroke)
{
    const struct area *f = &stroke->frame;
    bool beside = f->left < SIDE || f->right > s->width - SIDE;
    bool above = f->top < SIDE || f->bottom > s->height - SIDE;
    return stroke->ink <= SPECK_INK || (beside && f->right - f->left <= THIN) ||
           (above && f->bottom - f->top <= THIN);
}

struct bitmap strokes_clean(const struct bitmap *map, struct area area, struct arena *arena)
{
    struct strokes s;
    struct stroke stroke;
    struct bitmap clean = {0, 0, NULL};
    if (!strokes_begin(&s, map, area))
        return clean;
    size_t size = (size_t)s.width * (size_t)s.height;
    clean = (struct bitmap){s.width, s.height, arena_alloc(arena, size)};
    while (strokes_next(&s, &stroke))
        for (int i = 0; !is_dirt(&s, &stroke) && i < stroke.ink; i++)
            clean.dots[s.stack[s.width * s.height - 1 - i]] = 1;
    strokes_finish(&s);
    return clean;
}
