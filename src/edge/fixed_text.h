/* A text that never changes while the process runs. The first client that accepts gzip has it
 * compressed: most texts of a server are never requested. */
#pragma once

#include "edge/headers.h"

struct fixed_gzip;

struct fixed_text {
    enum media media;
    bool page; /* of the site: with the headers of pages, and this cache */
    enum page_keep cache;
    struct str headers; /* more header lines; null: none */
    struct buf plain;
    struct fixed_gzip *gzip;
    uint64_t hash;
};

/* Hashes a text whose plain form is complete. */
void fixed_text_seal(struct fixed_text *text);
void fixed_text_finish(struct fixed_text *text);

/* Writes the reply. The text must outlive the server. */
void fixed_text_reply(struct http_exchange *x, const struct fixed_text *text);
