/* Texts of cells; see cell_text.h. */
#include "scan/cell_text.h"

#include "paper/cell/printed.h"

/* Percent, as the program states them: how sure it must be. */
enum {
    OWNER_SURE = 20,
    ASSET_SURE_MEAN = 80,
    ASSET_SURE_LEAST = 45,
    ASSET_CLEAR_MEAN = 92,  /* in both looks: then fewer than one name in 200 is misread, */
    ASSET_CLEAR_LEAST = 90, /* and of the others one in ten */
};

enum {
    ASSET_LETTERS_MIN = 3,
    CENTURY = 2000,
    YEAR_FIRST = 2012, /* of the law that asks for these reports */
    YEAR_LAST = 2099,
    TWO_DIGITS = 2,
    TWO_LETTERS = 2,
    FOUR_DIGITS = 4,
    PARTS = 3,
    NUMBER_SIZE_MAX = 2, /* of a row */
};

static void not_read(struct str reason, struct str *ret, struct cell_source *ret_source)
{
    *ret = STR_NULL;
    *ret_source = (struct cell_source){CELL_NOT_READ, reason};
}

static void read_as(struct str text, struct str *ret, struct cell_source *ret_source)
{
    *ret = text;
    *ret_source = (struct cell_source){CELL_FROM_TEXT, STR_NULL};
}

static bool is_separator(char c)
{
    return c == '/' || c == '-' || c == '.';
}

/* "4/27/21", "04-27-2021" as three numbers. false: it is no date. */
static bool date_parts(struct str text, int ret[PARTS])
{
    int part = 0, digits = 0;
    ret[0] = 0;
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (c == ' ')
            continue;
        if (is_separator(c)) {
            if (digits == 0 || digits > TWO_DIGITS || ++part == PARTS)
                return false;
            ret[part] = digits = 0;
        } else if (ascii_is_digit(c) && digits < FOUR_DIGITS) {
            ret[part] = 10 * ret[part] + (c - '0');
            digits++;
        } else
            return false;
    }
    if (part != PARTS - 1 || (digits != TWO_DIGITS && digits != FOUR_DIGITS))
        return false;
    ret[2] += digits == TWO_DIGITS ? CENTURY : 0;
    return ret[2] >= YEAR_FIRST && ret[2] <= YEAR_LAST;
}

struct str cell_text_day(struct str text, struct arena *arena)
{
    int part[PARTS];
    int32_t day;
    if (!date_parts(text, part))
        return STR_NULL;
    struct str date = arena_fmt(arena, "%02d/%02d/%04d", part[0], part[1], part[2]);
    return printed_day(date, &day) ? date : STR_NULL;
}

void cell_text_date(
    const struct sheet_reading *reading, bool sure, struct arena *arena, struct str *ret,
    struct cell_source *ret_source)
{
    int part[PARTS];
    if (str_is_null(reading->text)) {
        not_read(STR("no text was recognised"), ret, ret_source);
        return;
    }
    if (!date_parts(reading->text, part)) {
        not_read(
            arena_fmt(arena, "\"%.*s\" is not a date", STR_ARG(reading->text)), ret, ret_source);
        return;
    }
    struct str date = cell_text_day(reading->text, arena);
    if (!sure || str_is_null(date))
        not_read(
            arena_fmt(arena, "\"%.*s\" is not clear", STR_ARG(reading->text)), ret, ret_source);
    else
        read_as(date, ret, ret_source);
}

/* The codes, and what their letters are taken for. No text is like two of them. */
static const struct owner_code {
    struct str code;
    const char *like[TWO_LETTERS];
} owner_codes[] = {
    {STR_INIT("SP"), {"S58", "PFR"}},
    {STR_INIT("JT"), {"JI", "TI"}},
    {STR_INIT("DC"), {"DOPB0", "CEGO"}},
};

/* Two letters, of which one is the code's own and the other is like it. */
static bool is_owner(struct str text, const struct owner_code *owner)
{
    int own = 0;
    if (text.n != TWO_LETTERS)
        return false;
    for (size_t i = 0; i < TWO_LETTERS; i++) {
        char c = text.p[i] >= 'a' && text.p[i] <= 'z' ? (char)(text.p[i] - 'a' + 'A') : text.p[i];
        if (!strchr(owner->like[i], c))
            return false;
        own += c == owner->code.p[i] ? 1 : 0;
    }
    return own > 0;
}

void cell_text_owner(
    const struct sheet_reading *reading, bool typed, struct arena *arena, struct str *ret,
    struct cell_source *ret_source)
{
    if (str_is_null(reading->text)) {
        not_read(STR("no text was recognised"), ret, ret_source);
        return;
    }
    for (size_t i = 0; i < sizeof owner_codes / sizeof *owner_codes; i++)
        if (is_owner(reading->text, &owner_codes[i]) && reading->least >= OWNER_SURE) {
            read_as(owner_codes[i].code, ret, ret_source);
            if (!typed && !str_eq_nocase(reading->text, owner_codes[i].code))
                ret_source->reason =
                    arena_fmt(arena, "\"%.*s\" may be another", STR_ARG(reading->text));
            return;
        }
    not_read(arena_fmt(arena, "\"%.*s\" is not clear", STR_ARG(reading->text)), ret, ret_source);
}

static bool is_letter(char c)
{
    return ascii_is_alpha(c) || ascii_is_digit(c);
}

/* Whether both have the same letters and digits. */
static bool same_letters(struct str a, struct str b)
{
    size_t i = 0, k = 0;
    for (;; i++, k++) {
        while (i < a.n && !is_letter(a.p[i]))
            i++;
        while (k < b.n && !is_letter(b.p[k]))
            k++;
        if (i == a.n || k == b.n)
            return i == a.n && k == b.n;
        if (ascii_lower(a.p[i]) != ascii_lower(b.p[k]))
            return false;
    }
}

/* Signs that names do not have, but that l and I are taken for. What is left of a line may stand
 * before the first letter. */
static bool has_odd_sign(struct str text)
{
    static const char signs[] = "!|_[]{}~^\\<>\"";
    size_t i = 0;
    while (i < text.n && !ascii_is_alpha(text.p[i]))
        i++;
    for (; i < text.n; i++)
        if (memchr(signs, text.p[i], sizeof signs - 1))
            return true;
    return false;
}

static bool is_clear(const struct sheet_reading *reading)
{
    return reading->mean >= ASSET_CLEAR_MEAN && reading->least >= ASSET_CLEAR_LEAST;
}

void cell_text_asset(
    const struct sheet_reading *reading, const struct sheet_reading *other, struct arena *arena,
    struct str *ret, struct cell_source *ret_source)
{
    int letters = 0;
    for (size_t i = 0; i < reading->text.n; i++)
        letters += ascii_is_alpha(reading->text.p[i]) ? 1 : 0;
    if (str_is_null(reading->text))
        not_read(STR("no text was recognised"), ret, ret_source);
    else if (
        letters < ASSET_LETTERS_MIN || reading->mean < ASSET_SURE_MEAN ||
        reading->least < ASSET_SURE_LEAST || has_odd_sign(reading->text) ||
        !same_letters(reading->text, other->text))
        not_read(
            arena_fmt(arena, "\"%.*s\" is not clear", STR_ARG(reading->text)), ret, ret_source);
    else {
        read_as(reading->text, ret, ret_source);
        if (!is_clear(reading) || !is_clear(other))
            ret_source->reason = STR("some letters may be others");
    }
}

/* Without the number of the row and what is left of the line after it. */
static struct str without_number(struct str text)
{
    size_t n = 0;
    while (n < text.n && n < NUMBER_SIZE_MAX && ascii_is_digit(text.p[n]))
        n++;
    if (n == text.n || text.p[n] != ' ')
        return text;
    struct str rest = str_trim(str_slice(text, n, text.n));
    while (rest.n > 0 && (rest.p[0] == '|' || rest.p[0] == '[' || rest.p[0] == ']'))
        rest = str_trim(str_slice(rest, 1, rest.n));
    return rest;
}

void cell_text_senate(struct arena *arena, struct scan_row *row)
{
    static const struct {
        struct str code, owner;
    } owners[] = {
        {STR_INIT("(S)"), STR_INIT("Spouse")},
        {STR_INIT("(J)"), STR_INIT("Joint")},
        {STR_INIT("(DC)"), STR_INIT("Child")},
    };
    struct str asset = row->cell[CELL_ASSET];
    if (str_is_null(asset))
        return;
    asset = without_number(asset);
    for (size_t i = 0; i < sizeof owners / sizeof *owners; i++)
        if (str_eq_nocase(str_slice(asset, 0, owners[i].code.n), owners[i].code)) {
            asset = str_trim(str_slice(asset, owners[i].code.n, asset.n));
            read_as(owners[i].owner, &row->cell[CELL_OWNER], &row->source[CELL_OWNER]);
            break;
        }
    if (asset.n == 0)
        not_read(STR("no text was recognised"), &row->cell[CELL_ASSET], &row->source[CELL_ASSET]);
    else {
        row->cell[CELL_ASSET] = arena_str(arena, asset);
        /* Of 30 such names that tesseract was sure of, 7 had a wrong letter. */
        if (!row->source[CELL_ASSET].reason.n)
            row->source[CELL_ASSET].reason = STR("names on this form are often misread");
    }
}
