/* Likeness of words; see word_like.h. */
#include "mcp/word_like.h"

static size_t longer(struct str a, struct str b)
{
    return a.n > b.n ? a.n : b.n;
}

static uint64_t letter_set(struct str s)
{
    uint64_t set = 0;
    for (size_t i = 0; i < s.n; i++)
        set |= UINT64_C(1) << ((unsigned char)s.p[i] & 63);
    return set;
}

/* Too few edits for the letters that only one of them has: an edit brings in one at most. */
static bool surely_more(struct str a, struct str b, int max)
{
    uint64_t in_a = letter_set(a), in_b = letter_set(b);
    return __builtin_popcountll(in_a & ~in_b) > max || __builtin_popcountll(in_b & ~in_a) > max;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* The usual table, of which three rows are kept: cost[k] is that of a's first i and b's first k
 * letters. A swap may not be edited again. A row is made of the two before it, so once they are
 * past `max` all that follow are. */
static int count_edits(struct str a, struct str b, int max)
{
    int rows[3][WORD_LIKE_MAX + 1];
    int *before = rows[0], *last = rows[1], *cost = rows[2], best_last = 0;
    for (size_t k = 0; k <= b.n; k++)
        last[k] = (int)k;
    for (size_t i = 1; i <= a.n; i++) {
        int best = cost[0] = (int)i;
        for (size_t k = 1; k <= b.n; k++) {
            int change = last[k - 1] + (a.p[i - 1] != b.p[k - 1]);
            cost[k] = least(change, least(last[k], cost[k - 1]) + 1);
            if (i > 1 && k > 1 && a.p[i - 1] == b.p[k - 2] && a.p[i - 2] == b.p[k - 1])
                cost[k] = least(cost[k], before[k - 2] + 1);
            best = least(best, cost[k]);
        }
        if (best > max && best_last >= max)
            return max + 1;
        best_last = best;
        int *free_row = before;
        before = last;
        last = cost;
        cost = free_row;
    }
    return least(last[b.n], max + 1);
}

int word_edits(struct str a, struct str b, int max)
{
    size_t more = longer(a, b), less = a.n + b.n - more;
    if (str_eq(a, b))
        return 0;
    if (max <= 0 || more > WORD_LIKE_MAX || more - less > (size_t)max || surely_more(a, b, max))
        return max + 1;
    return count_edits(a, b, max);
}

int word_slips(struct str a, struct str b)
{
    size_t n = longer(a, b);
    return n < 4 ? 0 : n < 7 ? 1 : n < 12 ? 2 : 3;
}

/* --- sound */

enum { SOUNDS_MAX = 16, SOUNDS_MIN = 3 };

/* The sound of the letter in front; 0: none of its own. Takes the letters that make it. */
static char take_sound(struct str *rest)
{
    char c = rest->p[0], next = rest->n > 1 ? rest->p[1] : 0;
    size_t used = 1;
    char sound = c;
    if (c == 'p' && next == 'h') {
        used = 2;
        sound = 'f';
    } else if (str_starts(*rest, STR("sch"))) {
        used = 3;
        sound = 's';
    } else if (c == 'c') {
        sound = next == 'e' || next == 'i' || next == 'y' ? 's' : 'k';
    } else if (c == 'q') {
        sound = 'k';
    } else if (c == 'z' || c == 'x') {
        sound = 's';
    } else if (str_find_char(STR("aeiouyhw"), c) >= 0) {
        sound = 0;
    }
    *rest = str_slice(*rest, used, rest->n);
    return sound;
}

/* The consonants in their order, neighbours of one sound once; how many, SOUNDS_MAX at most. */
static size_t sounds_of(struct str word, char *ret)
{
    size_t n = 0;
    char last = 0;
    while (word.n && n < SOUNDS_MAX) {
        char sound = take_sound(&word);
        if (sound && sound != last)
            ret[n++] = sound;
        last = sound;
    }
    return n;
}

bool word_sounds_like(struct str a, struct str b)
{
    char of_a[SOUNDS_MAX], of_b[SOUNDS_MAX];
    int max = word_slips(a, b) + 1;
    if (word_edits(a, b, max) > max)
        return false;
    size_t n = sounds_of(a, of_a);
    return n >= SOUNDS_MIN && n == sounds_of(b, of_b) && memcmp(of_a, of_b, n) == 0;
}
