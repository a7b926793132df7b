/*
 * A test of an endpoint, right now and by the caller's own thread: one signed request with an
 * invented body, by the same engine, guard and deadline as deliveries. It is not queued, not
 * retried, and counts for nothing; an endpoint that is disabled or paused can be tried too.
 */
#pragma once

#include "core/address.h"
#include "store/delivery.h"
#include "store/endpoint.h"
#include "webhook/secret.h"

#define TRIAL_EVENT "test"

struct trial_config {
    const struct seal_key *key;
    const struct cidr_list *allow; /* networks beside the public ones; with any, http:// too */
    struct str listening;          /* where the server listens: see guard.h */
    struct str user_agent;
    struct str ca_file, name_servers; /* as in net/outgoing.h */
};

struct trial {
    struct str id;                   /* as the receiver was told */
    struct str class;                /* attempt_class_name */
    struct delivery_outcome outcome; /* of no delivery */
};

/* Whatever came of the request is in *ret, in the arena's memory. An error: nothing was sent. */
enum err trial_send(
    const struct trial_config *config, const struct endpoint *endpoint, struct arena *arena,
    struct trial *ret, struct fail *fail) MUST_CHECK;
