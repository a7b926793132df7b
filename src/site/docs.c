/*
 * The documentation: the API makes the Markdown from its tables (edge/doc.h), and html makes HTML
 * of it once, when the site is created.
 */
#include "site/docs.h"

#include "html/markdown.h"
#include "site/handlers.h"
#include "site/page_call_parts.h"

enum { DOC_SIZE_MAX = 4 << 20 };

void docs_make(struct site *site)
{
    for (int demo = 0; demo < 2; demo++) {
        const struct doc_list *list = &site->config.docs[demo];
        site->docs[demo] = mem_array(list->count ? list->count : 1, sizeof *site->docs[demo]);
        for (size_t i = 0; i < list->count; i++) {
            struct site_doc *doc = &site->docs[demo][i];
            buf_init(&doc->html, DOC_SIZE_MAX);
            buf_init(&doc->contents, DOC_SIZE_MAX);
            markdown_html(&doc->html, &doc->contents, list->items[i].markdown);
        }
    }
}

void docs_finish(struct site *site)
{
    for (int demo = 0; demo < 2; demo++) {
        for (size_t i = 0; i < site->config.docs[demo].count; i++) {
            buf_finish(&site->docs[demo][i].html);
            buf_finish(&site->docs[demo][i].contents);
        }
        mem_free(site->docs[demo]);
    }
}

struct str docs_path(const struct doc *doc, struct arena *arena)
{
    return doc->name.n ? arena_fmt(arena, "/docs/%.*s", STR_ARG(doc->name)) : STR("/docs");
}

static void put_link(struct view *list, struct str label, struct str href, bool current)
{
    struct view *item = view_item(list);
    view_str(item, "label", label);
    view_str(item, "href", href);
    view_bool(item, "current", current);
}

/* The documents beside this one, and the same for programs. */
static void put_links(struct page_call *call, const struct doc_list *list, size_t current)
{
    struct view *links = view_list(call->view, "sections");
    view_str(call->view, "sectionsLabel", STR("Documentation"));
    for (size_t i = 0; i < list->count; i++)
        put_link(links, list->items[i].link, docs_path(&list->items[i], call->arena), i == current);
    put_link(links, STR("OpenAPI"), STR("/api/v1/openapi.json"), false);
    put_link(links, STR("Plain text"), STR("/llms-full.txt"), false);
}

enum err docs_load(struct page_call *call, struct fail *fail)
{
    const struct page_reply *reply = call->reply;
    const struct doc_list *list = &call->config->docs[reply->demo];
    size_t at = 0;
    /* decoded: the path may have escapes. The document of /docs itself has no name. */
    struct str name = str_is_null(call->segments[0]) ? STR("") : call->segments[0];
    while (at < list->count && !str_eq(list->items[at].name, name))
        at++;
    if (at == list->count)
        return fail_set(fail, ERR_NOT_FOUND, "no such document");
    const struct doc *doc = &list->items[at];
    const struct site_doc *made = &reply->site->docs[reply->demo][at];
    view_html(call->view, "text", buf_view(&made->html));
    view_html(call->view, "contents", buf_view(&made->contents));
    struct view *markdown = view_item(view_list(call->view, "alternates"));
    view_str(markdown, "type", STR("text/markdown"));
    view_fmt(markdown, "href", "%.*s.md", STR_ARG(docs_path(doc, call->arena)));
    put_links(call, list, at);
    page_template(call, 200, STR("docs"), doc->title);
    return OK;
}
