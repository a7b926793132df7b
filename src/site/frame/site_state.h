/* The inside of the site. Private to src/site. */
#pragma once

#include <pthread.h>

#include "edge/fixed_text.h"
#include "edge/traffic.h"
#include "html/doc_index.h"
#include "http/route.h"
#include "site/frame/page.h"
#include "site/frame/page_csrf.h"
#include "site/frame/site_config.h"

struct mustache_set;
struct pictures;
struct sitemap_cache;
struct coverage_cache;
struct compat_cache;

/* A text that is the same for everybody, or a page for visitors without cookies. */
struct site_fixed {
    struct str path;
    const struct page *page;    /* whose row it is */
    const struct doc *doc;      /* complete once docs_ready; NULL: it is none of a document */
    bool page_only;             /* visitors with a session or a message get the page itself */
    struct fixed_text texts[2]; /* without and with the demonstration banner */
};

/* A document as HTML. */
struct site_doc {
    struct buf html, contents;
    struct arena arena; /* of the index */
    struct doc_index index;
    bool has_examples; /* beside the text */
};

struct site {
    struct http_app app;
    struct site_config config; /* base_url is a copy */
    bool https;                /* the base address is https */
    struct csrf_key csrf;
    const struct page *pages; /* the table */
    size_t page_count;
    struct route *routes;
    struct router *router;
    struct mustache_set *templates;
    struct str style_path, script_path; /* "/assets/style-0123456789abcdef.css" */
    struct str docs_style_path;         /* of the documentation, instead */
    struct str data_style_path;         /* of the pages of data, instead */
    struct str desk_script_path;        /* of the desk, beside script_path */
    struct str upload_script_path;      /* of its page for uploads, beside both */
    struct str desk_style_path;         /* what the desk needs beside data_style_path */
    struct str timeline_style_path;     /* its drawings on an axis of days, beside style_path */
    struct traffic *traffic;
    struct pictures *pictures; /* of documents; only its lane uses it */
    atomic_bool stopping;      /* uploads are not read any more */
    atomic_bool drained;       /* nobody waits for a picture any more */
    struct sitemap_cache *sitemap;
    struct coverage_cache *coverage;
    struct compat_cache *compat;
    char *record_key; /* the file of the key that signs snapshots */
    struct page_kept *kept;
    pthread_mutex_t docs_lock;
    atomic_bool docs_made; /* `docs` and the fixed texts of documents; immutable from then on */
    struct site_doc *docs; /* in the order of config.docs: both have the same Markdown */
    struct site_fixed *fixed;
    size_t fixed_count;
};

/* The row with this address; NULL: there is none. */
static inline const struct page *site_page(const struct site *site, struct str path)
{
    for (size_t i = 0; i < site->page_count; i++)
        if (str_eq(str_from(site->pages[i].path), path))
            return &site->pages[i];
    return NULL;
}

static inline bool site_is_demo(const struct site *site)
{
    return site->config.demo && atomic_load_explicit(site->config.demo, memory_order_relaxed);
}
