/* Sets maps from glyphs to characters right; see letter_case.h. */
#include "paper/letter_case.h"

#include <stdlib.h>

enum {
    LETTERS = 26,
    CAPITALS = 36, /* number of the glyph of "A" */
    SMALL = 68,    /* and of "a" */
    TOLERANCE = 1, /* widths are rounded or cut */
    PROOF_MIN = 4, /* letters that have the width of the face */
    CODE_DIGITS = 4,
};

/* Widths of the letters in thousandths of the size, as the Clerk's reports state them; 0: no known
 * report uses the letter in that face. */
static const struct letter_case_face {
    int capital[LETTERS], small[LETTERS];
} faces[] = {
    {/* regular */
     {671, 654, 642, 749, 653, 599, 725, 815, 390, 518, 694, 604, 927,
      767, 744, 610, 744, 702, 561, 619, 756, 667, 976, 710, 615, 602},
     {504, 560, 454, 574, 483, 325, 509, 582, 293, 292, 536, 286, 881,
      591, 539, 571, 560, 410, 432, 345, 575, 497, 737, 505, 492, 444}},
    {/* bold */
     {758, 757, 715, 834, 721, 671, 807, 0,   446, 0, 0, 686, 1023,
      839, 820, 701, 0,   797, 649, 684, 833, 762, 0, 0, 0,   0},
     {596, 0,   531, 663, 572, 393, 577, 0,   354, 0,   0, 344, 1016,
      690, 636, 658, 0,   520, 513, 397, 677, 0,   863, 0, 562, 0}},
};

/* --- the font */

static bool is_glyph_of(int glyph, int first)
{
    return glyph >= first && glyph < first + LETTERS;
}

/* The width of a letter in the face; 0: not known, or the glyph is not a letter. */
static int width_in(const struct letter_case_face *face, int glyph)
{
    return is_glyph_of(glyph, CAPITALS) ? face->capital[glyph - CAPITALS]
           : is_glyph_of(glyph, SMALL)  ? face->small[glyph - SMALL]
                                        : 0;
}

/* Whether every letter of the font has the width that it has in the face. */
static bool is_set_in(const struct letter_case_font *font, const struct letter_case_face *face)
{
    int proof = 0;
    for (int glyph = CAPITALS; glyph < SMALL + LETTERS; glyph++) {
        int width = width_in(face, glyph);
        if (width == 0 || font->width[glyph] == 0)
            continue;
        if (abs(width - font->width[glyph]) > TOLERANCE)
            return false;
        proof++;
    }
    return proof >= PROOF_MIN;
}

static bool is_known(const struct letter_case_font *font)
{
    for (size_t i = 0; i < sizeof faces / sizeof *faces; i++)
        if (is_set_in(font, &faces[i]))
            return true;
    return false;
}

/* --- the map: lines of "<0024> <0061>" or "<0024> <0024> <0061>" between keywords */

/* A hexadecimal number in angle brackets, and its place in the map. */
struct letter_case_code {
    size_t at, digits;
    int value;
};

static int digit_value(char c)
{
    return ascii_is_digit(c)      ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* The next code from *at on, which moves behind it; false: none before the next word. */
static bool next_code(struct str map, size_t *at, struct letter_case_code *ret)
{
    size_t i = *at;
    while (i < map.n && ascii_is_space(map.p[i]))
        i++;
    if (i == map.n || map.p[i] != '<')
        return false;
    *ret = (struct letter_case_code){.at = ++i};
    for (; i < map.n && digit_value(map.p[i]) >= 0; i++, ret->digits++)
        if (ret->digits < CODE_DIGITS)
            ret->value = ret->value * 16 + digit_value(map.p[i]);
    *at = i + 1;
    return i < map.n && map.p[i] == '>' && ret->digits > 0;
}

/* One entry: the glyphs `from` to `to` have the characters from `is` on. */
struct letter_case_entry {
    struct letter_case_code from, to, is;
};

struct letter_case_reader {
    struct str map;
    size_t at;
    int codes; /* per entry of the section; 0: outside of one */
};

/* Finds the next entry; false: the map is over. */
static bool next_entry(struct letter_case_reader *r, struct letter_case_entry *ret)
{
    static const struct {
        struct str word;
        int codes;
    } sections[] = {
        {STR_INIT("beginbfchar"), 2},
        {STR_INIT("beginbfrange"), 3},
        {STR_INIT("endbfchar"), 0},
        {STR_INIT("endbfrange"), 0},
    };
    while (r->at < r->map.n) {
        size_t at = r->at;
        if (r->codes && next_code(r->map, &at, &ret->from)) {
            ret->to = ret->from;
            bool whole = r->codes == 2 || next_code(r->map, &at, &ret->to);
            r->at = at;
            if (whole && next_code(r->map, &r->at, &ret->is))
                return true;
            continue;
        }
        struct str rest = str_slice(r->map, r->at, r->map.n);
        size_t step = 1;
        for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
            if (str_starts(rest, sections[i].word)) {
                r->codes = sections[i].codes;
                step = sections[i].word.n;
            }
        r->at += step;
    }
    return false;
}

/* What an entry says about a letter of the font. */
enum letter_case_finding { FINDING_NONE, FINDING_RIGHT, FINDING_WRONG_CASE, FINDING_ANOTHER_FONT };

static enum letter_case_finding examine(const struct letter_case_entry *e)
{
    int first = is_glyph_of(e->from.value, CAPITALS) ? CAPITALS : SMALL;
    bool letter = e->from.digits == CODE_DIGITS && is_glyph_of(e->from.value, first);
    int index = e->from.value - first;
    if (!letter)
        return FINDING_NONE;
    if (e->is.digits != CODE_DIGITS)
        return FINDING_ANOTHER_FONT;
    if (e->is.value == (first == CAPITALS ? 'A' : 'a') + index || e->is.value == 0)
        return FINDING_RIGHT;
    bool one = e->from.value == e->to.value;
    return first == CAPITALS && one && e->is.value == 'a' + index ? FINDING_WRONG_CASE
                                                                  : FINDING_ANOTHER_FONT;
}

/* false: the map numbers its letters otherwise, or no capital is wrong. */
static bool needs_repair(struct str map)
{
    struct letter_case_reader r = {.map = map};
    struct letter_case_entry entry;
    bool wrong = false;
    while (next_entry(&r, &entry)) {
        enum letter_case_finding finding = examine(&entry);
        if (finding == FINDING_ANOTHER_FONT)
            return false;
        wrong |= finding == FINDING_WRONG_CASE;
    }
    return wrong;
}

bool letter_case_repair(
    struct str map, const struct letter_case_font *font, struct buf *ret, size_t *ret_count)
{
    struct letter_case_reader r = {.map = map};
    struct letter_case_entry entry;
    size_t written = 0;
    *ret_count = 0;
    if (!is_known(font) || !needs_repair(map))
        return false;
    while (next_entry(&r, &entry)) {
        if (examine(&entry) != FINDING_WRONG_CASE)
            continue;
        buf_str(ret, str_slice(map, written, entry.is.at));
        buf_fmt(ret, "%04X", (unsigned)(LETTER_CASE_FIRST + entry.from.value - CAPITALS));
        written = entry.is.at + CODE_DIGITS;
        ++*ret_count;
    }
    buf_str(ret, str_slice(map, written, map.n));
    return true;
}

/* --- texts with stand-ins */

/* The letter of a stand-in in UTF-8 at the start of the text, from 0 for "A"; -1: another
 * character. */
static int stand_in(struct str text)
{
    enum { LAST_BYTE = 0x80 | (LETTER_CASE_FIRST & 0x3f) };
    int index = text.n >= 3 ? (unsigned char)text.p[2] - LAST_BYTE : -1;
    bool area = text.n >= 3 && (unsigned char)text.p[0] == (0xe0 | LETTER_CASE_FIRST >> 12) &&
                (unsigned char)text.p[1] == (0x80 | (LETTER_CASE_FIRST >> 6 & 0x3f));
    return area && index >= 0 && index < LETTERS ? index : -1;
}

static void put(struct buf *b, struct str text, char first)
{
    for (size_t i = 0; i < text.n; i++) {
        int index = stand_in(str_slice(text, i, text.n));
        buf_char(b, index < 0 ? text.p[i] : (char)(first + index));
        i += index < 0 ? 0 : 2;
    }
}

void letter_case_of_page(struct buf *b, struct str text)
{
    put(b, text, 'A');
}

void letter_case_of_file(struct buf *b, struct str text)
{
    put(b, text, 'a');
}
