/* The lines of `stockact listen` on standard output: as one JSON object per line, as tab-separated
 * text for programs, or in columns for a person at a terminal (listen/look.h). */
#pragma once

#include "listen/forward.h"
#include "listen/look.h"

struct report {
    bool json;
    const struct listen_look *look; /* borrowed; NULL: text for programs */
    struct buf lines;               /* the caller writes and resets it */
};

void report_init(struct report *r, bool json, const struct listen_look *look);
void report_finish(struct report *r);

struct report_start {
    struct str api_url, to, events; /* null: print only; all events */
    struct str secret;              /* null: do not show it */
};

void report_start(struct report *r, const struct report_start *start);

struct report_event {
    int64_t now_ms;
    const struct event_page_item *event;
    struct str delivery_id;              /* null: not forwarded */
    const struct forward_result *result; /* NULL: not forwarded */
    int64_t took_ms;
    struct str skipped; /* why it was not forwarded; null: it was, or --print-only */
    bool show_body;
};

void report_event(struct report *r, const struct report_event *event);

struct report_end {
    int64_t events, accepted, failed;
    bool print_only;
    struct str cursor; /* null: none known */
};

void report_end(struct report *r, const struct report_end *end);
