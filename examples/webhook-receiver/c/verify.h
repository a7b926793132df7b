/*
 * Verifies a webhook delivery from stockact. Both functions return NULL if the delivery is valid,
 * and otherwise the reason why it is not. Link with -lcrypto (OpenSSL 3).
 *
 * secret: the endpoint's secret as displayed, whsec_...
 * header, id, timestamp: values of headers; NULL if the header is missing
 * body: the raw request body
 * now: the current time
 */
#pragma once

#include <stddef.h>
#include <time.h>

/* Checks X-SVC-Signature: t=<t>,v1=<hex>. Key: the whole secret. Text: <t>.<body>. */
const char *verify_svc(
    const char *secret, const char *header, const void *body, size_t body_size, time_t now);

/* Checks webhook-signature: v1,<base64>. Key: the decoded secret. Text: <id>.<t>.<body>. */
const char *verify_standard(
    const char *secret, const char *id, const char *timestamp, const char *header, const void *body,
    size_t body_size, time_t now);
