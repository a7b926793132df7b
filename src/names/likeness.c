/* Likeness of words; see likeness.h. */
#include "names/likeness.h"

static size_t longer(struct str a, struct str b)
{
    return a.n > b.n ? a.n : b.n;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* The optimal string alignment distance, or more than `max`. Of its table three rows are kept:
 * cost[k] is the distance between the first i letters of a and the first k of b. */
static int count_edits(struct str a, struct str b, int max)
{
    int rows[3][LIKENESS_WORD_MAX + 1];
    for (size_t k = 0; k <= b.n; k++)
        rows[0][k] = (int)k;
    for (size_t i = 1; i <= a.n; i++) {
        int *cost = rows[i % 3], *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        int best = cost[0] = (int)i;
        for (size_t k = 1; k <= b.n; k++) {
            int change = last[k - 1] + (a.p[i - 1] != b.p[k - 1]);
            cost[k] = least(change, least(last[k], cost[k - 1]) + 1);
            if (i > 1 && k > 1 && a.p[i - 1] == b.p[k - 2] && a.p[i - 2] == b.p[k - 1])
                cost[k] = least(cost[k], before[k - 2] + 1);
            best = least(best, cost[k]);
        }
        if (best > max)
            return best; /* no later row is better */
    }
    return rows[a.n % 3][b.n];
}

int likeness_edits(struct str a, struct str b, int max)
{
    size_t more = longer(a, b), less = a.n + b.n - more;
    if (str_eq(a, b))
        return 0;
    if (max <= 0 || more > LIKENESS_WORD_MAX || more - less > (size_t)max)
        return max + 1;
    return least(count_edits(a, b, max), max + 1);
}

int likeness_slips(struct str a, struct str b)
{
    size_t n = longer(a, b);
    return n < 4 ? 0 : n < 7 ? 1 : n < 12 ? 2 : 3;
}

enum { SOUNDS_MAX = 16, SOUNDS_MIN = 3 };

/* The consonants in their order, neighbours of one sound once; returns how many. */
static size_t sounds_of(struct str word, char *ret)
{
    static const char sounds[] = "-bkd-fg--jklmn-pkrst-v-s-s"; /* of a to z; '-': none */
    size_t n = 0;
    char last = '-';
    for (size_t i = 0; i < word.n && n < SOUNDS_MAX; i++) {
        char c = word.p[i], next = i + 1 < word.n ? word.p[i + 1] : ' ';
        char sound = c >= 'a' && c <= 'z' ? sounds[c - 'a'] : c;
        if (c == 'p' && next == 'h')
            sound = 'f';
        else if (c == 'c' && next == 'h' && i > 0 && word.p[i - 1] == 's')
            sound = '-'; /* sch */
        else if (c == 'c' && str_find_char(STR("eiy"), next) >= 0)
            sound = 's';
        if (sound != '-' && sound != last)
            ret[n++] = sound;
        last = sound;
    }
    return n;
}

bool likeness_sounds(struct str a, struct str b)
{
    char of_a[SOUNDS_MAX], of_b[SOUNDS_MAX];
    int max = likeness_slips(a, b) + 1;
    if (likeness_edits(a, b, max) > max)
        return false;
    size_t n = sounds_of(a, of_a);
    return n >= SOUNDS_MIN && n == sounds_of(b, of_b) && memcmp(of_a, of_b, n) == 0;
}
