/* Strings as pointer and length; see str.h. Nothing here allocates. */
#include "base/str.h"

struct str str_from(const char *text)
{
    return (struct str){text, text ? strlen(text) : 0};
}

bool str_eq_nocase(struct str a, struct str b)
{
    if (!a.p || !b.p)
        return !a.p && !b.p;
    if (a.n != b.n)
        return false;
    for (size_t i = 0; i < a.n; i++)
        if (ascii_lower(a.p[i]) != ascii_lower(b.p[i]))
            return false;
    return true;
}

int str_cmp(struct str a, struct str b)
{
    size_t n = a.n < b.n ? a.n : b.n;
    int order = n ? memcmp(a.p, b.p, n) : 0;
    if (order)
        return order;
    return a.n < b.n ? -1 : a.n > b.n;
}

bool str_starts(struct str s, struct str prefix)
{
    return s.n >= prefix.n && (prefix.n == 0 || memcmp(s.p, prefix.p, prefix.n) == 0);
}

bool str_ends(struct str s, struct str suffix)
{
    return s.n >= suffix.n &&
           (suffix.n == 0 || memcmp(s.p + s.n - suffix.n, suffix.p, suffix.n) == 0);
}

ptrdiff_t str_find(struct str s, struct str needle)
{
    if (needle.n == 0)
        return 0;
    const char *hit = s.n ? memmem(s.p, s.n, needle.p, needle.n) : NULL;
    return hit ? hit - s.p : -1;
}

ptrdiff_t str_find_char(struct str s, char c)
{
    const char *hit = s.n ? memchr(s.p, c, s.n) : NULL;
    return hit ? hit - s.p : -1;
}

struct str str_slice(struct str s, size_t from, size_t to)
{
    if (to > s.n)
        to = s.n;
    if (from > to)
        from = to;
    return (struct str){s.p ? s.p + from : NULL, to - from};
}

struct str str_trim(struct str s)
{
    while (s.n && ascii_is_space(s.p[0])) {
        s.p++;
        s.n--;
    }
    while (s.n && ascii_is_space(s.p[s.n - 1]))
        s.n--;
    return s;
}

bool str_split(struct str *rest, char sep, struct str *ret_part)
{
    if (str_is_null(*rest))
        return false;
    ptrdiff_t at = str_find_char(*rest, sep);
    if (at < 0) {
        *ret_part = *rest;
        *rest = STR_NULL;
    } else {
        *ret_part = str_slice(*rest, 0, (size_t)at);
        *rest = str_slice(*rest, (size_t)at + 1, rest->n);
    }
    return true;
}

/* Lists are short, and memmem prepares itself for long texts. */
ptrdiff_t str_find_word(struct str s, struct str word, size_t from)
{
    for (size_t at = from; word.n && at + word.n <= s.n; at++) {
        const char *hit = memchr(s.p + at, word.p[0], s.n - word.n - at + 1);
        if (!hit)
            break;
        at = (size_t)(hit - s.p);
        size_t end = at + word.n;
        bool whole =
            (at == 0 || !ascii_is_alnum(s.p[at - 1])) && (end == s.n || !ascii_is_alnum(s.p[end]));
        if (whole && memcmp(hit, word.p, word.n) == 0)
            return (ptrdiff_t)at;
    }
    return -1;
}

bool str_to_i64(struct str s, int64_t *ret)
{
    bool negative = s.n && s.p[0] == '-';
    size_t i = negative;
    int64_t value = 0;
    if (i == s.n)
        return false;
    for (; i < s.n; i++) {
        if (!ascii_is_digit(s.p[i]))
            return false;
        /* Counts downwards, because the negative range is larger. */
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_sub_overflow(value, s.p[i] - '0', &value))
            return false;
    }
    if (negative ? value == 0 : value == INT64_MIN)
        return false;
    *ret = negative ? value : -value;
    return true;
}

bool str_next_word(struct str *rest, struct str *ret_word)
{
    size_t from = 0, to;
    while (from < rest->n && (rest->p[from] == ',' || ascii_is_space(rest->p[from])))
        from++;
    for (to = from; to < rest->n && rest->p[to] != ',' && !ascii_is_space(rest->p[to]);)
        to++;
    *ret_word = str_slice(*rest, from, to);
    *rest = str_slice(*rest, to, rest->n);
    return ret_word->n > 0;
}
