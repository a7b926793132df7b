/* Words and lines of a page; see house_words.h. */
#include "paper/house_words.h"

#include <stdlib.h>

#include "paper/letter_case.h"

enum {
    SAME_LINE = 300, /* baselines of one line differ by less than 3 points; lines by 10 */
    TOUCHING = 100,  /* words less than a point apart are joined */
    APART = 1600,    /* lines of one text are less than 16 points apart, rows at least 18 */
    POSITION_MAX = 100000000,
};

/* Parses `name="123.456"` in the tag, as hundredths. */
static bool read_position(struct str tag, struct str name, int *ret)
{
    ptrdiff_t at = str_find(tag, name);
    if (at < 0)
        return false;
    struct str rest = str_slice(tag, (size_t)at + name.n, tag.n);
    bool negative = rest.n && rest.p[0] == '-';
    int64_t value = 0, decimals = -1;
    size_t i = negative;
    for (; i < rest.n && rest.p[i] != '"'; i++) {
        if (rest.p[i] == '.' && decimals < 0) {
            decimals = 0;
        } else if (!ascii_is_digit(rest.p[i]) || value > POSITION_MAX) {
            return false;
        } else if (decimals < 2) {
            value = value * 10 + (rest.p[i] - '0');
            decimals += decimals >= 0;
        }
    }
    for (decimals = decimals < 0 ? 0 : decimals; decimals < 2; decimals++)
        value *= 10;
    *ret = (int)(negative ? -value : value);
    return i > negative && i < rest.n && value <= POSITION_MAX;
}

/* Decodes the five entities that poppler writes, and drops blanks and NUL: small capitals of the
 * forms since 2022 come out as NUL. Other control bytes stay, so that a person looks at them. */
static struct str decode_text(struct arena *arena, struct str text)
{
    static const struct {
        struct str entity;
        char c;
    } entities[] = {
        {STR_INIT("&amp;"), '&'},  {STR_INIT("&lt;"), '<'},    {STR_INIT("&gt;"), '>'},
        {STR_INIT("&quot;"), '"'}, {STR_INIT("&apos;"), '\''}, {STR_INIT("&#39;"), '\''},
    };
    char *out = arena_alloc(arena, text.n + 1);
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        for (size_t e = 0; c == '&' && e < sizeof entities / sizeof *entities; e++)
            if (str_starts(str_slice(text, i, text.n), entities[e].entity)) {
                c = entities[e].c;
                i += entities[e].entity.n - 1;
                break;
            }
        if (c && !ascii_is_space(c))
            out[n++] = c;
    }
    return str_of(out, n);
}

struct house_word_list {
    struct house_word *items;
    size_t count;
    size_t room;
    int page;
    bool repaired;
};

static struct str with_letters(
    struct str text, void (*put)(struct buf *b, struct str text), struct arena *arena)
{
    struct buf b = buf_over(arena_alloc(arena, text.n + 1), text.n + 1);
    put(&b, text);
    return buf_view(&b);
}

/* Parses one `<word ...>TEXT</word>`; false: malformed. */
static bool add_word(struct house_word_list *w, struct str line, struct arena *arena)
{
    ptrdiff_t open = str_find_char(line, '>');
    ptrdiff_t close = str_find(line, STR("</word>"));
    if (open < 0 || close < open || w->count == HOUSE_WORDS_MAX || w->page == 0)
        return false;
    struct str tag = str_slice(line, 0, (size_t)open);
    struct house_word word = {
        .page = w->page,
        .text = decode_text(arena, str_slice(line, (size_t)open + 1, (size_t)close)),
    };
    if (!read_position(tag, STR("xMin=\""), &word.left) ||
        !read_position(tag, STR("xMax=\""), &word.right) ||
        !read_position(tag, STR("yMin=\""), &word.top) ||
        !read_position(tag, STR("yMax=\""), &word.bottom))
        return false;
    if (word.text.n == 0)
        return true;
    word.stored = word.text;
    if (w->repaired) {
        word.stored = with_letters(word.text, letter_case_of_file, arena);
        word.text = with_letters(word.text, letter_case_of_page, arena);
    }
    w->items = mem_grow(w->items, w->count, &w->room, sizeof *w->items);
    w->items[w->count++] = word;
    return true;
}

static bool read_words(struct str bbox, struct house_word_list *w, struct arena *arena)
{
    struct str line;
    bool good = str_find(bbox, STR("<doc>")) >= 0 && str_find(bbox, STR("</doc>")) >= 0;
    while (good && str_split(&bbox, '\n', &line)) {
        line = str_trim(line);
        if (str_starts(line, STR("<page ")))
            w->page++;
        else if (str_starts(line, STR("<word ")))
            good = add_word(w, line, arena);
    }
    return good;
}

static int compare(int a, int b)
{
    return (a > b) - (a < b);
}

static int by_baseline(const void *a, const void *b)
{
    const struct house_word *x = a, *y = b;
    int order = compare(x->page, y->page);
    order = order ? order : compare(x->bottom, y->bottom);
    return order ? order : compare(x->left, y->left);
}

static int by_left(const void *a, const void *b)
{
    const struct house_word *x = a, *y = b;
    int order = compare(x->left, y->left);
    return order ? order : compare(x->top, y->top);
}

static struct house_line make_line(struct house_word *words, size_t count)
{
    struct house_line line = {
        .page = words->page,
        .top = words->top,
        .bottom = words->bottom,
        .words = words,
        .count = count,
    };
    qsort(words, count, sizeof *words, by_left);
    for (size_t i = 0; i < count; i++) {
        line.top = words[i].top < line.top ? words[i].top : line.top;
        line.bottom = words[i].bottom > line.bottom ? words[i].bottom : line.bottom;
    }
    return line;
}

bool house_words(struct str bbox, bool repaired, struct arena *arena, struct house_text *ret)
{
    struct house_word_list w = {.repaired = repaired};
    *ret = (struct house_text){.pages = 0};
    bool good = read_words(bbox, &w, arena);
    if (good && w.count) {
        struct house_word *words = ARENA_ARRAY(arena, struct house_word, w.count);
        for (size_t i = 0; i < w.count; i++)
            words[i] = w.items[i];
        qsort(words, w.count, sizeof *words, by_baseline);
        ret->lines = ARENA_ARRAY(arena, struct house_line, w.count);
        for (size_t i = 0, end; i < w.count; i = end) {
            for (end = i + 1; end < w.count && words[end].page == words[i].page &&
                              words[end].bottom - words[i].bottom < SAME_LINE;)
                end++;
            ret->lines[ret->line_count++] = make_line(words + i, end - i);
        }
    }
    ret->pages = w.page;
    mem_free(w.items);
    return good;
}

/* What stands between two words of a file. */
static struct str between(const struct house_word *before, const struct house_word *word)
{
    int down = word->bottom - before->bottom, gap = word->left - before->right;
    bool same_line = down > -SAME_LINE && down < SAME_LINE && gap > -TOUCHING;
    if (same_line)
        return gap < TOUCHING ? STR("") : STR(" ");
    return down > APART ? STR("\n\n") : STR("\n");
}

bool house_words_in_order(struct str bbox, bool repaired, struct arena *arena, struct str *ret)
{
    struct house_word_list w = {.repaired = repaired};
    bool good = read_words(bbox, &w, arena);
    BUF_SCOPED(b, 2 * bbox.n + 1);
    for (size_t i = 0; i < w.count && good; i++) {
        int page = i ? w.items[i - 1].page : 1;
        if (i && page == w.items[i].page)
            buf_str(&b, between(&w.items[i - 1], &w.items[i]));
        for (; page < w.items[i].page; page++)
            buf_char(&b, '\f');
        buf_str(&b, w.items[i].text);
    }
    *ret = arena_str(arena, buf_view(&b));
    good = good && !b.overflow;
    mem_free(w.items);
    return good;
}

static struct str join(
    const struct house_line *line, size_t from, size_t to, bool stored, struct arena *arena)
{
    size_t size = 1;
    for (size_t i = from; i < to; i++)
        size += line->words[i].text.n + 1;
    char *text = arena_alloc(arena, size);
    struct buf b = buf_over(text, size);
    for (size_t i = from; i < to; i++) {
        const struct house_word *word = &line->words[i];
        if (i > from && word->left - word[-1].right >= TOUCHING)
            buf_char(&b, ' ');
        buf_str(&b, stored ? word->stored : word->text);
    }
    return buf_view(&b);
}

struct str house_line_text(
    const struct house_line *line, size_t from, size_t to, struct arena *arena)
{
    return join(line, from, to, false, arena);
}

struct str house_line_stored(
    const struct house_line *line, size_t from, size_t to, struct arena *arena)
{
    return join(line, from, to, true, arena);
}

/* --- compares labels */

struct str house_label_letters(struct arena *arena, struct str text)
{
    char *out = arena_alloc(arena, text.n + 1);
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++)
        if (ascii_is_alpha(text.p[i]))
            out[n++] = ascii_upper(text.p[i]);
    return str_of(out, n);
}

bool house_label_begins(struct str text, struct str label)
{
    return text.n >= label.n && str_eq_nocase(str_slice(text, 0, label.n), label);
}

ptrdiff_t house_label_find(struct str text, struct str label)
{
    for (size_t i = 0; i + label.n <= text.n; i++)
        if (house_label_begins(str_slice(text, i, text.n), label))
            return (ptrdiff_t)i;
    return -1;
}

struct str house_label_upper(struct arena *arena, struct str text)
{
    char *out = arena_alloc(arena, text.n + 1);
    for (size_t i = 0; i < text.n; i++)
        out[i] = ascii_upper(text.p[i]);
    return str_of(out, text.n);
}

enum cell house_label_cell(struct str letters)
{
    static const struct {
        struct str letters, initials;
        enum cell cell;
    } labels[] = {
        {STR_INIT("FILINGSTATUS"), STR_INIT("FS"), CELL_STATUS},
        {STR_INIT("SUBHOLDINGOF"), STR_INIT("SO"), CELL_SUBHOLDING},
        {STR_INIT("LOCATION"), STR_INIT("L"), CELL_LOCATION},
        {STR_INIT("DESCRIPTION"), STR_INIT("D"), CELL_DESCRIPTION},
        {STR_INIT("COMMENTS"), STR_INIT("C"), CELL_COMMENT},
    };
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        if (str_eq(letters, labels[i].letters) || str_eq(letters, labels[i].initials))
            return labels[i].cell;
    return CELL_COUNT;
}

bool house_label_mixes_case(struct str text)
{
    for (size_t i = 1; i < text.n; i++)
        if (ascii_is_alpha(text.p[i]) && text.p[i] == ascii_upper(text.p[i]) &&
            ascii_is_alpha(text.p[i - 1]) && text.p[i - 1] != ascii_upper(text.p[i - 1]))
            return true;
    return false;
}

bool house_label_is_title(struct str letters)
{
    return str_eq(letters, STR("PERIODICTRANSACTIONREPORT")) || str_eq(letters, STR("PTR"));
}
