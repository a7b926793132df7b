/* Names to words; see name_parts.h. */
#include "mcp/name_parts.h"

#include "base/utf8.h"
#include "mcp/word_list.h"

static const char titles[] =
    "chair chairman chairwoman congressman congressperson congresswoman delegate dr former hon "
    "honorable leader majority minority miss mr mrs ms rep representative sen senator speaker the "
    "us whip";

static const char degrees[] = "cpa dds dmd dpm dvm esq facs mba md phd ret rn usaf usmc usn";

static const char states[] =
    "ak al ar as az ca co ct dc de fl ga gu hi ia id il in ks ky la ma md me mi mn mo mp ms mt nc "
    "nd ne nh nj nm nv ny oh ok or pa pr ri sc sd tn tx ut va vi vt wa wi wv wy";

static const struct {
    const char *word;
    enum name_generation generation;
} generations[] = {
    {"sr", GENERATION_SENIOR},  {"jr", GENERATION_JUNIOR},  {"ii", GENERATION_JUNIOR},
    {"2nd", GENERATION_JUNIOR}, {"iii", GENERATION_THIRD},  {"3rd", GENERATION_THIRD},
    {"iv", GENERATION_FOURTH},  {"4th", GENERATION_FOURTH},
};

struct words {
    struct str word[NAME_WORDS_MAX];
    int count;
};

static bool is_number(struct str word)
{
    for (size_t i = 0; i < word.n; i++)
        if (!ascii_is_digit(word.p[i]))
            return false;
    return true;
}

static enum name_generation generation_of(struct str word)
{
    for (size_t i = 0; i < sizeof generations / sizeof *generations; i++)
        if (str_eq(word, str_from(generations[i].word)))
            return generations[i].generation;
    return GENERATION_NONE;
}

/* The word at `at` counted from the end; empty in front of the first. */
static struct str from_end(const struct words *w, int at)
{
    return at <= w->count ? w->word[w->count - at] : STR("");
}

/* How many words at the front are no part of the name: "Senator", or "U.S." */
static int front_surplus(const struct words *w)
{
    if (w->count && word_listed(titles, w->word[0]))
        return 1;
    return w->count > 1 && str_eq(w->word[0], STR("u")) && str_eq(w->word[1], STR("s")) ? 2 : 0;
}

/* How many words at the end are no part of the name. */
static int end_surplus(const struct words *w)
{
    struct str last = from_end(w, 1), before = from_end(w, 2);
    if (last.n == 0)
        return 0;
    if (is_number(last) || generation_of(last) || word_listed(degrees, last) ||
        word_listed(titles, last))
        return 1;
    if (str_eq(before, STR("m")) && str_eq(last, STR("d"))) /* M.D. */
        return 2;
    if (before.n == 1 && str_find_char(STR("dri"), before.p[0]) >= 0 && word_listed(states, last))
        return 2; /* (D-CA) */
    return 0;
}

/* Takes off what is no part of the name, as long as `keep` words stay. */
static void strip(struct words *w, int keep, enum name_generation *generation)
{
    for (int n; (n = front_surplus(w)) && w->count - n >= keep;) {
        w->count -= n;
        memmove(w->word, w->word + n, (size_t)w->count * sizeof *w->word);
    }
    for (int n; (n = end_surplus(w)) && w->count - n >= keep;) {
        enum name_generation stated = generation_of(from_end(w, 1));
        if (stated)
            *generation = stated;
        w->count -= n;
    }
}

/* Folds one piece into the buffer; false when there are too many words. */
static bool read_words(struct buf *b, struct str text, struct words *ret)
{
    size_t from = b->n;
    *ret = (struct words){0};
    if (!fold_words(b, text))
        return true; /* nothing between two commas */
    struct str word, rest = str_slice(buf_view(b), from, b->n);
    while (str_split(&rest, ' ', &word)) {
        if (ret->count == NAME_WORDS_MAX)
            return false;
        ret->word[ret->count++] = word;
    }
    return true;
}

static bool append(struct words *to, const struct words *from)
{
    if (to->count + from->count > NAME_WORDS_MAX)
        return false;
    for (int i = 0; i < from->count; i++)
        to->word[to->count++] = from->word[i];
    return true;
}

/* The last name, where it stands before a comma, and all else. False: too many words. */
static bool read_pieces(struct buf *b, struct str text, struct words *ret, struct name_parts *parts)
{
    struct words family = {0}, piece;
    for (struct str part; str_split(&text, ',', &part);) {
        if (!read_words(b, part, &piece))
            return false;
        strip(&piece, family.count == 0, &parts->generation);
        if (!append(family.count ? ret : &family, &piece))
            return false;
    }
    bool turned = ret->count > 0;
    if (!append(ret, &family))
        return false;
    if (turned)
        strip(ret, 1, &parts->generation);
    return true;
}

/* False: there are digits at most. */
static bool put_letters(struct name_parts *p, const struct words *w)
{
    struct buf b = buf_over(p->letters, sizeof p->letters);
    bool lettered = false;
    for (int i = 0; i < w->count; i++) {
        p->word[i].at = (uint16_t)b.n;
        p->word[i].n = (uint16_t)w->word[i].n;
        buf_str(&b, w->word[i]);
        lettered = lettered || !is_number(w->word[i]);
    }
    p->count = w->count;
    return lettered;
}

enum err name_parts_read(struct name_parts *ret, struct str text, struct fail *fail)
{
    char folded[NAME_LETTERS_MAX];
    struct buf b = buf_over(folded, sizeof folded);
    struct words words = {0};
    *ret = (struct name_parts){0};
    if (text.n > FOLD_TEXT_MAX)
        return fail_set(fail, ERR_INVALID, "the name is longer than %d bytes", FOLD_TEXT_MAX);
    if (!utf8_is_valid(text))
        return fail_set(fail, ERR_INVALID, "the name is not UTF-8");
    if (!read_pieces(&b, text, &words, ret))
        return fail_set(fail, ERR_INVALID, "the name has more than %d words", NAME_WORDS_MAX);
    if (b.overflow)
        return fail_set(fail, ERR_INVALID, "the name is longer than %d letters", NAME_LETTERS_MAX);
    if (!put_letters(ret, &words))
        return fail_set(fail, ERR_INVALID, "there are no letters in the name");
    return OK;
}
