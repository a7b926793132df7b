/* Reads and compares; see about.h. */
#include "mcp/about.h"

#include "base/fold.h"
#include "base/utf8.h"
#include "market/curated_list.h"
#include "names/likeness.h"

extern const char about_words_csv[];
extern const size_t about_words_csv_size;

enum { PHRASE, OF, MEANS, COLUMNS };
enum { OF_NOTHING, OF_INDUSTRY, OF_COMMITTEE, OF_ANY, OF_COUNT };
enum { PHRASE_WORDS_MAX = 3, NEAREST = 3 };

static const struct str kinds[OF_COUNT] = {
    STR_INIT("nothing"), STR_INIT("industry"), STR_INIT("committee"), STR_INIT("any")};

static void *open_list(struct csv_in *csv, struct arena *arena)
{
    struct str text = str_of(about_words_csv, about_words_csv_size);
    return curated_open(csv, arena, text, COLUMNS, 1);
}

/* The row of a phrase. False: there is none. */
static bool find_phrase(struct arena *arena, struct str phrase, struct about_part *ret)
{
    struct csv_in csv;
    open_list(&csv, arena);
    while (curated_next(&csv, COLUMNS))
        if (str_eq(csv.field[PHRASE], phrase)) {
            *ret =
                (struct about_part){curated_word(csv.field[OF], kinds, OF_COUNT), csv.field[MEANS]};
            return true;
        }
    return false;
}

/* The first `count` words; null: there are fewer. */
static struct str first_words(struct str text, int count)
{
    for (size_t i = 0; i <= text.n; i++)
        if ((i == text.n || text.p[i] == ' ') && --count == 0)
            return str_slice(text, 0, i);
    return STR_NULL;
}

/* The longest phrase that the words begin with, or the first word as it is. */
static struct str take_part(struct arena *arena, struct str rest, struct about_part *ret)
{
    for (int words = PHRASE_WORDS_MAX; words > 0; words--) {
        struct str phrase = first_words(rest, words);
        if (!str_is_null(phrase) && find_phrase(arena, phrase, ret))
            return phrase;
    }
    *ret = (struct about_part){OF_ANY, first_words(rest, 1)};
    return ret->means;
}

void about_init(struct about *about, struct str text)
{
    BUF_SCOPED(folded, SIZE_MAX);
    *about = (struct about){.count = 0};
    arena_init(&about->arena);
    fold_words(&folded, text, FOLD_SEARCH);
    about->words = arena_str(&about->arena, buf_view(&folded));
    struct str rest = about->words;
    while (rest.n > 0 && about->count < ABOUT_PARTS_MAX) {
        struct about_part *part = &about->parts[about->count];
        struct str taken = take_part(&about->arena, rest, part);
        about->count += part->of != OF_NOTHING;
        rest = str_slice(rest, taken.n + (taken.n < rest.n), rest.n);
    }
}

void about_finish(struct about *about)
{
    arena_finish(&about->arena);
}

/* --- trades */

static bool has_all_words(struct str text, struct str words)
{
    struct str word;
    while (str_split(&words, ' ', &word))
        if (str_find(text, word) < 0)
            return false;
    return true;
}

static bool has_one(struct str text, struct str alternatives)
{
    struct str words;
    while (str_split(&alternatives, '|', &words))
        if (has_all_words(text, words))
            return true;
    return false;
}

static void add_folded(struct buf *b, struct str text)
{
    buf_char(b, ' ');
    fold_words(b, utf8_cut(text, FOLD_TEXT_MAX), FOLD_SEARCH);
}

/* A reason is "NAME sits on COMMITTEES, which oversees INDUSTRY, the industry of COMPANY": other
 * sentences are looked at as a whole. */
bool about_fits(const struct about *about, const struct api_item *trade)
{
    char space[5 * FOLD_TEXT_MAX];
    struct buf folded = buf_over(space, sizeof space);
    if (!about->count)
        return true;
    add_folded(&folded, trade->reason);
    struct str reason = buf_view(&folded);
    add_folded(&folded, trade->name);
    add_folded(&folded, trade->ticker);
    ptrdiff_t seats_end = str_find(reason, STR(" which oversee"));
    ptrdiff_t industry_end = str_find(reason, STR(" the industry of "));
    bool known = seats_end >= 0 && industry_end > seats_end;
    const struct str texts[OF_COUNT] = {
        [OF_INDUSTRY] = known ? str_slice(reason, (size_t)seats_end, (size_t)industry_end) : reason,
        [OF_COMMITTEE] = known ? str_slice(reason, 0, (size_t)seats_end) : reason,
        [OF_ANY] = buf_view(&folded),
    };
    for (size_t i = 0; i < about->count; i++)
        if (!has_one(texts[about->parts[i].of], about->parts[i].means))
            return false;
    return true;
}

/* --- what else could have been said */

/* How unlike the words are, in permille of the longer one: the best pair counts. */
static int distance(struct str said, struct str phrase)
{
    int best = 1000;
    struct str a, rest, b;
    while (str_split(&said, ' ', &a)) {
        rest = phrase;
        while (str_split(&rest, ' ', &b)) {
            size_t longer = a.n > b.n ? a.n : b.n;
            int edits = likeness_edits(a, b, LIKENESS_WORD_MAX);
            int unlike = longer ? edits * 1000 / (int)longer : 1000;
            best = unlike < best ? unlike : best;
        }
    }
    return best;
}

void about_put_nearest(struct buf *b, const struct about *about)
{
    struct csv_in csv;
    struct str names[NEAREST] = {STR_NULL};
    int far[NEAREST] = {0};
    ARENA_SCOPED(arena);
    open_list(&csv, &arena);
    while (curated_next(&csv, COLUMNS)) {
        if (!csv.field[MEANS].n || str_eq(csv.field[PHRASE], about->words))
            continue;
        int unlike = distance(about->words, csv.field[PHRASE]);
        int at = NEAREST;
        while (at > 0 && (str_is_null(names[at - 1]) || far[at - 1] > unlike))
            at--;
        for (int i = NEAREST - 1; i > at; i--) {
            names[i] = names[i - 1];
            far[i] = far[i - 1];
        }
        if (at < NEAREST) {
            names[at] = csv.field[PHRASE];
            far[at] = unlike;
        }
    }
    buf_str(b, STR(" The nearest words that are known:"));
    for (int i = 0; i < NEAREST; i++)
        buf_fmt(b, "%s %.*s", i ? "," : "", STR_ARG(names[i]));
    buf_char(b, '.');
}
