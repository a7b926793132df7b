/* Words of commodities; see commodity.h. */
#include "market/commodity.h"

#include <pthread.h>

#include "market/curated_list.h"
#include "market/industry.h"

extern const char commodity_words_csv[];
extern const size_t commodity_words_csv_size;

enum word_kind { COMMODITY, NONE, EXCHANGE, WORD_KINDS };

struct commodity_word {
    struct str text; /* small letters */
    enum word_kind kind;
    int industry; /* of a commodity */
    struct str note;
};

static struct {
    struct commodity_word *words;
    size_t count;
} list;

static void read_list(void)
{
    static const struct str kinds[WORD_KINDS] = {
        [COMMODITY] = STR_INIT("commodity"),
        [NONE] = STR_INIT("none"),
        [EXCHANGE] = STR_INIT("exchange"),
    };
    static struct arena arena;
    struct csv_in csv;
    arena_init(&arena);
    struct str text = str_of(commodity_words_csv, commodity_words_csv_size);
    list.words = curated_open(&csv, &arena, text, 4, sizeof *list.words);
    while (curated_next(&csv, 4)) {
        struct commodity_word *word = &list.words[list.count++];
        word->kind = (enum word_kind)curated_word(csv.field[0], kinds, WORD_KINDS);
        word->text = csv.field[1];
        word->industry = industry_from_code(csv.field[2]);
        word->note = csv.field[3];
        assert((word->kind == COMMODITY) == (word->industry != 0));
    }
}

static bool is_letter(char c)
{
    return ascii_is_alpha(c) || ascii_is_digit(c);
}

/* The longest word that the text begins with; NULL: none. */
static const struct commodity_word *word_at(struct str text)
{
    const struct commodity_word *found = NULL;
    for (size_t i = 0; i < list.count; i++) {
        size_t n = list.words[i].text.n;
        if (n <= text.n && (n == text.n || !is_letter(text.p[n])) &&
            (!found || n > found->text.n) &&
            str_eq_nocase(str_slice(text, 0, n), list.words[i].text))
            found = &list.words[i];
    }
    return found;
}

int commodity_of(struct str name, bool needs_exchange, struct str *ret_why_not)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const struct commodity_word *kinds[WORD_KINDS] = {NULL};
    bool several = false;
    pthread_once(&once, read_list);
    for (size_t i = 0; i < name.n; i++) {
        bool begins = is_letter(name.p[i]) && (i == 0 || !is_letter(name.p[i - 1]));
        const struct commodity_word *word = begins ? word_at(str_slice(name, i, name.n)) : NULL;
        if (!word)
            continue;
        const struct commodity_word *before = kinds[word->kind];
        several |= word->kind == COMMODITY && before && before->industry != word->industry;
        kinds[word->kind] = word;
        i += word->text.n - 1;
    }
    *ret_why_not = needs_exchange && !kinds[EXCHANGE] ? STR_NULL
                   : kinds[NONE]                      ? kinds[NONE]->note
                   : several                          ? STR("it names two industries")
                                                      : STR("no rule knows the commodity");
    bool judged = kinds[COMMODITY] && !kinds[NONE] && !several;
    return judged && (kinds[EXCHANGE] || !needs_exchange) ? kinds[COMMODITY]->industry : 0;
}
