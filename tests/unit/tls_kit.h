/*
 * A TLS server for tests of src/net, on its own thread, with certificates generated at run time and
 * signed by a trusted or an untrusted CA.
 */
#pragma once

#include <openssl/ssl.h>
#include <pthread.h>

#include "unit.h"

struct tls_authority {
    EVP_PKEY *key;
    X509 *certificate;
};

void tls_authority_init(struct tls_authority *authority, const char *name);
void tls_authority_finish(struct tls_authority *authority);
/* The certificate as a PEM file. */
void tls_authority_write(const struct tls_authority *authority, const char *path);

struct tls_server_config {
    const struct tls_authority *authority; /* the signing CA */
    const char *names;                     /* "DNS:a.test,IP:127.0.0.1" */
    int days_from, days_to;                /* validity in days from now */
    int version;                           /* the only protocol version; 0: any */
};

SSL_CTX *tls_context_create(const struct tls_server_config *config); /* SSL_CTX_free */

struct tls_server {
    int fd, port;
    SSL_CTX *context;
    pthread_t thread;
    unsigned accepted, handshakes, requests; /* read after tls_server_close */
    char version[16];                        /* of the last handshake */
    char first_line[128];                    /* of the last request, or of the last greeting */
};

void tls_server_open(struct tls_server *s, const struct tls_server_config *config);
void tls_server_close(struct tls_server *s);
