/* The files of the pages, embedded in the program (script/embed). */
#pragma once

#include "base/str.h"

#define WEB_FILE(name)                                                                             \
    extern const char web_##name##_bytes[];                                                        \
    extern const size_t web_##name##_bytes_size;                                                   \
    static inline struct str web_##name(void)                                                      \
    {                                                                                              \
        return str_of(web_##name##_bytes, web_##name##_bytes_size);                                \
    }

WEB_FILE(reference) /* web/reference.md */
WEB_FILE(conflict)  /* docs/conflict.md */
WEB_FILE(webhooks)  /* docs/webhooks.md */
WEB_FILE(alerts)    /* docs/alerts.md */
WEB_FILE(reading)   /* docs/reading.md */
WEB_FILE(mcp)       /* docs/mcp.md */
WEB_FILE(audit)     /* docs/audit.md */
WEB_FILE(operate)   /* docs/operate.md */
WEB_FILE(metrics)   /* docs/metrics.md */
WEB_FILE(review)    /* docs/review.md */
WEB_FILE(sync)      /* docs/sync.md */
WEB_FILE(llms)      /* web/llms.md */
WEB_FILE(registry)  /* web/server.json */
