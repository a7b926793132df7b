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
#include "db/errand.h"
#include "db/writer.h"
#include "webhook/attempt.h"
#include "webhook/attempt_class.h"
#include "webhook/bounds.h"

/*
 * Outcomes on their way to the store: collected for OUTCOMES_GATHER_MS or until there are
 * OUTCOMES_IN_GROUP, and written by one job at a time. Outcomes that the store does not accept are
 * kept and written later. Their deliveries stay in hand until then, so nothing is sent again.
 */

/* Runs in the transaction of the outcome, on the writer's thread, when an endpoint reaches a state
 * that its owner gets a notice of (endpoint_notices). On an error the outcome is not written, and
 * is tried again. */
typedef enum err outcome_notice(
    struct db *db, void *ctx, const struct delivery_outcome *outcome,
    const struct delivery_effect *effect, struct fail *fail);

struct outcomes {
    outcome_notice *notice; /* NULL: no notices */
    void *notice_ctx;
    /* The outcome is durable: the callee owns the attempt. */
    void (*written)(void *ctx, struct attempt *attempt);
    void *ctx;

    uv_timer_t timer;             /* runs while outcomes are collected or must be tried again */
    struct attempt_queue waiting; /* not in the group */
    size_t waiting_count;
    bool failing; /* the store did not accept the last group */
    bool alone;   /* the group failed because of one of its outcomes: write each by itself until all
                     are written */

    /* Owned by the writer while the errand is out. */
    struct errand errand;
    struct attempt *group[OUTCOMES_IN_GROUP];
    struct delivery_effect effects[OUTCOMES_IN_GROUP];
    size_t group_count;
};

/* The caller sets the members down to ctx. */

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

/*
 * Hourly upkeep, also run at once when the clock is set back: makes deliveries due now that a clock
 * ahead made due too late, expires deliveries held for too long, and deletes old attempts, tests,
 * mail that was sent or given up long ago, what alerts sent long ago or will not send, alerts that
 * ended long ago, expired sessions and links, and old numbers of forms. Runs in small steps of the
 * writer's lowest class. The last step records the run, as the job "upkeep". Used on the loop's
 * thread.
 */

enum upkeep_work {
    UPKEEP_DUE,
    UPKEEP_EXPIRE,
    UPKEEP_ATTEMPTS,
    UPKEEP_TESTS,
    UPKEEP_MAIL,
    UPKEEP_ALERTS,
    UPKEEP_ORPHANS,
    UPKEEP_ENDED,
    UPKEEP_SESSIONS,
    UPKEEP_TOKENS,
    UPKEEP_ONCE,
    UPKEEP_TYPED,
    UPKEEP_RECORD,
    UPKEEP_WORK_COUNT
};

struct upkeep {
    int64_t started_at, next_at;     /* of the wall clock */
    enum upkeep_work work;           /* the current step */
    int64_t done[UPKEEP_WORK_COUNT]; /* rows, by this run so far */

    /* Owned by the writer while the errand is out. */
    struct errand errand;
    int64_t count; /* of the step */
};

void upkeep_init(struct upkeep *upkeep, struct writer *writer, uv_async_t *wake);
void upkeep_finish(struct upkeep *upkeep);

void upkeep_look(struct upkeep *upkeep, int64_t now_ms); /* begins a run when one is due */
void upkeep_take(struct upkeep *upkeep, bool go_on);     /* after a wake-up */
