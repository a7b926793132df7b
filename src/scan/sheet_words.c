/* Words of the sheet; see sheet_words.h. */
#include "scan/sheet_words.h"

#include "base/buf.h"
#include "base/hidden.h"

enum {
    COLUMNS = 12,
    LEVEL = 0, /* columns of the table */
    LEFT = 6,
    TOP = 7,
    WIDTH = 8,
    HEIGHT = 9,
    SURE = 10,
    WORD = 11,
    LEVEL_WORD = '5',
    WORD_SIZE_MAX = 80,
    AROUND = 12, /* dots: a word may begin so far outside of its text */
};

struct found_word {
    struct str text;
    int sure;
    int x, y; /* its middle */
};

/* The digits before a point; false: the text is no such number. */
static bool number_of(struct str text, int *ret)
{
    int64_t value;
    ptrdiff_t point = str_find_char(text, '.');
    if (point >= 0)
        text = str_slice(text, 0, (size_t)point);
    if (!str_to_i64(text, &value) || value < 0 || value > 2 * SHEET_SIDE_MAX)
        return false;
    *ret = (int)value;
    return true;
}

static bool word_of(struct str line, struct found_word *ret)
{
    struct str part[COLUMNS];
    int left, top, width, height;
    for (int i = 0; i < COLUMNS; i++)
        if (!str_split(&line, '\t', &part[i]))
            return false;
    ret->text = str_trim(part[WORD]);
    if (part[LEVEL].n != 1 || part[LEVEL].p[0] != LEVEL_WORD || ret->text.n == 0 ||
        ret->text.n > WORD_SIZE_MAX || !hidden_free_line(ret->text))
        return false;
    if (!number_of(part[LEFT], &left) || !number_of(part[TOP], &top) ||
        !number_of(part[WIDTH], &width) || !number_of(part[HEIGHT], &height) ||
        !number_of(part[SURE], &ret->sure))
        return false;
    ret->x = left + width / 2;
    ret->y = top + height / 2;
    return true;
}

/* The text that the word stands in; negative: none. */
static int text_at(const struct text_sheet *sheet, int x, int y)
{
    for (int i = 0; i < sheet->count; i++) {
        const struct area *a = &sheet->text[i].area;
        if (x >= a->left - AROUND && x < a->right + AROUND && y >= a->top - AROUND &&
            y < a->bottom + AROUND)
            return i;
    }
    return -1;
}

static void add(struct sheet_reading *r, const struct found_word *word, struct arena *arena)
{
    if (str_is_null(r->text)) {
        *r = (struct sheet_reading){arena_str(arena, word->text), word->sure, word->sure};
        return;
    }
    int letters = (int)r->text.n, more = (int)word->text.n;
    if (letters + more >= SHEET_TEXT_SIZE_MAX)
        return;
    r->text = arena_fmt(arena, "%.*s %.*s", STR_ARG(r->text), STR_ARG(word->text));
    r->least = word->sure < r->least ? word->sure : r->least;
    r->mean = (r->mean * letters + word->sure * more) / (letters + more);
}

struct sheet_reading *sheet_words_read(
    const struct text_sheet *sheet, struct str tsv, struct arena *arena)
{
    struct sheet_reading *readings =
        ARENA_ARRAY(arena, struct sheet_reading, (size_t)sheet->count + 1);
    struct str line;
    struct found_word word;
    for (int i = 0; i < SHEET_WORDS_MAX && str_split(&tsv, '\n', &line);) {
        if (!word_of(line, &word))
            continue;
        i++;
        int text = text_at(sheet, word.x, word.y);
        if (text >= 0)
            add(&readings[text], &word, arena);
    }
    return readings;
}
