/*
 * Converts Markdown with md4c-html, then gives its output the anchors and elements of our pages;
 * see markdown.h. In that output every '<' begins a tag, because text is escaped.
 */
#include "html/markdown.h"

#include <md4c-html.h>

#include "base/hidden.h"
#include "base/mem.h"

/* Reads the tokens of a few languages, roughly. */

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

enum { MARKDOWN_COLUMNS_MAX = 16 };

/* Stands for a tab at the start of a line of code, for which md4c would write spaces. No text has
 * it, because hidden characters are shown first. */
#define MARKDOWN_TAB '\x01'

struct markdown_rewriter {
    struct buf *html, *contents;
    struct str rest;                         /* of md4c's output */
    int level;                               /* of the last entry in contents; 1: none */
    struct buf anchor;                       /* of the last heading */
    int tabs;                                /* groups of examples so far */
    struct str labels[MARKDOWN_COLUMNS_MAX]; /* of the table's columns; in md4c's output */
    size_t columns, column;                  /* of the table; of the row, up to now */
    bool in_head;
};

static bool markdown_take(struct markdown_rewriter *r, struct str tag);
static struct str markdown_take_until(struct markdown_rewriter *r, const char *closing);
static void markdown_put_code(struct markdown_rewriter *r, struct str language);

/*
 * Tables of the documentation. Each cell but the first says its column in data-label, because a row
 * becomes a block on a phone. A row whose first cell is one word of code is a term with an address:
 * "limit" below the heading "trades" is #trades.limit.
 */

static const struct {
    struct str tag;
    bool head, number;
} cells[] = {
    {STR_INIT("<th>"), true, false},
    {STR_INIT("<th align=\"left\">"), true, false},
    {STR_INIT("<th align=\"right\">"), true, true},
    {STR_INIT("<td>"), false, false},
    {STR_INIT("<td align=\"left\">"), false, false},
    {STR_INIT("<td align=\"right\">"), false, true},
};

/* A heading of a column. An empty one is a cell: a heading must say something. */
static void put_head(struct markdown_rewriter *r, bool number)
{
    struct str label = markdown_take_until(r, "</th>");
    if (r->columns < MARKDOWN_COLUMNS_MAX)
        r->labels[r->columns++] = label;
    const char *class = number ? " class=\"number\"" : "";
    if (label.n)
        buf_fmt(r->html, "<th%s>%.*s</th>", class, STR_ARG(label));
    else
        buf_text(r->html, "<td></td>");
}

/* The text of a heading, without its tags. */
static void put_label(struct buf *b, struct str label)
{
    bool in_tag = false;
    for (size_t i = 0; i < label.n; i++) {
        in_tag |= label.p[i] == '<';
        if (!in_tag)
            buf_char(b, label.p[i]);
        in_tag &= label.p[i] != '>';
    }
}

static void put_cell(struct markdown_rewriter *r, bool number)
{
    size_t column = r->column++;
    buf_fmt(r->html, "<td%s", number ? " class=\"number\"" : "");
    if (column > 0 && column < r->columns) {
        buf_text(r->html, " data-label=\"");
        put_label(r->html, r->labels[column]);
        buf_char(r->html, '"');
    }
    buf_char(r->html, '>');
}

static bool is_term(struct str word)
{
    for (size_t i = 0; i < word.n; i++)
        if (!ascii_is_alnum(word.p[i]) && word.p[i] != '_' && word.p[i] != '-' && word.p[i] != '.')
            return false;
    return word.n > 0;
}

/* The term that the row begins with; null: none. */
static struct str term_of(struct str row)
{
    const struct str opening = STR("<code>");
    ptrdiff_t begin = str_find(row, opening), end = str_find(row, STR("</code>"));
    ptrdiff_t cell = str_find(row, STR("<td")), cell_end = str_find(row, STR(">"));
    if (begin < 0 || end < begin || cell < 0 || begin != cell_end + 1)
        return STR_NULL;
    struct str word = str_slice(row, (size_t)begin + opening.n, (size_t)end);
    return is_term(word) ? word : STR_NULL;
}

/* The first row with a term has the address. */
static void put_row(struct markdown_rewriter *r)
{
    BUF_SCOPED(id, SIZE_MAX);
    struct str term = r->in_head ? STR_NULL : term_of(r->rest);
    r->column = 0;
    buf_fmt(
        &id, " id=\"%.*s%s%.*s\"", STR_ARG(buf_view(&r->anchor)), r->anchor.n ? "." : "",
        STR_ARG(term));
    buf_text(r->html, "<tr");
    if (term.n && str_find(buf_view(r->html), buf_view(&id)) < 0)
        buf_str(r->html, buf_view(&id));
    buf_char(r->html, '>');
}

/* A tag of a table; false: the output goes on with another one. */
static bool markdown_put_table_tag(struct markdown_rewriter *r)
{
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        if (!markdown_take(r, cells[i].tag))
            continue;
        if (cells[i].head)
            put_head(r, cells[i].number);
        else
            put_cell(r, cells[i].number);
        return true;
    }
    if (markdown_take(r, STR("<table>"))) {
        buf_text(r->html, "<div class=\"table\" tabindex=\"0\"><table>");
        r->columns = 0;
        r->in_head = true;
    } else if (markdown_take(r, STR("</table>"))) {
        buf_text(r->html, "</table></div>");
    } else if (markdown_take(r, STR("<tbody>"))) {
        buf_text(r->html, "<tbody>");
        r->in_head = false;
    } else if (markdown_take(r, STR("<tr>"))) {
        put_row(r);
    } else {
        return false;
    }
    return true;
}

/* --- before md4c */

static bool is_fence(struct str line)
{
    return str_starts(str_trim(line), STR("```"));
}

/* Marks tabs at the start of lines of fenced code, so that copied code has them. */
static void put_source(struct buf *b, struct str text)
{
    struct str line;
    bool in_code = false;
    while (str_split(&text, '\n', &line)) {
        size_t i = 0;
        in_code ^= is_fence(line);
        for (; in_code && i < line.n && (line.p[i] == '\t' || line.p[i] == ' '); i++)
            buf_char(b, line.p[i] == '\t' ? MARKDOWN_TAB : ' ');
        buf_str(b, str_slice(line, i, line.n));
        buf_char(b, '\n');
    }
}

/* --- headings */

/* "In short" becomes in-short, as on GitHub. Tags and references in the heading are left out. */
static void put_anchor(struct buf *b, struct str heading)
{
    for (size_t i = 0; i < heading.n; i++) {
        char c = ascii_lower(heading.p[i]);
        if (c == '<' || c == '&') {
            char end = c == '<' ? '>' : ';';
            while (i < heading.n && heading.p[i] != end)
                i++;
        } else if (ascii_is_alnum(c)) {
            buf_char(b, c);
        } else if (c == ' ' || c == '-') {
            buf_char(b, '-');
        }
    }
}

/* Removes " {#anchor}" from the end of a heading and returns the anchor. Null: there is none. */
static struct str cut_anchor(struct str *heading)
{
    ptrdiff_t mark = str_find(*heading, STR(" {#"));
    if (mark < 0 || !str_ends(*heading, STR("}")))
        return STR_NULL;
    struct str anchor = str_slice(*heading, (size_t)mark + 3, heading->n - 1);
    *heading = str_slice(*heading, 0, (size_t)mark);
    return anchor;
}

/* Levels change by one. A nested list opens inside the previous item. */
static void put_entry(struct markdown_rewriter *r, int level, struct str anchor, struct str heading)
{
    struct buf *b = r->contents;
    buf_text(b, level > r->level ? "<ul>\n" : level < r->level ? "</li>\n</ul></li>\n" : "</li>\n");
    buf_fmt(b, "<li><a href=\"#%.*s\">%.*s</a>", STR_ARG(anchor), STR_ARG(heading));
    r->level = level;
}

static void end_contents(struct markdown_rewriter *r)
{
    for (; r->level > 1; r->level--)
        buf_text(r->contents, "</li>\n</ul>");
    buf_char(r->contents, '\n');
}

/* The text up to this closing tag, which is skipped. */
static struct str markdown_take_until(struct markdown_rewriter *r, const char *closing)
{
    ptrdiff_t end = str_find(r->rest, str_from(closing));
    size_t n = end < 0 ? r->rest.n : (size_t)end;
    struct str text = str_slice(r->rest, 0, n);
    r->rest = str_slice(r->rest, n + strlen(closing), r->rest.n);
    return text;
}

/* Every heading below the title gets an anchor. */
static void put_heading(struct markdown_rewriter *r, int level)
{
    char closing[] = "</h0>";
    BUF_SCOPED(made, SIZE_MAX);
    closing[3] = (char)('0' + level);
    struct str heading = markdown_take_until(r, closing), anchor = cut_anchor(&heading);
    if (str_is_null(anchor) && level > 1) {
        put_anchor(&made, heading);
        anchor = buf_view(&made);
    }
    if (str_is_null(anchor))
        buf_fmt(r->html, "<h%d>%.*s</h%d>", level, STR_ARG(heading), level);
    else
        buf_fmt(
            r->html, "<h%d id=\"%.*s\"><a class=\"anchor\" href=\"#%.*s\">%.*s</a></h%d>", level,
            STR_ARG(anchor), STR_ARG(anchor), STR_ARG(heading), level);
    if (level == 2 || level == 3)
        put_entry(r, level, anchor, heading);
    buf_reset(&r->anchor);
    buf_str(&r->anchor, anchor);
}

/* --- tags */

/* Tags of md4c-html that become others. */
static const struct {
    struct str from;
    const char *to;
} tags[] = {
    {STR_INIT("<blockquote>"), "<aside class=\"note\">"},
    {STR_INIT("</blockquote>"), "</aside>"},
};

/* Skips `tag` if the output goes on with it. */
static bool markdown_take(struct markdown_rewriter *r, struct str tag)
{
    if (!str_starts(r->rest, tag))
        return false;
    r->rest = str_slice(r->rest, tag.n, r->rest.n);
    return true;
}

static void put_tag(struct markdown_rewriter *r)
{
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (markdown_take(r, tags[i].from)) {
            buf_text(r->html, tags[i].to);
            return;
        }
    for (int level = 1; level <= 6; level++) {
        char opening[] = "<h0>";
        opening[2] = (char)('0' + level);
        if (markdown_take(r, str_from(opening))) {
            put_heading(r, level);
            return;
        }
    }
    if (markdown_take(r, STR("<pre><code class=\"language-"))) {
        markdown_put_code(r, markdown_take_until(r, "\">"));
    } else if (markdown_take(r, STR("<pre><code>"))) {
        markdown_put_code(r, STR(""));
    } else if (!markdown_put_table_tag(r)) {
        buf_char(r->html, '<');
        r->rest = str_slice(r->rest, 1, r->rest.n);
    }
}

static void rewrite(struct markdown_rewriter *r)
{
    while (r->rest.n > 0) {
        ptrdiff_t tag = str_find_char(r->rest, '<');
        size_t n = tag < 0 ? r->rest.n : (size_t)tag;
        buf_str(r->html, str_slice(r->rest, 0, n));
        r->rest = str_slice(r->rest, n, r->rest.n);
        if (r->rest.n > 0)
            put_tag(r);
    }
    end_contents(r);
}

static void collect(const MD_CHAR *bytes, MD_SIZE n, void *ctx)
{
    buf_put(ctx, bytes, n);
}

void markdown_html(struct buf *b, struct buf *contents, struct str markdown)
{
    enum { PARSER_FLAGS = MD_FLAG_TABLES | MD_FLAG_NOHTML | MD_FLAG_NOINDENTEDCODEBLOCKS };
    BUF_SCOPED(html, SIZE_MAX);
    BUF_SCOPED(source, SIZE_MAX);
    BUF_SCOPED(shown, SIZE_MAX);
    hidden_show_lines(&shown, markdown);
    put_source(&source, buf_view(&shown));
    buf_char(&source, '\0'); /* md4c searches the end of a line with strcspn */
    if (md_html(source.p, (MD_SIZE)source.n - 1, collect, &html, PARSER_FLAGS, 0) != 0)
        no_memory(0);
    struct markdown_rewriter rewriter = {
        .html = b, .contents = contents, .rest = buf_view(&html), .level = 1};
    buf_init(&rewriter.anchor, SIZE_MAX);
    rewrite(&rewriter);
    buf_finish(&rewriter.anchor);
}

/*
 * Code of the documentation. Blocks that follow each other directly, each in another language of
 * the table, are one example in several languages: the reader chooses one. If another block follows
 * them, it is the answer, and both are an aside that stands beside the text on a wide screen.
 */

enum { RUN_MAX = 8 };

struct block {
    struct str language, code;
};

/* Languages of examples, and what the reader sees. */
static const struct {
    struct str language, label;
} choices[] = {
    {STR_INIT("sh"), STR_INIT("curl")},       {STR_INIT("javascript"), STR_INIT("JavaScript")},
    {STR_INIT("python"), STR_INIT("Python")}, {STR_INIT("go"), STR_INIT("Go")},
    {STR_INIT("r"), STR_INIT("R")},
};

enum { CHOICES = sizeof choices / sizeof *choices };

/* --- a block */

static void put_figure(struct markdown_rewriter *r, const struct block *block)
{
    BUF_SCOPED(code, SIZE_MAX);
    highlight_put(&code, block->language, block->code);
    for (size_t i = 0; i < code.n; i++)
        if (code.p[i] == MARKDOWN_TAB)
            code.p[i] = '\t';
    buf_fmt(
        r->html,
        "<figure class=\"code\" data-language=\"%.*s\"><pre tabindex=\"0\"><code>%.*s"
        "</code></pre></figure>",
        STR_ARG(block->language), STR_ARG(buf_view(&code)));
}

static void put_figures(struct markdown_rewriter *r, const struct block *blocks, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            buf_char(r->html, '\n');
        put_figure(r, &blocks[i]);
    }
}

/* --- several languages */

/* How many blocks at the start are one example: those in the order of the table. */
static size_t count_choices(const struct block *blocks, size_t count)
{
    size_t n = 0;
    for (size_t i = 0; i < CHOICES && n < count; i++)
        n += str_eq(blocks[n].language, choices[i].language);
    return n;
}

/* Radio buttons, so that they work without script; the style shows the chosen block. */
static void put_choices(struct markdown_rewriter *r, const struct block *blocks, size_t count)
{
    buf_fmt(
        r->html,
        "<div class=\"tabs\"><div role=\"radiogroup\" aria-label=\"Language of example %d\">\n",
        ++r->tabs);
    for (size_t i = 0, n = 0; i < CHOICES && n < count; i++) {
        if (!str_eq(blocks[n].language, choices[i].language))
            continue;
        buf_fmt(
            r->html,
            "<label><input type=\"radio\" name=\"example-%d\" value=\"%.*s\"%s>%.*s</label>\n",
            r->tabs, STR_ARG(choices[i].language), n == 0 ? " checked" : "",
            STR_ARG(choices[i].label));
        n++;
    }
    buf_text(r->html, "</div>\n");
    put_figures(r, blocks, count);
    buf_text(r->html, "</div>");
}

/* --- a run of blocks */

/* The next block, if it follows directly. */
static bool take_block(struct markdown_rewriter *r, struct block *ret)
{
    struct str before = r->rest;
    while (r->rest.n > 0 && r->rest.p[0] == '\n')
        r->rest = str_slice(r->rest, 1, r->rest.n);
    if (!markdown_take(r, STR("<pre><code class=\"language-"))) {
        r->rest = before;
        return false;
    }
    ret->language = markdown_take_until(r, "\">");
    ret->code = markdown_take_until(r, "</code></pre>");
    return true;
}

/* Code, from behind its opening tags, and the blocks that follow it directly. */
static void markdown_put_code(struct markdown_rewriter *r, struct str language)
{
    struct block blocks[RUN_MAX] = {{language, markdown_take_until(r, "</code></pre>")}};
    size_t count = 1;
    while (count < RUN_MAX && take_block(r, &blocks[count]))
        count++;
    size_t same = count_choices(blocks, count);
    bool aside = same > 1 && same < count;
    if (same < 2)
        same = 0;
    if (aside)
        buf_text(r->html, "<div class=\"examples\">\n");
    if (same)
        put_choices(r, blocks, same);
    if (same && same < count)
        buf_char(r->html, '\n');
    put_figures(r, blocks + same, count - same);
    if (aside)
        buf_text(r->html, "\n</div>");
}
