/*
 * Builds one mail (RFC 5322, 2045, 2047): plain text, and perhaps the same as HTML behind it. No
 * part can inject another header: addresses have only characters that need no quoting, a subject is
 * always one line, and a body that is not short lines of ASCII is encoded as base64.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"

enum {
    MESSAGE_ADDRESS_MAX = 254,
    MESSAGE_SUBJECT_MAX = 500,
    MESSAGE_BODY_MAX = 1024 * 1024,
    MESSAGE_LINE_MAX = 998, /* of a body that is not packed (RFC 5322, 2.1.1) */
    MESSAGE_ID_SIZE = 16,
};

struct message {
    struct str from; /* "name@example.com" or "Words <name@example.com>" */
    struct str to;   /* "name@example.com" */
    struct str subject;
    struct str body; /* lines end in LF or CRLF */
    struct str html; /* the same, trusted to be escaped; null: none */
    /* URL that ends such mail by one POST without sign-in (RFC 8058); null: none */
    struct str unsubscribe;
    struct str stable_id; /* the Message-ID is made from it; null: a random one */
};

/* name@example.com: ASCII, no quoting, no address in brackets. */
bool message_address_valid(struct str address);
/* The address of `from`, without the words before it; null: it has none that is valid. */
struct str message_address_of(struct str from);

/* Appends the whole message, lines ending in CRLF. id: bytes of the Message-ID and of the boundary
 * between two bodies, different for each message. ERR_INVALID: no such address, a text is not
 * UTF-8, or `unsubscribe` is not a URL; ERR_LIMIT: it is too long. */
enum err message_put(
    struct buf *b, const struct message *m, int64_t now_ms, const uint8_t id[MESSAGE_ID_SIZE],
    struct fail *fail);
