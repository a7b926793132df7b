/*
 * The dispatcher of a server: claims due deliveries, sends them, and has their outcomes written
 * (docs/adr/0017-webhook-outbox.md; spec 6). One thread with its own loop owns everything that goes
 * out; claims and outcomes are jobs of the writer, and the loop never waits for them.
 *
 *     woken, or a second over -> claim (writer) -> signed and sent -> outcome (writer) -> free
 *                                └──────────────── in hand ───────────────────────┘
 *
 * The rows are the queue. The number of deliveries in hand is bounded (bounds.h), and this server
 * does not claim them again before their outcome is durable. The same loop sends queued mail. Due
 * times use the wall clock, timeouts the monotonic clock.
 */
#pragma once

#include "address/address.h"
#include "address/port_set.h"
#include "base/seal.h"
#include "db/writer.h"
#include "webhook/attempt_class.h"
#include "webhook/outcomes.h"

struct dispatcher;

/* Everything is copied except the writer, the list, the ports and the key of e-mails, which outlive
 * the dispatcher. */
struct dispatcher_config {
    struct writer *writer;
    /* This server's name in leases: unique, and the same after a restart, so that the server
     * recognises its own. */
    struct str node;
    struct str listening;          /* this server's listening address: see guard.h */
    const struct cidr_list *allow; /* networks besides the public ones; with any, http:// too */
    const struct port_set *refused_ports;
    const _Atomic bool *invented; /* the events are invented, and requests say so. May become true
                                   * while it runs. NULL: they are not */
    const struct seal_key *key;   /* of endpoints' secrets (webhook/secret.h) */
    struct str user_agent;
    struct str ca_file, name_servers; /* as in net/outgoing.h */
    outcome_notice *notice;           /* may be NULL */
    void *notice_ctx;
    struct str mail_server, mail_from; /* see mail/sender.h; null: no mail is sent */
    const struct seal_key *mail_key;   /* opens sealed bodies of e-mails; outlives the dispatcher */
};

/* Ends the leases under the server's name, then starts. ERR_REFUSED: a secret in the store was
 * sealed with another master key. */
enum err dispatcher_start(
    const struct dispatcher_config *config, struct dispatcher **ret, struct fail *fail);

/* There may be new deliveries to send. From any thread, until it is stopped. */
void dispatcher_wake(struct dispatcher *dispatcher);

/* Stops claiming; deliveries in flight have this long to end. From any thread, once. */
void dispatcher_drain(struct dispatcher *dispatcher, int64_t time_ms);

/* Drains at once if that was not begun, and waits for the end: outcomes are written, and the leases
 * of deliveries without one end. The writer must still be running. Frees. NULL is ignored. */
void dispatcher_stop(struct dispatcher *dispatcher);

struct dispatcher_stats {
    uint64_t attempts[ATTEMPT_CLASS_COUNT]; /* since the start */
    uint64_t in_hand;                       /* now */
};

/* From any thread. */
void dispatcher_stats(struct dispatcher *dispatcher, struct dispatcher_stats *ret);
