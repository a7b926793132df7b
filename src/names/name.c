/* Names to words; see name.h. */
#include "names/name.h"

#include "base/utf8.h"

/* Where a word stands; several are combined with `|`. */
enum name_place {
    TYPED = 1,
    GIVEN = 2,
    FAMILY = 4,
    PRINTED = GIVEN | FAMILY,
    ANY = TYPED | PRINTED
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Words that are not part of a name, in front of it or behind it. */
static const struct {
    struct str words;
    enum name_place front, end;
} surplus[] = {
    {STR_INIT("congressman congresswoman dr former hon honorable miss mr mrs ms rep representative "
              "sen senator the"),
     ANY, ANY},
    {STR_INIT("chair chairman chairwoman congressperson delegate leader majority minority speaker "
              "us whip"),
     TYPED, TYPED}, /* some are last names of filers */
    {STR_INIT("aprn bsn cfa cfp cpa dds dmd dnp dpm dsc dvm edd esq esquire faap facp facs llm mba "
              "md mph msn pharmd phd psyd ret retired rn rph usaf usar uscg usmc usn"),
     0, ANY},
    {STR_INIT("dc do jd od usa"), 0, FAMILY}, /* "Vance, J.D." is typed */
};

static const struct {
    struct str word, generation;
    enum name_place end;
} generations[] = {
    {STR_INIT("sr"), STR_INIT("sr"), ANY},   {STR_INIT("jr"), STR_INIT("jr"), ANY},
    {STR_INIT("ii"), STR_INIT("ii"), ANY},   {STR_INIT("2nd"), STR_INIT("ii"), ANY},
    {STR_INIT("iii"), STR_INIT("iii"), ANY}, {STR_INIT("3rd"), STR_INIT("iii"), ANY},
    {STR_INIT("iv"), STR_INIT("iv"), ANY},   {STR_INIT("4th"), STR_INIT("iv"), ANY},
    {STR_INIT("v"), STR_INIT("v"), FAMILY}, /* elsewhere an initial */
};

static const struct str parties = STR_INIT("d r i");
static const struct str states =
    STR_INIT("ak al ar as az ca co ct dc de fl ga gu hi ia id il in ks ky la ma md me mi mn mo mp "
             "ms mt nc nd ne nh nj nm nv ny oh ok or pa pr ri sc sd tn tx ut va vi vt wa wi wv wy");

/* Null: the word is none. */
static struct str generation_of(struct str word, enum name_place place)
{
    for (size_t i = 0; i < COUNT(generations); i++)
        if ((generations[i].end & place) && str_eq(word, generations[i].word))
            return generations[i].generation;
    return STR_NULL;
}

static bool is_number(struct str word)
{
    for (size_t i = 0; i < word.n; i++)
        if (!ascii_is_digit(word.p[i]))
            return false;
    return true;
}

/* How many words to drop in front, or at the end. */
static int surplus_count(const struct name *n, enum name_place place, bool front)
{
    struct str word = n->count == 0 ? STR_NULL : n->word[front ? 0 : n->count - 1];
    for (size_t i = 0; i < COUNT(surplus); i++)
        if (((front ? surplus[i].front : surplus[i].end) & place) &&
            str_lists(surplus[i].words, word))
            return 1;
    if (front || n->count == 0)
        return 0;
    if (!str_is_null(generation_of(word, place)) || (place == TYPED && is_number(word)))
        return 1;
    bool party = place == TYPED && n->count > 1 && str_lists(parties, n->word[n->count - 2]) &&
                 str_lists(states, word);
    return party ? 2 : 0; /* (D-CA) */
}

/* Drops words at both ends as long as `keep` stay. */
static void strip(struct name *n, enum name_place place, int keep)
{
    for (; surplus_count(n, place, true) && n->count > keep; n->count--)
        memmove(n->word, n->word + 1, ((size_t)n->count - 1) * sizeof *n->word);
    for (int drop; (drop = surplus_count(n, place, false)) && n->count - drop >= keep;) {
        struct str stated = generation_of(n->word[n->count - 1], place);
        if (!str_is_null(stated))
            n->generation = stated;
        n->count -= drop;
    }
}

/* "Warren of Massachusetts", "Cruz from Texas": drops where somebody is from. */
static void drop_origin(struct name *n)
{
    for (int i = 1; i < n->count; i++)
        if (str_lists(STR("from of"), n->word[i]))
            n->count = i;
}

static bool append(struct name *to, const struct name *from)
{
    if (to->count + from->count > NAME_WORDS_MAX)
        return false;
    for (int i = 0; i < from->count; i++)
        to->word[to->count++] = from->word[i];
    if (!str_is_null(from->generation))
        to->generation = from->generation;
    return true;
}

/* Appends the words of the text; they live in the buffer. False: too many. */
static bool read_piece(
    struct buf *b, struct str text, enum name_place place, int keep, struct name *to)
{
    struct name piece = {0};
    struct str word, rest;
    size_t from = b->n;
    if (!fold_words(b, text, FOLD_ASCII))
        return true; /* nothing between two commas */
    rest = str_slice(buf_view(b), from, b->n);
    while (str_split(&rest, ' ', &word)) {
        if (piece.count == NAME_WORDS_MAX)
            return false;
        piece.word[piece.count++] = word;
    }
    strip(&piece, place, keep);
    if (place == TYPED)
        drop_origin(&piece);
    return append(to, &piece);
}

/* Copies the words into the arena, side by side. False, and no words: there are no letters. */
static bool keep_words(struct name *n, struct arena *arena)
{
    char joined[2 * NAME_LETTERS_MAX] MEM_UNFILLED;
    struct buf b = buf_over(joined, sizeof joined);
    bool lettered = false;
    for (int i = 0; i < n->count; i++) {
        lettered = lettered || !is_number(n->word[i]);
        buf_str(&b, n->word[i]);
    }
    const char *at = arena_str(arena, buf_view(&b)).p;
    for (int i = 0; i < n->count; at += n->word[i++].n)
        n->word[i].p = at;
    n->count = lettered ? n->count : 0;
    return lettered;
}

/* The last name, where it stands in front of a comma, and the rest. False: too many words. */
static bool read_typed(struct buf *b, struct str text, struct name *ret)
{
    struct name family = {0};
    for (struct str part; str_split(&text, ',', &part);)
        if (!read_piece(b, part, TYPED, family.count == 0, family.count ? ret : &family))
            return false;
    bool turned = ret->count > 0;
    if (!append(ret, &family))
        return false;
    if (turned)
        strip(ret, TYPED, 1);
    return true;
}

enum err name_read_typed(struct name *ret, struct arena *arena, struct str text, struct fail *fail)
{
    char folded[NAME_LETTERS_MAX] MEM_UNFILLED;
    struct buf b = buf_over(folded, sizeof folded);
    *ret = (struct name){0};
    if (text.n > FOLD_TEXT_MAX)
        return fail_set(fail, ERR_INVALID, "the name is longer than %d bytes", FOLD_TEXT_MAX);
    if (!utf8_is_valid(text))
        return fail_set(fail, ERR_INVALID, "the name is not UTF-8");
    if (!read_typed(&b, text, ret) || b.overflow) {
        *ret = (struct name){0};
        return fail_set(fail, ERR_INVALID, "the name has more than %d words", NAME_WORDS_MAX);
    }
    return keep_words(ret, arena) ? OK
                                  : fail_set(fail, ERR_INVALID, "the name has no Latin letters");
}

/* --- printed names */

static bool is_letter(char c)
{
    return c < 0 || ascii_is_alnum(c);
}

/* Writes a straight quote for each curly one; returns the size. */
static size_t straighten_quotes(char *to, struct str s)
{
    size_t n = 0;
    for (size_t i = 0; i < s.n; i++) {
        struct str rest = str_slice(s, i, s.n);
        bool one = str_starts(rest, STR("\xe2\x80\x98")) || str_starts(rest, STR("\xe2\x80\x99"));
        bool two = str_starts(rest, STR("\xe2\x80\x9c")) || str_starts(rest, STR("\xe2\x80\x9d"));
        to[n++] = one || s.p[i] == '`' ? '\'' : two ? '"' : s.p[i];
        i += one || two ? 2 : 0;
    }
    return n;
}

/* The text with spaces in place of nicknames in quotes or brackets. A single quote opens one at the
 * beginning of a word and closes it at the end of one. */
static struct str without_nicknames(struct arena *arena, struct str s)
{
    char *p = arena_alloc(arena, s.n + 1);
    size_t n = straighten_quotes(p, s);
    for (size_t i = 0, end; i < n; i++) {
        char close = p[i] == '(' ? ')' : p[i];
        if (str_find_char(STR("(\"'"), p[i]) < 0 || (close == '\'' && i && is_letter(p[i - 1])))
            continue;
        for (end = i + 1; end < n; end++)
            if (p[end] == close && (close != '\'' || !is_letter(p[end + 1])))
                break;
        if (end < n)
            memset(p + i, ' ', end + 1 - i);
    }
    return str_of(p, n);
}

bool name_read_printed(struct name *ret, struct arena *arena, struct str first, struct str last)
{
    char folded[2 * NAME_LETTERS_MAX] MEM_UNFILLED;
    struct buf b = buf_over(folded, sizeof folded);
    *ret = (struct name){0};
    if (!read_piece(&b, without_nicknames(arena, first), GIVEN, 1, ret) ||
        !read_piece(&b, without_nicknames(arena, last), FAMILY, 1, ret) || b.overflow)
        *ret = (struct name){0};
    return keep_words(ret, arena);
}

struct str name_span(const struct name *name, int from, int count)
{
    if (count <= 0)
        return STR_NULL;
    struct str last = name->word[from + count - 1];
    return str_of(name->word[from].p, (size_t)(last.p + last.n - name->word[from].p));
}

bool name_initials(const struct name *name, int from, int count, struct str letters)
{
    if (count < 2 || letters.n != (size_t)count)
        return false;
    for (int i = 0; i < count; i++)
        if (name->word[from + i].p[0] != letters.p[i])
            return false;
    return true;
}
