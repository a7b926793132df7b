/* Starts the webhook dispatcher from the settings of `serve`, and writes its metrics. */
#pragma once

#include "config/settings.h"
#include "webhook/dispatcher.h"

struct serve_webhooks_config {
    const struct settings *settings;
    struct writer *writer;
    const struct seal_key *key;
    const struct seal_key *mail_key; /* outlives the dispatcher */
    const _Atomic bool *demo;        /* the data is invented */
    struct str listening;            /* the listen address with the actual port */
    struct str *base_url;            /* public, for links in e-mails; outlives the dispatcher */
};

enum err serve_webhooks_start(
    const struct serve_webhooks_config *config, struct dispatcher **ret, struct fail *fail);

void serve_webhooks_put_metrics(struct dispatcher *dispatcher, struct buf *b);
