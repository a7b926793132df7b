/* Reads the tokens of a few languages, roughly; see highlight.h. */
#include "html/highlight.h"

#define QUOTE STR("&quot;") /* as md4c writes " */

static const struct language {
    struct str name;
    struct str comment;            /* begins one, until the end of the line; null: there are none */
    bool single, back;             /* ' and ` begin strings too */
    bool lines;                    /* a string may go over several lines */
    bool keys;                     /* a string before ':' is a key */
    struct str keywords, literals; /* separated by spaces */
} languages[] = {
    {.name = STR_INIT("json"), .keys = true, .literals = STR_INIT("true false null")},
    {.name = STR_INIT("sh"),
     .comment = STR_INIT("#"),
     .single = true,
     .lines = true,
     .keywords = STR_INIT("export for do done if then fi while")},
    {.name = STR_INIT("javascript"),
     .comment = STR_INIT("//"),
     .single = true,
     .back = true,
     .keywords = STR_INIT("async await break const continue else export for from function if import"
                          " in let new of return throw while"),
     .literals = STR_INIT("true false null undefined")},
    {.name = STR_INIT("python"),
     .comment = STR_INIT("#"),
     .single = true,
     .keywords = STR_INIT("and as class def elif else except for from if import in is lambda not or"
                          " raise return try while with"),
     .literals = STR_INIT("True False None")},
    {.name = STR_INIT("go"),
     .comment = STR_INIT("//"),
     .back = true,
     .keywords = STR_INIT("break const continue defer else for func if import package range return"
                          " struct switch type var"),
     .literals = STR_INIT("true false nil")},
    {.name = STR_INIT("r"),
     .comment = STR_INIT("#"),
     .single = true,
     .keywords = STR_INIT("else for function if in library while"),
     .literals = STR_INIT("TRUE FALSE NULL NA")},
    {.name = STR_INIT("c"),
     .comment = STR_INIT("//"),
     .keywords = STR_INIT("bool char const do else enum for goto if int long return size_t sizeof"
                          " static struct switch unsigned void while"),
     .literals = STR_INIT("true false NULL")},
    {.name = STR_INIT("php"),
     .comment = STR_INIT("//"),
     .single = true,
     .keywords = STR_INIT("as class else foreach function if new return throw use declare"),
     .literals = STR_INIT("true false null")},
};

static const struct language *find_language(struct str name)
{
    for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
        if (str_eq(languages[i].name, name))
            return &languages[i];
    return NULL;
}

static void put_span(struct buf *b, char kind, struct str text)
{
    buf_fmt(b, "<span class=\"%c\">%.*s</span>", kind, STR_ARG(text));
}

/* The quote that begins a string at the start of `code`; null: there is none. */
static struct str quote_at(const struct language *language, struct str code)
{
    if (str_starts(code, QUOTE))
        return QUOTE;
    if ((language->single && code.p[0] == '\'') || (language->back && code.p[0] == '`'))
        return str_slice(code, 0, 1);
    return STR_NULL;
}

/* The length of the string that `quote` begins, with both quotes. A string that does not end on its
 * line is only its quote, unless it may go on. */
static size_t string_length(const struct language *language, struct str code, struct str quote)
{
    bool lines = language->lines || quote.p[0] == '`';
    struct str triple = str_slice(code, 0, 3 * quote.n);
    if (str_eq(triple, STR("&quot;&quot;&quot;"))) {
        ptrdiff_t end = str_find(str_slice(code, triple.n, code.n), triple);
        return end < 0 ? quote.n : triple.n + (size_t)end + triple.n;
    }
    for (size_t i = quote.n; i < code.n && (lines || code.p[i] != '\n'); i++) {
        if (str_starts(str_slice(code, i, code.n), quote))
            return i + quote.n;
        if (code.p[i] == '\\') /* the escaped character, which may be a reference */
            i += str_starts(str_slice(code, i + 1, code.n), QUOTE) ? QUOTE.n : 1;
    }
    return quote.n;
}

static bool is_word(char c)
{
    return ascii_is_alnum(c) || c == '_';
}

static size_t word_length(struct str code)
{
    size_t n = 0;
    while (n < code.n && is_word(code.p[n]))
        n++;
    return n;
}

static bool is_key(const struct language *language, struct str after)
{
    return language->keys && str_starts(str_trim(after), STR(":"));
}

/* A word, which is a number if it begins with a digit. */
static void put_word(struct buf *b, const struct language *language, struct str word)
{
    if (ascii_is_digit(word.p[0]) || str_lists(language->literals, word))
        put_span(b, 'v', word);
    else if (str_lists(language->keywords, word))
        put_span(b, 'k', word);
    else
        buf_str(b, word);
}

/* A comment begins a line or follows a space: "${#x}" has none. */
static bool begins_comment(const struct language *language, struct str code, char before)
{
    return language->comment.n && (before == '\n' || before == ' ' || before == '\t') &&
           str_starts(code, language->comment);
}

/* Puts the token at the start of `code` and returns its length. */
static size_t put_token(
    struct buf *b, const struct language *language, struct str code, char before)
{
    struct str quote = quote_at(language, code);
    size_t n = 1;
    if (begins_comment(language, code, before)) {
        ptrdiff_t end = str_find_char(code, '\n');
        n = end < 0 ? code.n : (size_t)end;
        put_span(b, 'c', str_slice(code, 0, n));
    } else if (!str_is_null(quote) && (n = string_length(language, code, quote)) > quote.n) {
        put_span(
            b, is_key(language, str_slice(code, n, code.n)) ? 'k' : 's', str_slice(code, 0, n));
    } else if (is_word(code.p[0])) {
        n = word_length(code);
        put_word(b, language, str_slice(code, 0, n));
    } else if (code.p[0] == '&') { /* a reference is no word */
        ptrdiff_t end = str_find_char(code, ';');
        n = end < 0 ? 1 : (size_t)end + 1;
        buf_str(b, str_slice(code, 0, n));
    } else {
        n = 1;
        buf_str(b, str_slice(code, 0, n));
    }
    return n;
}

void highlight_put(struct buf *b, struct str language_name, struct str code)
{
    const struct language *language = find_language(language_name);
    char before = '\n';
    if (!language) {
        buf_str(b, code);
        return;
    }
    while (code.n > 0) {
        size_t n = put_token(b, language, code, before);
        before = code.p[n - 1];
        code = str_slice(code, n, code.n);
    }
}
