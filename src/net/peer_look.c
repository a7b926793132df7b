/* libcurl connects and does no more (CURLOPT_CONNECT_ONLY); see peer_look.h. */
#include "net/peer_look.h"

#include <strings.h>

#include <curl/curl.h>

#include "base/instant.h"
#include "base/mem.h"

struct peer_call {
    CURL *easy;
    struct peer_look *ret;
    char reason[CURL_ERROR_SIZE];
    char *ca_file;
};

static size_t on_line(char *bytes, size_t size, size_t count, void *ctx)
{
    struct peer_look *ret = ctx;
    struct str line = str_trim(str_of(bytes, size * count));
    size_t n = line.n < sizeof ret->said ? line.n : sizeof ret->said - 1;
    for (size_t i = 0; i < n; i++)
        ret->said[i] = line.p[i] < ' ' || line.p[i] > '~' ? '?' : line.p[i];
    ret->said[n] = '\0';
    return size * count;
}

static CURLcode prepare(struct peer_call *call, const struct peer_options *o)
{
    CURLcode code = CURLE_OK;
#define SET(option, value) (code = code ? code : curl_easy_setopt(call->easy, (option), (value)))
    SET(CURLOPT_URL, o->url);
    SET(CURLOPT_ERRORBUFFER, call->reason);
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_PROTOCOLS_STR, "http,https,smtp,smtps");
    SET(CURLOPT_CONNECT_ONLY, 1L);
    SET(CURLOPT_CERTINFO, 1L);
    SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    SET(CURLOPT_SSL_ENABLE_ALPN, o->alone ? 0L : 1L);
    SET(CURLOPT_USE_SSL,
        (long)(o->starttls == PEER_STARTTLS_REQUIRED ? CURLUSESSL_ALL : CURLUSESSL_TRY));
    if (call->ca_file)
        SET(CURLOPT_CAINFO, call->ca_file);
    if (o->proxy)
        SET(CURLOPT_PROXY, o->proxy);
    if (o->user) {
        SET(CURLOPT_USERNAME, o->user);
        SET(CURLOPT_PASSWORD, o->password);
    }
    SET(CURLOPT_HEADERFUNCTION, on_line);
    SET(CURLOPT_HEADERDATA, call->ret);
    SET(CURLOPT_TIMEOUT_MS, (long)o->time_max_ms);
#undef SET
    return code;
}

/* The first certificate is the peer's own. */
static void take_certificate(struct peer_call *call)
{
    static const char name[] = "Expire date:";
    struct curl_certinfo *found = NULL;
    if (curl_easy_getinfo(call->easy, CURLINFO_CERTINFO, &found) != CURLE_OK || !found ||
        found->num_of_certs < 1)
        return;
    call->ret->tls = true;
    for (const struct curl_slist *line = found->certinfo[0]; line; line = line->next) {
        if (strncasecmp(line->data, name, sizeof name - 1) != 0)
            continue;
        time_t at = curl_getdate(line->data + sizeof name - 1, NULL);
        call->ret->certificate_ends_ms = at < 0 ? INSTANT_NONE : (int64_t)at * SECOND_MS;
    }
}

/* What an error of libcurl means; others are of the connection. */
static const struct {
    CURLcode code;
    enum err err;
    const char *words; /* NULL: libcurl's */
} errors[] = {
    {CURLE_COULDNT_RESOLVE_HOST, ERR_UNAVAILABLE, "the host name does not resolve"},
    {CURLE_URL_MALFORMAT, ERR_INVALID},
    {CURLE_UNSUPPORTED_PROTOCOL, ERR_INVALID},
    {CURLE_OPERATION_TIMEDOUT, ERR_TIMEOUT, "it does not answer"},
    {CURLE_USE_SSL_FAILED, ERR_REFUSED},
    {CURLE_SSL_CONNECT_ERROR, ERR_REFUSED},
    {CURLE_PEER_FAILED_VERIFICATION, ERR_REFUSED},
    {CURLE_SSL_CACERT_BADFILE, ERR_REFUSED},
    {CURLE_LOGIN_DENIED, ERR_REFUSED},
    {CURLE_WEIRD_SERVER_REPLY, ERR_REFUSED},
};

static enum err result(const struct peer_call *call, CURLcode code, struct fail *fail)
{
    long number = 0;
    enum err err = ERR_UNAVAILABLE;
    const char *reason = call->reason[0] ? call->reason : curl_easy_strerror(code);
    if (!code)
        return OK;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        if (errors[i].code != code)
            continue;
        err = errors[i].err;
        reason = errors[i].words ? errors[i].words : reason;
    }
    if (code == CURLE_COULDNT_CONNECT &&
        curl_easy_getinfo(call->easy, CURLINFO_OS_ERRNO, &number) == CURLE_OK && number)
        reason = strerror((int)number);
    return call->ret->said[0] ? fail_set(fail, err, "%s (it said: %s)", reason, call->ret->said)
                              : fail_set(fail, err, "%s", reason);
}

enum err peer_look(const struct peer_options *options, struct peer_look *ret, struct fail *fail)
{
    struct peer_call call = {.ret = ret};
    *ret = (struct peer_look){.certificate_ends_ms = INSTANT_NONE};
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK || !(call.easy = curl_easy_init()))
        no_memory(0);
    if (!str_is_null(options->ca_file))
        call.ca_file = mem_strdup(options->ca_file);
    CURLcode code = prepare(&call, options);
    if (!code)
        code = curl_easy_perform(call.easy);
    take_certificate(&call);
    enum err err = result(&call, code, fail);
    curl_easy_cleanup(call.easy);
    curl_global_cleanup();
    mem_free(call.ca_file);
    return err;
}
