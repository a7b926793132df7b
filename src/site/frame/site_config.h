/* What the site needs of the server: the data, the settings and the other parts. Handlers reach it
 * as call->config. */
#pragma once

#include <stdatomic.h>

#include "access/access.h"
#include "account/attempts.h"
#include "account/config.h"
#include "db/writer.h"
#include "edge/doc.h"
#include "feed/feed.h"
#include "http/http.h"
#include "limits/limits.h"
#include "status/condition.h"
#include "store/run/job.h"
#include "webhook/destination.h"

struct page;

struct site_config {
    const struct http_app *api; /* answers /api and the paths for programs */
    const struct feed *feed;
    struct access *access;
    struct limits *limits;
    struct writer *writer;
    struct attempts *attempts; /* limits sign-ins, and what else takes a password */
    const struct account_config *account;
    struct str database;                           /* URL for the workers, borrowed */
    struct str base_url;                           /* absolute, without a final slash; copied */
    struct str contact;                            /* STOCKACT_CONTACT; null: none */
    struct str master_key;                         /* 32 bytes; read only during site_create */
    const struct seal_key *seal_key;               /* seals the secrets of endpoints */
    const struct destination_rules *webhook_rules; /* for URLs of endpoints */
    const struct cidr_list *trusted_proxies; /* whose X-Forwarded-For is trusted; NULL: none */
    struct doc_list docs[2];                 /* without and with the notice of demonstration data */
    void (*docs_make)(void *ctx);            /* makes their texts, unless that is done */
    void *docs_ctx;
    const struct page *pages; /* instead of the table of pages.h, for tests; NULL: the table */
    size_t page_count;
    struct job_daily daily;
    int64_t visitor_delay; /* hours after which visitors and Scout see a publication */
    bool public_pages;     /* visitors without an account may read pages of data */
    struct str snapshots;  /* their folder; null: none. Borrowed */
    bool open_data;        /* everybody may have CSV, and the files of /data and /compat */
    bool batch_review;     /* clean drafts may be accepted together */
    bool second_reviewer;  /* a paper filing needs two acceptances */
    bool double_entry;     /* and is typed by two people */
    bool access_log;
    const _Atomic bool *demo;                /* as in struct api_config */
    _Atomic int64_t *store_lost;             /* as in db/db_reader.h; NULL: it answers */
    const _Atomic condition_set *conditions; /* that this server's metrics show; NULL: none */
    /* Whether pages are dropped by the cache in front when they change. NULL: they are not. */
    bool (*is_purged)(void *ctx);
    void *is_purged_ctx;
    uint32_t limits_factor;
};
