/*
 * Code of the documentation. Blocks that follow each other directly, each in another language of
 * the table, are one example in several languages: the reader chooses one. If another block follows
 * them, it is the answer, and both are an aside that stands beside the text on a wide screen.
 */
#include "html/markdown_parts.h"

#include "html/highlight.h"

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
    struct buf code;
    buf_init(&code, SIZE_MAX);
    highlight_put(&code, block->language, block->code);
    for (size_t i = 0; i < code.n; i++)
        if (code.p[i] == MARKDOWN_TAB)
            code.p[i] = '\t';
    buf_fmt(
        r->html,
        "<figure class=\"code\" data-language=\"%.*s\"><pre tabindex=\"0\"><code>%.*s"
        "</code></pre></figure>",
        STR_ARG(block->language), STR_ARG(buf_view(&code)));
    buf_finish(&code);
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

void markdown_put_code(struct markdown_rewriter *r, struct str language)
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
