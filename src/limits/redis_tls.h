/*
 * TLS to Redis: 1.2 or newer, the certificate verified against CA certificates and for the host of
 * the URL. Never blocks. Used by redis_wire.c alone.
 */
#pragma once

#include "base/err.h"
#include "base/str.h"

/* The settings of all connections. */
struct redis_tls;

/* ca_file: CA certificates in PEM, read now. Null: the system's, or those that SSL_CERT_FILE and
 * SSL_CERT_DIR name. ERR_INVALID: the file cannot be read or has no certificate. */
enum err redis_tls_create(struct str ca_file, struct redis_tls **ret, struct fail *fail);
void redis_tls_destroy(struct redis_tls *tls); /* NULL is ignored */

/* One connection. */
struct redis_tls_link;

/* The caller keeps ownership of the descriptor. NULL: `host` cannot be the name of a
 * certificate. */
struct redis_tls_link *redis_tls_open(const struct redis_tls *tls, int fd, const char *host);
/* Sends close_notify if the handshake was done. NULL is ignored. */
void redis_tls_close(struct redis_tls_link *link);

enum redis_tls_step {
    REDIS_TLS_DONE,
    REDIS_TLS_WANTS_READ, /* call again when the descriptor is readable */
    REDIS_TLS_WANTS_WRITE,
    REDIS_TLS_CLOSED, /* the peer closed the connection in order */
    REDIS_TLS_FAILED, /* redis_tls_reason says why */
};

enum redis_tls_step redis_tls_shake(struct redis_tls_link *link); /* the handshake */
enum redis_tls_step redis_tls_read(struct redis_tls_link *link, void *p, size_t n, size_t *ret_n);
/* After WANTS_READ or WANTS_WRITE, call it again with the same bytes; more bytes may follow
 * them. */
enum redis_tls_step redis_tls_write(
    struct redis_tls_link *link, const void *p, size_t n, size_t *ret_n);

/* Of the failed step, for a person. Valid until the next call. */
const char *redis_tls_reason(const struct redis_tls_link *link);
