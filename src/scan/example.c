/* The printed example; see example.h. */
#include "scan/example.h"

enum {
    LETTERS_MAX = 24,     /* of a text, from its beginning */
    WORD_FAULTS = 1,      /* letters of "Example" that may be misread, missing or too many */
    BEGINNING_FAULTS = 4, /* of "Example: Mega Corp" */
};

/* The first letters and digits of the text, in lower case. */
static struct str letters_of(struct str text, char space[static LETTERS_MAX])
{
    size_t n = 0;
    for (size_t i = 0; i < text.n && n < LETTERS_MAX; i++)
        if (ascii_is_alnum(text.p[i]))
            space[n++] = ascii_lower(text.p[i]);
    return str_of(space, n);
}

static int least_of(int a, int b)
{
    return a < b ? a : b;
}

/* How many letters must be changed, added or taken away until the text begins with the word. */
static int faults(struct str text, struct str word)
{
    int row[LETTERS_MAX + 1], least = (int)word.n;
    for (size_t k = 0; k <= text.n; k++)
        row[k] = (int)k;
    for (size_t i = 1; i <= word.n; i++) {
        int before = row[0];
        row[0] = (int)i;
        for (size_t k = 1; k <= text.n; k++) {
            int change = before + (word.p[i - 1] == text.p[k - 1] ? 0 : 1);
            before = row[k];
            row[k] = least_of(change, least_of(row[k], row[k - 1]) + 1);
        }
    }
    for (size_t k = 0; k <= text.n; k++)
        least = least_of(least, row[k]);
    return least;
}

bool example_is_text(struct str text)
{
    char space[LETTERS_MAX];
    struct str letters = letters_of(text, space);
    return faults(letters, STR("example")) <= WORD_FAULTS ||
           faults(letters, STR("examplemegacorp")) <= BEGINNING_FAULTS ||
           str_starts(letters, STR("megacorp"));
}
