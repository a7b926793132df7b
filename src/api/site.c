/* Builds the fixed texts; see site.h. */
#include "api/site.h"

#include <string.h>

#include "api/context.h"
#include "api/markdown.h"
#include "api/openapi.h"
#include "api/reference.h"
#include "api/resources.h"
#include "api/web.h"
#include "base/codec.h"
#include "base/crypto.h"
#include "core/invented.h"

enum { TEXT_SIZE_MAX = 4 << 20, HEADERS_SIZE_MAX = 1024 };

/* Documents of docs/ that are pages of the site, and parts of /llms-full.txt. To add one, add a row
 * here and to the table of operations. */
static const struct guide {
    enum operation_id page;
    const char *title; /* of the page */
    const char *link;  /* in the navigation of all pages */
    struct str (*text)(void);
} guides[] = {
    {OPERATION_CONFLICT, "stockact: conflict signal", "Conflict signal", web_conflict},
    {OPERATION_WEBHOOKS, "stockact: webhooks", "Webhooks", web_webhooks},
    {OPERATION_MCP, "stockact: tools for language models", "MCP", web_mcp},
    {OPERATION_AUDIT, "stockact: audit", "Audit", web_audit},
};

enum { GUIDE_COUNT = sizeof guides / sizeof *guides };

/* Writes 'sha256-...' of an inline style or script, for a Content-Security-Policy. */
static void put_hash(struct buf *b, struct str text)
{
    uint8_t digest[SHA256_SIZE];
    sha256(text, digest);
    buf_text(b, "'sha256-");
    base64_encode(b, digest, sizeof digest);
    buf_char(b, '\'');
}

/* The policy allows nothing but our one inline style and our one inline script. */
static void put_page_headers(struct buf *b)
{
    buf_text(b, "Content-Security-Policy: default-src 'none'; style-src ");
    put_hash(b, web_style());
    buf_text(b, "; script-src ");
    put_hash(b, web_script());
    buf_text(
        b, "; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"
           "Referrer-Policy: no-referrer\r\n"
           "Cross-Origin-Opener-Policy: same-origin\r\n");
}

static void page_begin(struct buf *b, const char *title, const char *class)
{
    buf_text(
        b, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
           "<meta name=\"color-scheme\" content=\"light dark\">\n"
           "<meta name=\"description\" content=\"Stock trades disclosed by members of the U.S. "
           "Congress, as a read-only JSON API.\">\n"
           "<link rel=\"icon\" href=\"data:,\">\n<title>");
    buf_text(b, title);
    buf_text(b, "</title>\n<style>");
    buf_str(b, web_style());
    buf_fmt(b, "</style>\n</head>\n<body class=\"%s\">\n", class);
    buf_text(b, "<a class=\"skip\" href=\"#content\">Skip to content</a>\n");
}

static void put_banner(struct buf *b, bool demo)
{
    if (demo)
        buf_text(
            b, "<p class=\"banner\" role=\"note\">Demonstration data: the people, companies and "
               "trades on this server are invented.</p>\n");
}

static void page_end(struct buf *b)
{
    buf_text(b, "<script>");
    buf_str(b, web_script());
    buf_text(b, "</script>\n</body>\n</html>\n");
}

/* A page with the text and its table of contents. */
static void put_document(struct buf *b, const char *title, struct str text, bool demo)
{
    struct buf body;
    page_begin(b, title, "docs");
    put_banner(b, demo);
    buf_text(
        b, "<header class=\"top\"><a class=\"brand\" href=\"/\">stockact</a>"
           "<span class=\"version\">API v1</span>"
           "<nav class=\"links\" aria-label=\"Site\"><a href=\"/docs\">Reference</a>");
    for (size_t i = 0; i < GUIDE_COUNT; i++)
        buf_fmt(b, "<a href=\"%s\">%s</a>", operation_info(guides[i].page)->path, guides[i].link);
    buf_text(
        b, "<a href=\"/api/v1/openapi.json\">OpenAPI</a>"
           "<a href=\"/llms-full.txt\">Plain text</a></nav></header>\n"
           "<div class=\"columns\">\n<nav class=\"contents\" aria-label=\"Contents\">\n"
           "<details open><summary>Contents</summary>\n");
    buf_init(&body, TEXT_SIZE_MAX);
    markdown_html(&body, b, text);
    buf_text(b, "</details></nav>\n<main id=\"content\">\n");
    buf_str(b, buf_view(&body));
    buf_finish(&body);
    buf_text(b, "</main>\n</div>\n");
    page_end(b);
}

static void put_home(struct buf *b, struct str base_url, bool demo)
{
    page_begin(b, "stockact: congressional trade disclosures", "home");
    put_banner(b, demo);
    buf_text(
        b, "<main id=\"content\">\n<p class=\"brand\">stockact</p>\n"
           "<h1>What Congress trades, as&nbsp;filed.</h1>\n"
           "<p class=\"lead\">Members of the U.S. Congress must disclose the stocks they and their "
           "families trade. This server reads the filings and serves every trade as JSON, with the "
           "official document that it was read from.</p>\n"
           "<figure class=\"code\" data-language=\"sh\"><pre tabindex=\"0\"><code>curl '");
    html_text(b, base_url);
    buf_text(
        b,
        "/api/v1/trades?limit=1'</code></pre></figure>\n"
        "<p class=\"actions\"><a class=\"button\" href=\"/docs\">Read the reference</a> "
        "<a href=\"/docs/mcp\">For language models</a> "
        "<a href=\"/api/v1/openapi.json\">OpenAPI 3.1</a> "
        "<a href=\"/llms-full.txt\">Plain text</a></p>\n"
        "<p class=\"small\">You can try it without a key. The law limits what disclosure reports "
        "may be used for: see <a href=\"/docs#lawful-use\">lawful use</a>.</p>\n</main>\n");
    page_end(b);
}

/* The prose of the OpenAPI document: sections of the reference. */
static void put_description(struct buf *b, struct str reference)
{
    static const struct {
        const char *title;
        struct str anchor;
    } parts[] = {
        {NULL, STR_INIT("overview")},
        {"Authentication", STR_INIT("authentication")},
        {"Plans", STR_INIT("plans")},
        {"Lawful use", STR_INIT("lawful-use")},
        {"Rate limits", STR_INIT("rate-limits")},
        {"Conflict signal", STR_INIT("conflict-signal")},
        {"Pages and cursors", STR_INIT("cursors")},
        {"Keeping a copy up to date", STR_INIT("sync")},
        {"Versions and deprecation", STR_INIT("versions")},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i].title)
            buf_fmt(b, "\n\n## %s\n\n", parts[i].title);
        buf_str(b, reference_section(reference, parts[i].anchor));
    }
}

/* A paragraph of Markdown; nothing with real data. */
static void put_notice(struct buf *b, bool demo)
{
    if (demo)
        buf_text(b, "**" INVENTED_NOTICE "**\n\n");
}

/* A text without anchors, with the notice below its title. */
static void put_plain(struct buf *b, struct str text, bool demo)
{
    struct str title;
    str_split(&text, '\n', &title);
    reference_plain(b, title);
    buf_text(b, "\n\n");
    put_notice(b, demo);
    reference_plain(b, str_slice(text, str_starts(text, STR("\n")), text.n));
}

/* A guide, with this server's base URL instead of the example's. */
static void put_guide(struct buf *b, struct str rest, struct str base_url)
{
    const struct str any = STR("https://stockact.example.org");
    for (ptrdiff_t at; (at = str_find(rest, any)) >= 0;) {
        buf_str(b, str_slice(rest, 0, (size_t)at));
        buf_str(b, base_url);
        rest = str_slice(rest, (size_t)at + any.n, rest.n);
    }
    buf_str(b, rest);
}

static struct buf *text_begin(struct site *site, enum operation_id id, enum media media)
{
    struct fixed_text *text = &site->texts[id];
    text->media = media;
    if (media == MEDIA_HTML)
        text->headers = buf_view(&site->page_headers);
    buf_init(&text->plain, TEXT_SIZE_MAX);
    return &text->plain;
}

/* The guide's page, and its text behind the others in /llms-full.txt. */
static void put_guide_texts(
    struct site *site, const struct guide *guide, struct str base_url, bool demo)
{
    struct buf text, *full = &site->texts[OPERATION_LLMS_FULL].plain;
    buf_init(&text, TEXT_SIZE_MAX);
    put_guide(&text, guide->text(), base_url);
    put_document(text_begin(site, guide->page, MEDIA_HTML), guide->title, buf_view(&text), demo);
    buf_char(full, '\n');
    reference_plain(full, buf_view(&text));
    buf_finish(&text);
}

void site_init(struct site *site, struct str base_url, bool demo)
{
    struct buf reference, description, llms;
    *site = (struct site){0};
    buf_init(&reference, TEXT_SIZE_MAX);
    buf_init(&description, TEXT_SIZE_MAX);
    buf_init(&llms, TEXT_SIZE_MAX);
    buf_init(&site->page_headers, HEADERS_SIZE_MAX);
    reference_expand(&reference, web_reference(), base_url);
    reference_expand(&llms, web_llms(), base_url);
    put_notice(&description, demo);
    put_description(&description, buf_view(&reference));
    put_page_headers(&site->page_headers);

    openapi_put(
        text_begin(site, OPERATION_OPENAPI, MEDIA_JSON), base_url, buf_view(&description), demo);
    put_home(text_begin(site, OPERATION_HOME, MEDIA_HTML), base_url, demo);
    put_document(
        text_begin(site, OPERATION_DOCS, MEDIA_HTML), "stockact API reference",
        buf_view(&reference), demo);
    put_plain(text_begin(site, OPERATION_LLMS, MEDIA_TEXT), buf_view(&llms), demo);
    put_plain(text_begin(site, OPERATION_LLMS_FULL, MEDIA_TEXT), buf_view(&reference), demo);
    for (size_t i = 0; i < GUIDE_COUNT; i++)
        put_guide_texts(site, &guides[i], base_url, demo);

    for (int id = 0; id < OPERATION_COUNT; id++)
        if (site->texts[id].plain.n > 0)
            fixed_text_seal(&site->texts[id]);
    buf_finish(&llms);
    buf_finish(&description);
    buf_finish(&reference);
}

void site_finish(struct site *site)
{
    for (int id = 0; id < OPERATION_COUNT; id++)
        fixed_text_finish(&site->texts[id]);
    buf_finish(&site->page_headers);
}

static const struct site *site_of(const struct api_call *call)
{
    return call->api->sites[api_is_demo(call->api)];
}

void site_answer(struct api_call *call)
{
    reply_fixed(call, &site_of(call)->texts[operation_id_of(call->operation)]);
}
