/* Rows of text; see text_rows.h. */
#include "scan/text_rows.h"

#include "scan/cell_text.h"

enum {
    DATES_MAX = 2,
    AGREE_MIN = 2, /* looks */
    NAME_LETTERS_MIN = 3,
    OWNER_WORDS = 3, /* the owner is one of so many at the beginning */
    NUMBER_MAX = 100 * 1000 * 1000,
    PARTS = 3, /* of a date */
};

/* The amounts that both chambers print alike. */
static const struct {
    int from, to;
    struct str text;
} amounts[] = {
    {1001, 15000, STR_INIT("$1,001 - $15,000")},
    {15001, 50000, STR_INIT("$15,001 - $50,000")},
    {50001, 100000, STR_INIT("$50,001 - $100,000")},
    {100001, 250000, STR_INIT("$100,001 - $250,000")},
    {250001, 500000, STR_INIT("$250,001 - $500,000")},
    {500001, 1000000, STR_INIT("$500,001 - $1,000,000")},
    {1000001, 5000000, STR_INIT("$1,000,001 - $5,000,000")},
    {5000001, 25000000, STR_INIT("$5,000,001 - $25,000,000")},
    {25000001, 50000000, STR_INIT("$25,000,001 - $50,000,000")},
};

/* What one look of a line says. */
struct text_facts {
    bool is_row;
    struct str name;            /* the text before the type and the dates */
    struct str owner, type;     /* null: none */
    struct str date[DATES_MAX]; /* null: a date that cannot be read */
    int dates;
    struct str amount; /* null: only its beginning is clear */
};

/* The word without the signs around it, which may be what is left of lines. */
static struct str bare(struct str word)
{
    while (word.n && !ascii_is_alpha(word.p[0]) && !ascii_is_digit(word.p[0]) && word.p[0] != '$' &&
           word.p[0] != '(')
        word = str_slice(word, 1, word.n);
    while (word.n && !ascii_is_alpha(word.p[word.n - 1]) && !ascii_is_digit(word.p[word.n - 1]) &&
           word.p[word.n - 1] != ')')
        word.n--;
    return word;
}

/* Whether it has the shape of a date: three numbers. */
static bool is_datelike(struct str word)
{
    int parts = 0, digits = 0;
    for (size_t i = 0; i < word.n; i++) {
        if (!ascii_is_digit(word.p[i]) && word.p[i] != '/')
            return false;
        digits += ascii_is_digit(word.p[i]) ? 1 : 0;
        parts += word.p[i] == '/' ? 1 : 0;
    }
    return parts == PARTS - 1 && digits > PARTS;
}

/* The number at the beginning, with its commas; -1: there is none. */
static int take_number(struct str *text)
{
    int value = -1;
    *text = str_trim(*text);
    if (text->n && text->p[0] == '$')
        *text = str_slice(*text, 1, text->n);
    while (text->n && (ascii_is_digit(text->p[0]) || text->p[0] == ',' || text->p[0] == '.') &&
           value < NUMBER_MAX) {
        if (ascii_is_digit(text->p[0]))
            value = 10 * (value < 0 ? 0 : value) + (text->p[0] - '0');
        *text = str_slice(*text, 1, text->n);
    }
    return value;
}

/* The size of the dash at the beginning; 0: there is none. */
static size_t dash_at(struct str text, struct str *ret_rest)
{
    static const struct str dashes[] = {
        STR_INIT("-"), STR_INIT("\xE2\x80\x93"), STR_INIT("\xE2\x80\x94")};
    for (size_t i = 0; i < sizeof dashes / sizeof *dashes; i++)
        if (str_starts(text, dashes[i])) {
            *ret_rest = str_slice(text, dashes[i].n, text.n);
            return dashes[i].n;
        }
    *ret_rest = text;
    return 0;
}

/* "$1,001-15,000 ..."; false: no amount begins there. */
static bool take_amount(struct str text, struct text_facts *ret)
{
    text = str_trim(text);
    while (text.n && text.p[0] != '$' && !ascii_is_digit(text.p[0]) && !ascii_is_alpha(text.p[0]))
        text = str_slice(text, 1, text.n);
    if (!text.n || text.p[0] != '$')
        return false;
    int from = take_number(&text);
    size_t dash = dash_at(str_trim(text), &text);
    int to = dash ? take_number(&text) : -1;
    for (size_t i = 0; i < sizeof amounts / sizeof *amounts; i++)
        if (amounts[i].from == from) {
            ret->amount = amounts[i].to == to ? amounts[i].text : STR_NULL;
            return dash > 0;
        }
    return false;
}

static int letters_of(struct str text)
{
    int letters = 0;
    for (size_t i = 0; i < text.n; i++)
        letters += ascii_is_alpha(text.p[i]) ? 1 : 0;
    return letters;
}

static struct str owner_of(struct str name)
{
    static const struct str owners[] = {STR_INIT("SP"), STR_INIT("JT"), STR_INIT("DC")};
    struct str word;
    for (int i = 0; i < OWNER_WORDS && str_next_word(&name, &word); i++)
        for (size_t k = 0; k < sizeof owners / sizeof *owners; k++)
            if (str_eq(bare(word), owners[k]))
                return owners[k];
    return STR_NULL;
}

/* The type at the end of the text before the dates: "P", "S", "S (partial)", "E"; null: none.
 * The letter of a class of shares is none. */
static struct str type_of(struct str before)
{
    static const struct str types[] = {STR_INIT("P"), STR_INIT("S"), STR_INIT("E")};
    static const struct str classes[] = {
        STR_INIT("class"), STR_INIT("cl"), STR_INIT("series"), STR_INIT("ser"), STR_INIT("shares")};
    struct str word, last = STR_NULL, one_before = STR_NULL, two_before = STR_NULL;
    while (str_next_word(&before, &word)) {
        word = bare(word);
        if (!word.n)
            continue;
        two_before = one_before;
        one_before = last;
        last = word;
    }
    bool partial = !str_is_null(last) && str_eq_nocase(last, STR("(partial)"));
    struct str letter = partial ? one_before : last, ahead = partial ? two_before : one_before;
    if (str_is_null(letter) || str_is_null(ahead))
        return STR_NULL;
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (str_eq_nocase(ahead, classes[i]))
            return STR_NULL;
    if (partial)
        return str_eq(letter, STR("S")) ? STR("S (partial)") : STR_NULL;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (str_eq(letter, types[i]))
            return types[i];
    return STR_NULL;
}

static struct text_facts facts_of(struct str text, struct arena *arena)
{
    struct text_facts f = {.is_row = false};
    struct str rest = text, word, after = STR_NULL;
    size_t before = 0;
    while (str_next_word(&rest, &word)) {
        struct str date = bare(word);
        if (!is_datelike(date))
            continue;
        if (f.dates == DATES_MAX)
            return f;
        if (f.dates == 0)
            before = (size_t)(word.p - text.p);
        f.date[f.dates++] = cell_text_day(date, arena);
        after = rest;
    }
    if (f.dates == 0 || !take_amount(after, &f))
        return f;
    f.name = str_trim(str_slice(text, 0, before));
    f.owner = owner_of(f.name);
    f.type = f.dates == DATES_MAX ? type_of(f.name) : STR_NULL;
    f.is_row = letters_of(f.name) >= NAME_LETTERS_MIN;
    return f;
}

/* The value that so many looks have and no other look contradicts; null: none. */
static struct str agreed(const struct str values[static TEXT_LOOKS], int least)
{
    struct str value = STR_NULL;
    int count = 0;
    for (int i = 0; i < TEXT_LOOKS; i++) {
        if (str_is_null(values[i]))
            continue;
        if (!str_is_null(value) && !str_eq(value, values[i]))
            return STR_NULL;
        value = values[i];
        count++;
    }
    return count >= least ? value : STR_NULL;
}

static void put(struct scan_row *row, enum cell cell, struct str value, struct str reason)
{
    bool read = !str_is_null(value);
    row->cell[cell] = value;
    row->source[cell].how = read ? CELL_FROM_TEXT : CELL_NOT_READ;
    row->source[cell].reason = read ? STR_NULL : reason;
}

bool text_row_read(
    const struct sheet_reading *const looks[static TEXT_LOOKS], struct arena *arena,
    struct scan_row *ret)
{
    struct text_facts f[TEXT_LOOKS];
    const struct text_facts *first = NULL;
    int rows = 0;
    for (int i = 0; i < TEXT_LOOKS; i++) {
        f[i] = facts_of(looks[i]->text, arena);
        rows += f[i].is_row ? 1 : 0;
        first = first || !f[i].is_row ? first : &f[i];
    }
    if (rows < AGREE_MIN)
        return false;
    struct str owner[TEXT_LOOKS], type[TEXT_LOOKS], amount[TEXT_LOOKS], date[TEXT_LOOKS],
        notified[TEXT_LOOKS];
    for (int i = 0; i < TEXT_LOOKS; i++) {
        bool same = f[i].is_row && f[i].dates == first->dates;
        owner[i] = f[i].is_row ? f[i].owner : STR_NULL;
        type[i] = f[i].is_row ? f[i].type : STR_NULL;
        amount[i] = f[i].is_row ? f[i].amount : STR_NULL;
        date[i] = same ? f[i].date[0] : STR_NULL;
        notified[i] = same && f[i].dates == DATES_MAX ? f[i].date[1] : STR_NULL;
    }
    put(ret, CELL_OWNER, agreed(owner, AGREE_MIN), STR_NULL);
    put(ret, CELL_TYPE, agreed(type, AGREE_MIN), STR("the type is not clear"));
    put(ret, CELL_AMOUNT, agreed(amount, AGREE_MIN), STR("the end of the amount is not clear"));
    put(ret, CELL_DATE, agreed(date, TEXT_LOOKS), STR("the date is not clear"));
    put(ret, CELL_NOTIFIED, agreed(notified, TEXT_LOOKS),
        first->dates == DATES_MAX ? STR("the date is not clear") : STR_NULL);
    put(ret, CELL_ASSET, STR_NULL,
        arena_fmt(arena, "\"%.*s\" may be a part of the name", STR_ARG(first->name)));
    return true;
}

/* --- pages of text */

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
