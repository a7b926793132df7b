/*
 * The headers of one attempt to deliver (spec 6.1, 6.3; decisions 35, 36). Two signatures over the
 * exact bytes of the body, both HMAC-SHA-256 and made at send time, so that a retry has new ones:
 *
 *     X-SVC-Signature     t=<t>,v1=<hex>    over <t>.<body>        key: the secret as displayed
 *     webhook-signature   v1,<base64>       over <id>.<t>.<body>   key: the decoded base64
 *
 * During the grace of a rotation each has two values, the new secret's first.
 */
#pragma once

#include "base/err.h"
#include "base/crypto.h"

enum {
    SIGNATURE_NAME_MAX = 64, /* of an event's type, and of a delivery's id */
    SIGNATURE_LINES = 7,
    SIGNATURE_ROOM = 640,
};

/* A secret, prepared for signing. */
struct signature_key {
    struct hmac_state text;  /* keyed with the displayed string */
    struct hmac_state bytes; /* keyed with the decoded bytes */
};

/* `secret`: `whsec_` and the base64 of 24 to 42 bytes; not used after the call. ERR_INVALID:
 * anything else (the error does not repeat it). */
enum err signature_key_init(struct signature_key *ret, struct str secret, struct fail *fail);
void signature_key_finish(struct signature_key *key); /* wipes */

/* The signed values, and the other header values. */
struct signature_input {
    const struct signature_key *key;
    const struct signature_key *old_key; /* NULL: no rotation, or its grace is over */
    struct str event;                    /* the type: "trade.published" */
    struct str delivery_id;              /* of the delivery, not of the attempt */
    struct str body;
    int64_t now_ms; /* of the wall clock, as the attempt begins */
};

/* "Name: value" lines, each NUL-terminated, including Content-Type. They point into `room`: valid
 * as long as the struct lives and does not move. */
struct signature_headers {
    struct str lines[SIGNATURE_LINES];
    char room[SIGNATURE_ROOM];
};

void signature_headers(struct signature_headers *ret, const struct signature_input *input);
