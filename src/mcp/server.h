/*
 * Handles the messages of the protocol. The owner of the streams passes lines in and writes the
 * lines that come out.
 *
 * Both eras share the streams. A request with the metadata of the stateless era does not depend on
 * other requests. Any other request belongs to the session that `initialize` began. A second
 * `initialize` begins a new session, so that a gateway can put several clients behind one process.
 */
#pragma once

#include "mcp/call.h"
#include "mcp/rpc.h"

struct server {
    struct rpc rpc;
    struct calls calls;
    struct str session_version;       /* null: no session has begun */
    struct buf tool_lists[ERA_COUNT]; /* cached results of tools/list; empty: not made yet */
};

/* `anonymous`: the client sends no key. */
void server_init(
    struct server *s, struct client *client, bool anonymous, rpc_write *write, void *ctx);
void server_finish(struct server *s);

/* Handles one line. A null line was too long. */
void server_take_line(struct server *s, struct str line);

/* A request of Streamable HTTP. Headers are null where they are absent. */
struct post {
    struct str body;
    struct str version, method, name, session; /* MCP-Protocol-Version, Mcp-Method, Mcp-Name,
                                                  Mcp-Session-Id */
};

enum { POST_BATCH_MAX = 20 };

/* Handles a request on a server of its own, without sessions: a message of the earlier era belongs
 * to the version in its header (without one, 2025-03-26). The status of the response is in s->rpc;
 * if nothing is written, it is 202. */
void server_take_post(struct server *s, const struct post *post);

/* Refuses a request before its body is read: a status of 403 goes with it. */
void server_refuse_post(struct server *s, const char *reason);
