/* Redis URLs: redis://[[user]:password@]host[:port][,host[:port]...][/database], and rediss:// for
 * TLS. Several hosts are nodes of one Redis Cluster, from which the other nodes are found. */
#pragma once

#include "base/err.h"
#include "base/str.h"

enum { REDIS_TEXT_MAX = 256, REDIS_PORT = 6379, REDIS_PLACES_MAX = 8, REDIS_ANSWER_MS = 500 };

struct redis_place {
    char host[REDIS_TEXT_MAX]; /* a name or an address, without brackets */
    int port;
};

struct redis_url {
    bool tls;
    struct redis_place places[REDIS_PLACES_MAX];
    size_t place_count;            /* at least 1 */
    char user[REDIS_TEXT_MAX];     /* empty: none */
    char password[REDIS_TEXT_MAX]; /* empty: none; percent-decoded */
    int database;
    int64_t answer_ms; /* for each call; not in the text: REDIS_ANSWER_MS */
};

/* ERR_INVALID: the message does not contain the password. */
enum err redis_url_parse(struct str text, struct redis_url *ret, struct fail *fail);

/* Parses `host:port` from a redirection. An IPv6 address has no brackets there; an empty host means
 * `same`, the host of the redirecting node. false: not a host and port. */
bool redis_place_of_node(struct str text, const char *same, struct redis_place *ret);
