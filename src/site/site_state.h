/* The inside of the site. Private to src/site. */
#pragma once

#include "edge/fixed_text.h"
#include "edge/traffic.h"
#include "html/doc_index.h"
#include "http/route.h"
#include "site/page.h"
#include "site/page_csrf.h"
#include "site/site_config.h"

struct mustache_set;
struct topics;
struct pictures;

/* A text that is the same for everybody, or a page for visitors without cookies. */
struct site_fixed {
    struct str path;
    const struct page *page;    /* whose row it is */
    bool page_only;             /* visitors with a session or a message get the page itself */
    struct fixed_text texts[2]; /* without and with the demonstration banner */
};

/* A document as HTML. */
struct site_doc {
    struct buf html, contents;
    struct arena arena; /* of the index */
    struct doc_index index;
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
    struct str data_style_path;         /* what only the pages of data need */
    struct traffic *traffic;
    struct topics *topics;     /* what signals are about, for /conflicts */
    struct pictures *pictures; /* of documents; only its lane uses it */
    struct site_doc *docs[2];  /* in the order of config.docs */
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
