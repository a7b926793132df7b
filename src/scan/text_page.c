/* Pages of text; see text_page.h. */
#include "scan/text_page.h"

#include "base/mem.h"

enum {
    QUARTER = 90,
    PIECES_MIN = 100,  /* of ink: a page with fewer has too few letters */
    PIECES_MAX = 8000, /* more are noise */
    CORE_INK = 30,     /* in a line of dots through small letters; a stamp beside them has less */
    CORE_MIN = 6,      /* dots: the height of small letters */
    CORE_MAX = 60,
    SPAN_PART = 3, /* of the page's width: a row reaches as far */
    GAP_LINES = 2, /* times the height of small letters: words of a sentence are nearer */
    GAP_MIN = 25,  /* dots */
    GAPS_MIN = 2,  /* between name, date and amount */
    GAPS_MAX = 12, /* more are no columns */
    SPECK = 1,     /* dots of ink, in one column of dots */
    SCALE = 15,    /* tenths */
};

const enum sheet_look text_page_looks[TEXT_LOOKS] = {LOOK_SOFT, LOOK_RAW, LOOK_SLANT};

/* Whether there are letters to read, neither too few nor as many as noise has. */
static bool has_letters(PIX *straight)
{
    l_int32 pieces = 0;
    return pixCountConnComp(straight, 8, &pieces) == 0 && pieces >= PIECES_MIN &&
           pieces <= PIECES_MAX;
}

/* Whether more letters reach down than up: the page is upside down. A wrong answer does no harm,
 * since no row is read then. */
static bool is_reversed(PIX *straight)
{
    l_float32 up = 0;
    return pixUpDownDetect(straight, &up, 0, 0, 0) == 0 && up < 0;
}

/* The area between the first and the last dot of ink; empty if there is none. */
static struct area trim_line(const struct bitmap *map, int top, int bottom)
{
    struct area a = {map->width, top, 0, bottom};
    for (int y = top; y < bottom; y++)
        for (int x = PICTURE_MARGIN; x < map->width - PICTURE_MARGIN; x++)
            if (map->dots[(size_t)y * (size_t)map->width + (size_t)x]) {
                a.left = x < a.left ? x : a.left;
                a.right = x + 1 > a.right ? x + 1 : a.right;
            }
    return a;
}

static bool is_core(const struct bitmap *map, int y)
{
    int ink = 0;
    for (int x = 0; x < map->width; x++)
        ink += map->dots[(size_t)y * (size_t)map->width + (size_t)x];
    return ink >= CORE_INK;
}

/* Whether the line has columns: wide gaps between its words, which a sentence has not. */
static bool has_columns(const struct bitmap *map, struct area line, int height)
{
    int gaps = 0, blank = 0, wide = GAP_LINES * height > GAP_MIN ? GAP_LINES * height : GAP_MIN;
    for (int x = line.left; x < line.right; x++) {
        int ink = 0;
        for (int y = line.top; y < line.bottom; y++)
            ink += map->dots[(size_t)y * (size_t)map->width + (size_t)x];
        if (ink <= SPECK) {
            blank++;
            continue;
        }
        gaps += blank >= wide ? 1 : 0;
        blank = 0;
    }
    return gaps >= GAPS_MIN && gaps <= GAPS_MAX;
}

/* Lines of text: small letters make a stretch of dense lines of dots; tall ones reach half as far
 * above and below it, at most to the middle between two stretches. */
static void find_lines(struct text_page *page)
{
    const struct bitmap *map = &page->map;
    int before = 0; /* where the last stretch ended */
    for (int y = 0; y < map->height && page->count < TEXT_LINES_MAX;) {
        int top = y, bottom;
        while (top < map->height && !is_core(map, top))
            top++;
        for (bottom = top; bottom < map->height && is_core(map, bottom);)
            bottom++;
        int next = bottom;
        while (next < map->height && !is_core(map, next))
            next++;
        y = bottom;
        int height = bottom - top, half = height / 2 + 2;
        int above = (before + top) / 2, below = (bottom + next) / 2;
        before = bottom;
        if (height < CORE_MIN || height > CORE_MAX)
            continue;
        struct area line = trim_line(
            map, top - half > above ? top - half : above,
            bottom + half < below ? bottom + half : below);
        if (SPAN_PART * (line.right - line.left) >= map->width && has_columns(map, line, height))
            page->line[page->count++] = line;
    }
}

/* Straightens the page in one direction, and looks for lines of text. */
static void try(PIX *gray, int turn, float skew, struct arena *arena, struct text_page *ret)
{
    *ret = (struct text_page){
        .turn = turn, .skew = skew, .line = ARENA_ARRAY(arena, struct area, TEXT_LINES_MAX)};
    PIX *turned = picture_turned(gray, turn), *binary = picture_straight(turned, skew);
    PIX *plain = picture_without_lines(binary);
    ret->reversed = is_reversed(plain);
    if (pixFindDifferentialSquareSum(plain, &ret->steps) != 0)
        ret->steps = 0;
    ret->map = picture_bitmap(plain, arena);
    picture_free(&plain);
    picture_free(&binary);
    picture_free(&turned);
    find_lines(ret);
}

bool text_page_find(const struct gray *gray, struct arena *arena, struct text_page *ret)
{
    PIX *page = picture_of_gray(gray);
    *ret = (struct text_page){.count = 0};
    if (!page)
        return false;
    PIX *binary = picture_straight(page, 0);
    float skew = picture_skew(binary);
    bool letters = has_letters(binary);
    picture_free(&binary);
    if (letters) {
        struct text_page other;
        try(page, 0, skew, arena, ret);
        try(page, QUARTER, skew, arena, &other);
        if (other.steps > ret->steps)
            *ret = other;
        if (ret->reversed)
            try(page, ret->turn + 2 * QUARTER, skew, arena, ret);
    }
    picture_free(&page);
    return ret->count > 0;
}

struct text_sheet text_page_sheet(const struct text_page *page, struct arena *arena)
{
    struct sheet_item *items =
        ARENA_ARRAY(arena, struct sheet_item, (size_t)page->count * TEXT_LOOKS + 1);
    int count = 0;
    for (int line = 0; line < page->count; line++)
        for (int look = 0; look < TEXT_LOOKS; look++)
            items[count++].text = (struct sheet_text){
                .row = line,
                .cell = CELL_ASSET,
                .look = text_page_looks[look],
                .area = page->line[line],
            };
    return sheet_make(&page->map, items, count, SCALE, arena);
}
