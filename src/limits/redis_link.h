/*
 * One connection to Redis on its own thread, re-established automatically. Calls run scripts that
 * are loaded at each connection. Many calls may be in flight; each is one round trip. With
 * rediss:// nothing is sent before the certificate has been verified; connecting, the TLS handshake
 * and the login together have REDIS_LINK_CONNECT_MS.
 *
 * If Redis does not answer a call within REDIS_LINK_ANSWER_MS, the link closes the connection. The
 * call must not take effect later either: every script gets a deadline on Redis's clock as its last
 * argument and checks it. After the deadline a script returns an empty array. An empty array that
 * arrives in time means that Redis's clock was set: the link reconnects to read it again.
 */
#pragma once

#include "limits/redis_call.h"
#include "limits/redis_url.h"

enum {
    REDIS_LINK_ANSWER_MS = 500,
    REDIS_LINK_CONNECT_MS = 1000,
    REDIS_LINK_RETRY_MS = 200,
    REDIS_LINK_CALLS_MAX = 10000, /* in flight */
};

struct redis_link;

/* Copies the URL. ca_file: for rediss://, see redis_tls.h. ERR_INVALID: the CA file. ERR_IO: no
 * descriptor is available. */
enum err redis_link_create(
    const struct redis_url *url, struct str ca_file, struct redis_link **ret,
    struct fail *fail) MUST_CHECK;
void redis_link_destroy(
    struct redis_link *link); /* calls in flight get no answer; NULL is ignored */

/* Call before redis_link_start; the text is constant. */
const struct redis_script *redis_link_script(struct redis_link *link, const char *text);
bool redis_link_start(struct redis_link *link); /* false: no thread is available */

bool redis_link_ready(const struct redis_link *link);

/* Thread-safe. `arguments`: the keys, then the script's other arguments. false: not connected, or
 * too many calls in flight; `answered` is not called. Otherwise the link's thread calls `answered`,
 * which may be NULL. */
bool redis_link_call(
    struct redis_link *link, const struct redis_script *script, size_t key_count,
    const struct str *arguments, size_t n, redis_answered *answered, void *ctx);

/* Thread-safe, not from the link's thread. Asks Redis for its version and waits for the answer, at
 * most REDIS_LINK_ANSWER_MS. false: no answer, or its user has no right to INFO. */
bool redis_link_version(struct redis_link *link, char ret[static REDIS_VERSION_SIZE]);

uint64_t redis_link_losses(const struct redis_link *link); /* connections lost */
