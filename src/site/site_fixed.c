/* Prints what is fixed; see site_fixed.h. */
#include "site/site_fixed.h"

#include <assert.h>

#include "base/hash.h"
#include "html/templates.h"
#include "site/docs_path.h"
#include "site/frame/page_frame.h"
#include "site/frame/page_reply.h"

/* web/favicon.ico, made by script/embed */
extern const char web_icon[];
extern const size_t web_icon_size;

enum { FIXED_SIZE_MAX = 4 << 20, FIXED_MAX = 128 };

static struct site_fixed *add(struct site *site, struct str path, enum media media)
{
    assert(site->fixed_count < FIXED_MAX);
    struct site_fixed *fixed = &site->fixed[site->fixed_count++];
    fixed->path = str_of(mem_strdup(path), path.n);
    for (int demo = 0; demo < 2; demo++) {
        fixed->texts[demo] = (struct fixed_text){.media = media, .page = true};
        buf_init(&fixed->texts[demo].plain, FIXED_SIZE_MAX);
    }
    return fixed;
}

static void seal_texts(struct site_fixed *fixed)
{
    for (int demo = 0; demo < 2; demo++)
        fixed_text_seal(&fixed->texts[demo]);
}

/* Loads and prints a page whose handler reads neither the store nor the visitor. */
static void print_page(
    struct site *site, const struct page *page, struct str path, struct str name, bool demo,
    struct buf *b)
{
    ARENA_SCOPED(arena);
    struct fail fail;
    struct page_reply reply = {.site = site, .demo = demo, .path = path, .anonymous = true};
    struct page_call call = {
        .config = &site->config,
        .arena = &arena,
        .page = page,
        .segments = {name},
        .view = view_create(&arena),
        .reply = &reply,
    };
    page_template(&call, 200, page->template, page->title);
    enum err err = page->load(&call, &fail);
    assert(!err);
    page_frame_put(&call, reply.title);
    page_reply_print(&call, reply.template, b);
    assert(!b->overflow);
}

/* A stylesheet or script under an address that changes with its content, so that browsers keep the
 * file for good. */
static struct str add_asset(
    struct site *site, const char *asset, const char *name, const char *ending)
{
    ARENA_SCOPED(arena);
    struct str text = templates_asset(asset);
    struct str path = arena_fmt(
        &arena, "/assets/%s-%016llx.%s", name, (unsigned long long)hash_str(text), ending);
    struct site_fixed *fixed =
        add(site, path, strcmp(ending, "css") == 0 ? MEDIA_STYLE : MEDIA_SCRIPT);
    for (int demo = 0; demo < 2; demo++) {
        fixed->texts[demo].cache = CACHE_IMMUTABLE;
        buf_str(&fixed->texts[demo].plain, text);
    }
    seal_texts(fixed);
    return fixed->path;
}

/* The pages of the documentation, and each as Markdown. */
static void add_docs(struct site *site)
{
    ARENA_SCOPED(arena);
    for (size_t i = 0; i < site->config.docs[0].count; i++) {
        const struct doc *doc = &site->config.docs[0].items[i];
        struct str path = docs_path(doc, &arena);
        struct site_fixed *page = add(site, path, MEDIA_HTML);
        page->page = site_page(site, doc->name.n ? STR("/docs/{name}") : path);
        page->page_only = true;
        page->doc = doc;
        add(site, arena_fmt(&arena, "%.*s.md", STR_ARG(path)), MEDIA_MARKDOWN)->doc = doc;
    }
}

void site_fixed_fill_docs(struct site *site)
{
    for (struct site_fixed *fixed = site->fixed; fixed < site->fixed + site->fixed_count; fixed++) {
        if (!fixed->doc)
            continue;
        size_t at = (size_t)(fixed->doc - site->config.docs[0].items);
        for (int demo = 0; demo < 2; demo++) {
            struct buf *b = &fixed->texts[demo].plain;
            if (fixed->page_only)
                print_page(site, fixed->page, fixed->path, fixed->doc->name, demo, b);
            else
                buf_str(b, site->config.docs[demo].items[at].plain);
        }
        seal_texts(fixed);
    }
}

/* The pages of data that visitors may not open, each folder once. */
static void put_closed(const struct site *site, struct buf *b)
{
    for (size_t i = 0; i < site->page_count; i++)
        if (site->pages[i].access == PAGE_READER && site->pages[i].template.n &&
            strchr(site->pages[i].path, '{') == NULL)
            buf_fmt(b, "Disallow: %s\n", site->pages[i].path);
}

/* Crawlers have no use for the API and for searches, and nothing of a person is for them. */
static void add_robots(struct site *site)
{
    struct site_fixed *robots = add(site, STR("/robots.txt"), MEDIA_TEXT);
    for (int demo = 0; demo < 2; demo++) {
        struct buf *b = &robots->texts[demo].plain;
        buf_text(
            b, "User-agent: *\nDisallow: /api/\nDisallow: /account\nDisallow: /admin\n"
               "Disallow: /desk\nDisallow: /docs/search\nDisallow: /sign-in\nDisallow: /sign-up\n"
               "Disallow: /reset\nDisallow: /link/\n");
        if (site->config.public_pages)
            buf_text(b, "Disallow: /search\n");
        else
            put_closed(site, b);
        buf_fmt(b, "\nSitemap: %.*s/sitemap.xml\n", STR_ARG(site->config.base_url));
    }
    seal_texts(robots);
}

static void add_icon(struct site *site)
{
    struct site_fixed *icon = add(site, STR("/favicon.ico"), MEDIA_ICON);
    for (int demo = 0; demo < 2; demo++)
        buf_put(&icon->texts[demo].plain, web_icon, web_icon_size);
    seal_texts(icon);
}

void site_fixed_make(struct site *site)
{
    site->fixed = mem_array(FIXED_MAX, sizeof *site->fixed);
    site->style_path = add_asset(site, "style", "style", "css");
    site->docs_style_path = add_asset(site, "docs_style", "docs", "css");
    site->data_style_path = add_asset(site, "data_style", "data", "css");
    site->desk_style_path = add_asset(site, "desk_style", "desk", "css");
    site->timeline_style_path = add_asset(site, "timeline_style", "timeline", "css");
    site->script_path = add_asset(site, "script", "script", "js");
    site->desk_script_path = add_asset(site, "desk_script", "desk", "js");
    site->upload_script_path = add_asset(site, "upload_script", "upload", "js");
    add_docs(site);
    add_icon(site);
    add_robots(site);
}

void site_fixed_finish(struct site *site)
{
    for (size_t i = 0; i < site->fixed_count; i++) {
        for (int demo = 0; demo < 2; demo++)
            fixed_text_finish(&site->fixed[i].texts[demo]);
        mem_free((char *)(uintptr_t)site->fixed[i].path.p);
    }
    mem_free(site->fixed);
}
