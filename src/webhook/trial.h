/*
 * A test of an endpoint, sent at once by the caller's own thread: one signed request with an
 * invented body, using the same engine, guard and deadline as deliveries. It is not queued, not
 * retried and not counted. A disabled or paused endpoint can be tested too.
 */
#pragma once

#include "address/address.h"
#include "address/port_set.h"
#include "store/account/delivery.h"
#include "store/account/endpoint.h"
#include "webhook/secret.h"

struct trial_config {
    const struct seal_key *key;
    const struct cidr_list *allow; /* networks besides the public ones; with any, http:// too */
    const struct port_set *refused_ports;
    struct str listening; /* the server's listening address: see guard.h */
    struct str user_agent;
    struct str ca_file, name_servers; /* as in net/outgoing.h */
    bool invented; /* the database holds invented data, or the event is invented; the request says
                      so */
    struct str type, body; /* of the event; null: a test (EVENT_TEST, trial_body) */
};

struct trial {
    struct str id;                   /* as sent to the receiver */
    struct str class;                /* attempt_class_name */
    struct delivery_outcome outcome; /* not of a stored delivery */
};

/* The body of a test, in the arena. */
struct str trial_body(struct str endpoint_id, int64_t now_ms, struct arena *arena);

/* The result of the request is in *ret, in the arena's memory. On an error nothing was sent. */
enum err trial_send(
    const struct trial_config *config, const struct endpoint *endpoint, struct arena *arena,
    struct trial *ret, struct fail *fail);
