/*
 * A string as pointer and length, the form in which parts pass text. It owns nothing and need not
 * end in NUL. A null string (p == NULL) means "no value" and differs from the empty string.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct str {
    const char *p;
    size_t n;
};

/* A string from a literal; usable in initializers of constants. */
#define STR(literal) ((struct str){"" literal, sizeof(literal) - 1})
#define STR_INIT(literal)                                                                          \
    {                                                                                              \
        "" literal, sizeof(literal) - 1                                                            \
    }
#define STR_NULL ((struct str){NULL, 0})

/* For printf: printf("%.*s", STR_ARG(s)). */
#define STR_ARG(s) ((int)(s).n), ((s).p ? (s).p : "")

struct str str_from(const char *text); /* NULL gives the null string */

static inline struct str str_of(const char *p, size_t n)
{
    return (struct str){p, n};
}

static inline bool str_is_null(struct str s)
{
    return s.p == NULL;
}

/* Bytewise; null equals only null. Inline, because searches through headers or names mostly compare
 * strings of different lengths. */
static inline bool str_eq(struct str a, struct str b)
{
    if (a.n != b.n || !a.p || !b.p)
        return !a.p && !b.p;
    return memcmp(a.p, b.p, a.n) == 0;
}

bool str_eq_nocase(struct str a, struct str b); /* ignores the case of ASCII letters */
int str_cmp(struct str a, struct str b);        /* bytewise as memcmp, the shorter first */
bool str_starts(struct str s, struct str prefix);
bool str_ends(struct str s, struct str suffix);
ptrdiff_t str_find(struct str s, struct str needle);        /* offset of the first match or -1 */
ptrdiff_t str_find_char(struct str s, char c);              /* offset or -1 */
struct str str_slice(struct str s, size_t from, size_t to); /* bounds are clipped to s */
struct str str_trim(struct str s); /* without leading and trailing ASCII white space */

/* Cuts the text before the next `sep` from *rest into *ret_part; false: *rest is null (used up).
 * "a,,b" gives "a", "", "b"; the empty string gives one empty part. */
bool str_split(struct str *rest, char sep, struct str *ret_part);

/* Cuts the next word of a list between commas or white space from *rest; false: there is none. */
bool str_next_word(struct str *rest, struct str *ret_word);

/* Offset of the first place at or after `from` where `word` has no ASCII letter or digit beside it,
 * or -1. The empty word is nowhere. */
ptrdiff_t str_find_word(struct str s, struct str word, size_t from);

/* Whether `word` is in a list of words, such as "ada ben". */
static inline bool str_lists(struct str words, struct str word)
{
    return str_find_word(words, word, 0) >= 0;
}

/* Strict decimal: digits with an optional leading '-' (not before zero), no '+', no spaces, within
 * int64. */
bool str_to_i64(struct str s, int64_t *ret);

/* ASCII only; independent of the locale. */
static inline bool ascii_is_digit(char c)
{
    return c >= '0' && c <= '9';
}
static inline bool ascii_is_alpha(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
static inline bool ascii_is_alnum(char c)
{
    return ascii_is_alpha(c) || ascii_is_digit(c);
}

static inline bool ascii_is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}
static inline char ascii_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}
static inline char ascii_upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 32) : c;
}
