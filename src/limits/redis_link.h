/*
 * Redis on its own thread: the one server of the URL, or the nodes of a cluster (redis_link.c).
 * Calls run scripts that are loaded at each connection. Many calls may be in flight; each is one
 * round trip. With rediss:// nothing is sent before the certificate has been verified.
 *
 * In a cluster all keys of a call are in one slot. The link learns which node serves a slot from
 * redirections, and follows them within the deadline of the call. If it loses a node, it asks
 * another node who serves the slot now: after a failover, the promoted replica.
 */
#pragma once

#include "limits/redis_call.h"
#include "limits/redis_url.h"

enum { REDIS_LINK_CALLS_MAX = 10000 }; /* in flight */

struct redis_link;

/* Copies the URL. ca_file: for rediss://, see redis_tls.h. counts: the kind of calls, for the log;
 * constant. ERR_INVALID: the CA file. ERR_IO: no descriptor is available. */
enum err redis_link_create(
    const struct redis_url *url, struct str ca_file, const char *counts, struct redis_link **ret,
    struct fail *fail);
void redis_link_destroy(
    struct redis_link *link); /* calls in flight get no answer; NULL is ignored */

/* Call before redis_link_start; the text is constant. */
const struct redis_script *redis_link_script(struct redis_link *link, const char *text);
bool redis_link_start(struct redis_link *link); /* false: no thread is available */

/* At least one server is connected; in a cluster perhaps not all nodes. */
bool redis_link_ready(const struct redis_link *link);

/* Thread-safe. `arguments`: the keys, then the script's other arguments; the link adds whether the
 * connection is new, and the deadline. false: not connected, or too many calls in flight;
 * `answered` is not called. Otherwise the link's thread calls `answered`, which may be NULL. */
bool redis_link_call(
    struct redis_link *link, const struct redis_script *script, size_t key_count,
    const struct str *arguments, size_t n, redis_answered *answered, void *ctx);

/* Thread-safe, not from the link's thread. Asks Redis for its version and waits for the answer, at
 * most answer_ms of the URL. false: no answer, or its user has no right to INFO. */
bool redis_link_version(struct redis_link *link, char ret[static REDIS_VERSION_SIZE]);

uint64_t redis_link_losses(const struct redis_link *link); /* connections lost */
