/* Given names and the list of nicknames; see given_name.h. */
#include "names/given_name.h"

#include <assert.h>

extern const char nicknames_csv[];
extern const size_t nicknames_csv_size;

/* The columns of the list. Its words need no quotes. */
enum { SPELLINGS, USUAL, OTHER, COLUMNS };

/* The column that lists the word; COLUMNS: none. */
static int column_of(struct str line, struct str word)
{
    struct str cell;
    for (int column = 0; str_split(&line, ',', &cell); column++)
        if (str_lists(cell, word))
            return column;
    return COLUMNS;
}

struct given_name given_name_find(struct str word)
{
    const struct str list = str_of(nicknames_csv, nicknames_csv_size);
    struct given_name name = {.word = word};
    ptrdiff_t at = str_find_char(list, '\n'); /* behind the header */
    while ((at = str_find_word(list, word, (size_t)at + 1)) >= 0) {
        size_t from = (size_t)at;
        while (list.p[from - 1] != '\n')
            from--;
        struct str line, rest = str_slice(list, from, list.n);
        str_split(&rest, '\n', &line);
        assert(name.count < GIVEN_NAME_LINES_MAX); /* a test looks up every word of the list */
        name.in[name.count].line = line;
        name.in[name.count++].column = column_of(line, word);
    }
    return name;
}

static enum given_fit fit_in_line(int a, int b)
{
    if (a == COLUMNS || b == COLUMNS)
        return GIVEN_DIFFERENT;
    if (a != SPELLINGS && b != SPELLINGS)
        return GIVEN_BOTH_SHORT;
    return a == USUAL || b == USUAL ? GIVEN_USUAL : GIVEN_FORM;
}

enum given_fit given_name_fit(const struct given_name *name, struct str other)
{
    struct str word = name->word;
    enum given_fit best = GIVEN_DIFFERENT;
    if (word.n == 0 || other.n == 0)
        return GIVEN_DIFFERENT;
    if (str_eq(word, other))
        return GIVEN_SAME;
    if (word.n == 1 || other.n == 1)
        return word.p[0] == other.p[0] ? GIVEN_INITIAL : GIVEN_DIFFERENT;
    for (int i = 0; i < name->count; i++) {
        enum given_fit fit = fit_in_line(name->in[i].column, column_of(name->in[i].line, other));
        if (fit > best)
            best = fit;
    }
    return best;
}
