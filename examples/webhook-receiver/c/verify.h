/*
 * Verifies a delivery of stockact. Both functions return NULL when it is to be trusted, else the
 * reason why not. Link with -lcrypto (OpenSSL 3).
 *
 * secret: the text that the endpoint shows, whsec_...; the texts of headers, NULL where there is no
 * such header; body: the bytes as they came.
 */
#pragma once

#include <stddef.h>
#include <time.h>

/* X-SVC-Signature: t=<t>,v1=<hex>, over <t>.<body>, keyed with the whole secret. */
const char *verify_svc(
    const char *secret, const char *header, const void *body, size_t body_size, time_t now);

/* webhook-signature: v1,<base64>, over <id>.<t>.<body>, keyed with what the secret encodes. */
const char *verify_standard(
    const char *secret, const char *id, const char *timestamp, const char *header, const void *body,
    size_t body_size, time_t now);
