/* OpenSSL; see redis_tls.h. */
#include "limits/redis_tls.h"

#include <arpa/inet.h>
#include <errno.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdio.h>

#include "base/mem.h"

struct redis_tls {
    SSL_CTX *context;
};

struct redis_tls_link {
    SSL *ssl;
    bool shaken; /* the handshake is done */
    bool failed;
    char reason[160];
};

static const char *last_error(void)
{
    const char *text = ERR_reason_error_string(ERR_peek_last_error());
    return text ? text : "unknown error";
}

static enum err load_authorities(SSL_CTX *context, struct str ca_file, struct fail *fail)
{
    if (str_is_null(ca_file)) {
        if (SSL_CTX_set_default_verify_paths(context) == 1)
            return OK;
        return fail_set(fail, ERR_INVALID, "cannot load the system's CA certificates");
    }
    char *path = mem_strdup(ca_file);
    bool loaded = SSL_CTX_load_verify_locations(context, path, NULL) == 1;
    mem_free(path);
    if (loaded)
        return OK;
    return fail_set(
        fail, ERR_INVALID, "cannot load CA certificates from \"%.*s\" (STOCKACT_REDIS_CA_FILE): %s",
        STR_ARG(ca_file), last_error());
}

enum err redis_tls_create(struct str ca_file, struct redis_tls **ret, struct fail *fail)
{
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    if (!context)
        no_memory(0);
    ERR_clear_error();
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    SSL_CTX_set_mode(
        context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                     SSL_MODE_RELEASE_BUFFERS);
    enum err err = load_authorities(context, ca_file, fail);
    if (err) {
        SSL_CTX_free(context);
        return err;
    }
    *ret = MEM_NEW(struct redis_tls);
    (*ret)->context = context;
    return OK;
}

void redis_tls_destroy(struct redis_tls *tls)
{
    if (!tls)
        return;
    SSL_CTX_free(tls->context);
    mem_free(tls);
}

/* An address is verified as such; a name is sent to the server too (SNI). */
static bool expect_host(SSL *ssl, const char *host)
{
    uint8_t bytes[16];
    if (inet_pton(AF_INET, host, bytes) == 1 || inet_pton(AF_INET6, host, bytes) == 1)
        return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host) == 1;
    SSL_set_hostflags(ssl, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    char *name = mem_strdup(str_from(host)); /* OpenSSL's macro casts const away */
    bool set = SSL_set1_host(ssl, name) == 1 && SSL_set_tlsext_host_name(ssl, name) == 1;
    mem_free(name);
    return set;
}

struct redis_tls_link *redis_tls_open(const struct redis_tls *tls, int fd, const char *host)
{
    SSL *ssl = SSL_new(tls->context);
    if (!ssl)
        no_memory(0);
    if (!expect_host(ssl, host) || SSL_set_fd(ssl, fd) != 1) {
        SSL_free(ssl);
        return NULL;
    }
    SSL_set_connect_state(ssl);
    struct redis_tls_link *link = MEM_NEW(struct redis_tls_link);
    link->ssl = ssl;
    return link;
}

void redis_tls_close(struct redis_tls_link *link)
{
    if (!link)
        return;
    ERR_clear_error();
    if (link->shaken && !link->failed) /* not after an error (OpenSSL) */
        SSL_shutdown(link->ssl);
    ERR_clear_error();
    SSL_free(link->ssl);
    mem_free(link);
}

static void note_reason(struct redis_tls_link *link, int code, int error)
{
    long verified = SSL_get_verify_result(link->ssl);
    const char *step = link->shaken ? "TLS" : "TLS handshake";
    if (verified != X509_V_OK)
        snprintf(
            link->reason, sizeof link->reason, "its certificate is not valid: %s",
            X509_verify_cert_error_string(verified));
    else if (code == SSL_ERROR_SYSCALL && !ERR_peek_error())
        snprintf(
            link->reason, sizeof link->reason, "%s: %s", step,
            error ? strerror(error) : "the connection was closed");
    else
        snprintf(link->reason, sizeof link->reason, "%s: %s", step, last_error());
}

/* After every call of OpenSSL that returned `result`. */
static enum redis_tls_step step_of(struct redis_tls_link *link, int result, int error)
{
    int code = SSL_get_error(link->ssl, result);
    switch (code) {
    case SSL_ERROR_NONE:
        return REDIS_TLS_DONE;
    case SSL_ERROR_WANT_READ:
        return REDIS_TLS_WANTS_READ;
    case SSL_ERROR_WANT_WRITE:
        return REDIS_TLS_WANTS_WRITE;
    case SSL_ERROR_ZERO_RETURN:
        return REDIS_TLS_CLOSED;
    default:
        link->failed = true;
        note_reason(link, code, error);
        return REDIS_TLS_FAILED;
    }
}

enum redis_tls_step redis_tls_shake(struct redis_tls_link *link)
{
    ERR_clear_error();
    errno = 0;
    int result = SSL_do_handshake(link->ssl);
    enum redis_tls_step step = step_of(link, result, errno);
    link->shaken = step == REDIS_TLS_DONE;
    return step;
}

enum redis_tls_step redis_tls_read(struct redis_tls_link *link, void *p, size_t n, size_t *ret_n)
{
    ERR_clear_error();
    errno = 0;
    int result = SSL_read_ex(link->ssl, p, n, ret_n);
    return step_of(link, result, errno);
}

enum redis_tls_step redis_tls_write(
    struct redis_tls_link *link, const void *p, size_t n, size_t *ret_n)
{
    ERR_clear_error();
    errno = 0;
    int result = SSL_write_ex(link->ssl, p, n, ret_n);
    return step_of(link, result, errno);
}

const char *redis_tls_reason(const struct redis_tls_link *link)
{
    return link->reason;
}
