/* Certificates and a server that presents them; see tls_kit.h. */
#include "tls_kit.h"

#include <arpa/inet.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { DAY_SECONDS = 24 * 60 * 60, REQUEST_MAX = 8192 };

/* --- certificates */

static void add_extension(X509 *certificate, int nid, const char *value)
{
    X509V3_CTX context;
    X509V3_set_ctx(&context, certificate, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, nid, value);
    assert_non_null(extension);
    assert_int_equal(X509_add_ext(certificate, extension, -1), 1);
    X509_EXTENSION_free(extension);
}

static X509 *certificate_begin(EVP_PKEY *key, const char *name, int days_from, int days_to)
{
    static long serial;
    X509 *certificate = X509_new();
    X509_set_version(certificate, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), ++serial);
    X509_gmtime_adj(X509_getm_notBefore(certificate), (long)days_from * DAY_SECONDS);
    X509_gmtime_adj(X509_getm_notAfter(certificate), (long)days_to * DAY_SECONDS);
    X509_set_pubkey(certificate, key);
    X509_NAME_add_entry_by_txt(
        X509_get_subject_name(certificate), "CN", MBSTRING_ASC, (const unsigned char *)name, -1, -1,
        0);
    return certificate;
}

void tls_authority_init(struct tls_authority *authority, const char *name)
{
    authority->key = EVP_EC_gen("P-256");
    X509 *certificate = certificate_begin(authority->key, name, -1, 2);
    X509_set_issuer_name(certificate, X509_get_subject_name(certificate));
    add_extension(certificate, NID_basic_constraints, "critical,CA:TRUE");
    add_extension(certificate, NID_key_usage, "critical,keyCertSign");
    assert_true(X509_sign(certificate, authority->key, EVP_sha256()) > 0);
    authority->certificate = certificate;
}

void tls_authority_finish(struct tls_authority *authority)
{
    X509_free(authority->certificate);
    EVP_PKEY_free(authority->key);
}

void tls_authority_write(const struct tls_authority *authority, const char *path)
{
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_int_equal(PEM_write_X509(file, authority->certificate), 1);
    assert_int_equal(fclose(file), 0);
}

SSL_CTX *tls_context_create(const struct tls_server_config *config)
{
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *certificate = certificate_begin(key, "server", config->days_from, config->days_to);
    X509_set_issuer_name(certificate, X509_get_subject_name(config->authority->certificate));
    add_extension(certificate, NID_subject_alt_name, config->names);
    assert_true(X509_sign(certificate, config->authority->key, EVP_sha256()) > 0);
    if (config->version) {
        SSL_CTX_set_security_level(context, 0); /* old versions require it */
        SSL_CTX_set_cipher_list(context, "ALL:@SECLEVEL=0");
        SSL_CTX_set_min_proto_version(context, config->version);
        SSL_CTX_set_max_proto_version(context, config->version);
    }
    assert_int_equal(SSL_CTX_use_certificate(context, certificate), 1);
    assert_int_equal(SSL_CTX_use_PrivateKey(context, key), 1);
    X509_free(certificate);
    EVP_PKEY_free(key);
    return context;
}

/* --- the server: one connection after the other, with any number of requests */

static bool read_request(struct tls_server *s, SSL *ssl)
{
    char request[REQUEST_MAX];
    size_t n = 0;
    while (n < sizeof request - 1) {
        int got = SSL_read(ssl, request + n, (int)(sizeof request - 1 - n));
        if (got <= 0)
            return false;
        n += (size_t)got;
        request[n] = '\0';
        const char *end = strstr(request, "\r\n\r\n");
        if (end && strchr(end, '}')) { /* every body in the tests ends like this */
            snprintf(
                s->first_line, sizeof s->first_line, "%.*s", (int)strcspn(request, "\r"), request);
            return true;
        }
    }
    return false;
}

static void serve_connection(struct tls_server *s, int fd)
{
    static const char answer[] = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    SSL *ssl = SSL_new(s->context);
    SSL_set_fd(ssl, fd);
    if (SSL_accept(ssl) == 1) {
        s->handshakes++;
        snprintf(s->version, sizeof s->version, "%s", SSL_get_version(ssl));
        while (read_request(s, ssl)) {
            s->requests++;
            if (SSL_write(ssl, answer, sizeof answer - 1) <= 0)
                break;
        }
    }
    SSL_free(ssl);
}

static void *serve(void *arg)
{
    struct tls_server *s = arg;
    int fd;
    while ((fd = accept(s->fd, NULL, NULL)) >= 0) {
        s->accepted++;
        serve_connection(s, fd);
        close(fd);
    }
    return NULL;
}

void tls_server_open(struct tls_server *s, const struct tls_server_config *config)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    memset(s, 0, sizeof *s);
    s->context = tls_context_create(config);
    s->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(s->fd, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(s->fd, 8), 0);
    assert_int_equal(getsockname(s->fd, (struct sockaddr *)&address, &size), 0);
    s->port = ntohs(address.sin_port);
    assert_int_equal(pthread_create(&s->thread, NULL, serve, s), 0);
}

void tls_server_close(struct tls_server *s)
{
    shutdown(s->fd, SHUT_RDWR); /* makes accept return */
    pthread_join(s->thread, NULL);
    close(s->fd);
    SSL_CTX_free(s->context);
}
