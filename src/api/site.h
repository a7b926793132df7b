/*
 * The texts that are the same for everybody as long as the process lives: the OpenAPI document, the
 * reference and the guides (how the conflict signal is made, webhooks, tools for language models),
 * as pages and as plain text, and the front page. Made once, compressed once.
 */
#pragma once

#include "api/reply.h"

struct site {
    struct fixed_text openapi, docs, conflict, webhooks, mcp, home, llms, llms_full;
    struct buf page_headers; /* Content-Security-Policy and its like, for the pages */
};

void site_init(struct site *site, struct str base_url, bool demo);
void site_finish(struct site *site);
