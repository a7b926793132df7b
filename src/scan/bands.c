/* Bands between long lines; see bands.h. */
#include "scan/bands.h"

enum {
    HEIGHT_MIN = 10, /* less: a line drawn twice */
    CROSS_PERCENT = 75,
    LONG_PERCENT = 33, /* of the longest line */
    SAME_DOTS = 7,     /* upright lines nearer than that are one */
    PERCENT = 100,
};

static int longest(const struct rules *across)
{
    int most = 0;
    for (int i = 0; i < across->count; i++)
        if (across->rule[i].covered > most)
            most = across->rule[i].covered;
    return most;
}

static void cross(struct band *band, const struct rules *down)
{
    int middle = (band->top + band->bottom) / 2;
    band->count = 0;
    for (int i = 0; i < down->count && band->count < BAND_LINES_MAX; i++) {
        const struct page_rule *line = &down->rule[i];
        if (line->from > middle || line->to < middle)
            continue;
        int at = rule_at(line, middle);
        int top = rule_at(band->above, at) + 2, bottom = rule_at(band->below, at) - 2;
        if (PERCENT * rule_covered(line, top, bottom) < CROSS_PERCENT * (bottom - top))
            continue;
        int place = band->count;
        while (place > 0 && band->at[place - 1] > at)
            place--;
        if ((place > 0 && at - band->at[place - 1] < SAME_DOTS) ||
            (place < band->count && band->at[place] - at < SAME_DOTS))
            continue;
        for (int k = band->count++; k > place; k--) {
            band->at[k] = band->at[k - 1];
            band->line[k] = band->line[k - 1];
        }
        band->at[place] = at;
        band->line[place] = line;
    }
}

struct bands bands_find(const struct rules *across, const struct rules *down, struct arena *arena)
{
    struct bands bands = {NULL, 0};
    const struct page_rule *above = NULL;
    int least = longest(across) * LONG_PERCENT / PERCENT;
    bands.band = ARENA_ARRAY(arena, struct band, (size_t)across->count + 1);
    for (int i = 0; i < across->count; i++) {
        const struct page_rule *below = &across->rule[i];
        if (below->covered < least)
            continue;
        if (above && below->at - above->at >= HEIGHT_MIN) {
            struct band *band = &bands.band[bands.count++];
            *band = (struct band){above, below, above->at, below->at, 0, {NULL}, {0}};
            cross(band, down);
        }
        above = below;
    }
    return bands;
}
