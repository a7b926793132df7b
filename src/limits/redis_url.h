/* Redis URLs: redis://[[user]:password@]host[:port][/database], and rediss:// for TLS. */
#pragma once

#include "base/err.h"
#include "base/str.h"

enum { REDIS_TEXT_MAX = 256, REDIS_PORT = 6379 };

struct redis_url {
    bool tls;
    char host[REDIS_TEXT_MAX]; /* a name or an address, without brackets */
    int port;
    char user[REDIS_TEXT_MAX];     /* empty: none */
    char password[REDIS_TEXT_MAX]; /* empty: none; percent-decoded */
    int database;
};

/* ERR_INVALID: the message does not contain the password. */
enum err redis_url_parse(struct str text, struct redis_url *ret, struct fail *fail) MUST_CHECK;
