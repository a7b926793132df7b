/*
 * One connection to a peer, for `stockact doctor`: TCP, TLS as the server makes it, and for a mail
 * server the greeting and the login. No request and no e-mail is sent.
 */
#pragma once

#include "base/err.h"
#include "base/str.h"

enum { PEER_SAID_SIZE = 160 };

enum peer_starttls { PEER_STARTTLS_OFFERED, PEER_STARTTLS_REQUIRED };

struct peer_options {
    const char *url;    /* https://, http://, smtp://HOST/NAME-FOR-EHLO, smtps:// */
    struct str ca_file; /* null: the system's */
    const char *proxy;  /* "": none; NULL: from the environment */
    const char *user;   /* NULL: no login */
    const char *password;
    enum peer_starttls starttls;
    bool alone; /* only TLS: not even what belongs to HTTP */
    int64_t time_max_ms;
};

struct peer_look {
    bool tls;                    /* the connection is encrypted */
    int64_t certificate_ends_ms; /* INSTANT_NONE: not known */
    char said[PEER_SAID_SIZE];   /* the last reply of a mail server, one line of ASCII; "": none */
};

/* ERR_INVALID: not such a URL. ERR_UNAVAILABLE: no connection. ERR_REFUSED: no TLS, a certificate
 * that is not trusted, or no login. ERR_TIMEOUT: it is silent. */
enum err peer_look(const struct peer_options *options, struct peer_look *ret, struct fail *fail);
