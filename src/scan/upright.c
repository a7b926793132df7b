/* Upright pages; see upright.h. */
#include "scan/upright.h"

#include <math.h>

enum { QUARTER = 90, HALF = 180 };

#define SLOPE_LEAST 0.04F /* degrees: one dot in the width of a page */

/* Straightens the page in one of its four directions by the lines that run across it then, and
 * looks for a table. `skew` is a first estimate. */
static void try(PIX *page, int turn, float skew, struct arena *arena, struct upright *ret)
{
    PIX *turned = picture_turned(page, turn);
    *ret = (struct upright){.turn = turn, .skew = skew};
    ret->binary = picture_straight(turned, skew);
    struct rules across = rules_find(ret->binary, false, arena);
    float slope = rules_slope(&across);
    if (fabsf(slope) > SLOPE_LEAST) {
        picture_free(&ret->binary);
        ret->skew += slope;
        ret->binary = picture_straight(turned, ret->skew);
        across = rules_find(ret->binary, false, arena);
    }
    picture_free(&turned);
    struct rules down = rules_find(ret->binary, true, arena);
    ret->bands = bands_find(&across, &down, arena);
    ret->found = table_find(&ret->bands, pixGetWidth(ret->binary), arena, &ret->table);
}

static void keep_better(struct upright *best, struct upright *other)
{
    if (other->found && (!best->found || other->table.columns.cost < best->table.columns.cost)) {
        upright_finish(best);
        *best = *other;
    } else
        upright_finish(other);
}

bool upright_find(const struct gray *gray, struct arena *arena, struct upright *ret)
{
    PIX *page = picture_of_gray(gray);
    if (!page)
        return false;
    struct upright other;
    PIX *binary = picture_straight(page, 0);
    float skew = picture_skew(binary);
    picture_free(&binary);
    try(page, 0, skew, arena, ret);
    try(page, QUARTER, skew, arena, &other);
    keep_better(ret, &other);
    if (ret->found && ret->table.reversed) {
        int turn = ret->turn + HALF;
        skew = ret->skew;
        upright_finish(ret);
        try(page, turn, skew, arena, ret);
        ret->found = ret->found && !ret->table.reversed;
    }
    picture_free(&page);
    return true;
}

void upright_finish(struct upright *upright)
{
    picture_free(&upright->binary);
}
