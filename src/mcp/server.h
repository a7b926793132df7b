/*
 * The protocol on one pair of streams: a line comes in, and what it asks for is done. Knows no
 * descriptor: whoever owns the streams hands over lines and writes what comes out.
 *
 * Both eras are served on the same streams. A request with the metadata of the stateless era is
 * judged by itself alone; any other is of the session that `initialize` began. A second
 * `initialize` begins anew, so that a gateway may put several clients behind one process.
 */
#pragma once

#include "mcp/call.h"
#include "mcp/rpc.h"

struct server {
    struct rpc rpc;
    struct calls calls;
    struct str session_version;       /* null: no session has begun */
    struct buf tool_lists[ERA_COUNT]; /* results of tools/list, once made */
};

/* anonymous: the client sends no key. */
void server_init(
    struct server *s, struct client *client, bool anonymous, rpc_write *write, void *ctx);
void server_finish(struct server *s);

/* The null string: a line that was too long to be read. */
void server_take_line(struct server *s, struct str line);
