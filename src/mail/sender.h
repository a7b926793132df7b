/*
 * Sends the queued mail (store/account/mail_queue.h) through the operator's mail server, up to
 * SENDER_MAX at a time, on the loop of its owner. Claims and results are errands for the writer,
 * which takes several at once, and the loop does not wait for them.
 *
 *     look -> claim (writer) -> sent or not -> that is written (writer) -> claim ...
 *
 * A result is kept until it is durable, so an unavailable store does not cause a second mail; only
 * a killed process can. Used on the loop's thread.
 */
#pragma once

#include <uv.h>

#include "base/seal.h"
#include "db/writer.h"
#include "net/outgoing.h"

struct sender;

enum { SENDER_MAX = 10 }; /* connections to the mail server */

/* Texts are copied; everything else outlives the sender. */
struct sender_config {
    struct writer *writer;
    struct outgoing *outgoing;  /* of the loop */
    uv_async_t *wake;           /* sent when sender_take has something to take */
    struct str node;            /* this server's name in leases */
    struct str server;          /* mail/mail.h */
    struct str from;            /* mail/message.h */
    const struct seal_key *key; /* opens sealed bodies; NULL: such mail is not sent */
};

/* ERR_INVALID: the server's URL, or the sender's address. */
enum err sender_create(const struct sender_config *config, struct sender **ret, struct fail *fail);
void sender_destroy(struct sender *sender); /* not while an errand is out; NULL is ignored */

/* With a NULL sender these do nothing. */
void sender_look(struct sender *sender);          /* mail may be due */
void sender_take(struct sender *sender);          /* after a wake-up */
void sender_stop(struct sender *sender);          /* claims no more */
void sender_cut(struct sender *sender);           /* do not wait for mail in progress */
bool sender_is_busy(const struct sender *sender); /* a mail is in progress, or an errand is out */
