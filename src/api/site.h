/*
 * The texts that are the same for every caller while the process runs: the OpenAPI document, the
 * reference and the guides (conflict signal, webhooks, tools for language models), as pages and as
 * plain text, and the front page. They are built and compressed once.
 */
#pragma once

#include "api/reply.h"

/* The texts by operation; the others stay empty. */
struct site {
    struct fixed_text texts[OPERATION_COUNT];
    struct buf page_headers; /* Content-Security-Policy and similar headers of the pages */
};

void site_init(struct site *site, struct str base_url, bool demo);
void site_finish(struct site *site);
