/*
 * Clients that do not take what they asked for. The bytes may be in libuv's queue, when a reply did
 * not fit into the socket, or in our kernel's buffer, where a reply that fitted may stay although
 * the connection is idle, lingers, or sends more requests.
 *
 * A client may fall limits.write_grace_ms behind a rate of limits.write_floor bytes a second, and
 * is then disconnected. It may be ahead by HTTP_READER_STEP bytes, because its kernel reports in
 * steps what its program has read. What that kernel took before the first look does not count: a
 * client that reads nothing could not be told from one that reads slowly. Our kernel is asked twice
 * a second, and only while it had bytes at the last look, or got some since. Private to src/http.
 */
#pragma once

#include "http/conn.h"

/* Bytes in our kernel's buffer that the peer has not acknowledged. */
size_t conn_unsent(const struct conn *c);

/* The deadline `reader` of the connection expired. */
void conn_reader_look(struct conn *c);

/* Disconnects by a reset: after a normal close our kernel would keep the bytes as long as the peer
 * likes. */
void conn_reset(struct conn *c);
