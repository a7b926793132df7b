/* Converts replies of Redis to values. Redis is not trusted: a malformed reply gives a reason,
 * never anything else. Only the part `limits` includes this. */
#pragma once

#include <hiredis/hiredis.h>

#include "limits/redis_call.h"
#include "limits/redis_url.h"

/* Makes a reader refuse arrays that are larger than any reply to our commands, before it allocates
 * them. */
struct redis_reply_bound {
    redisReplyObjectFunctions functions; /* of the reader, which it must outlive */
    const redisReplyObjectFunctions *before;
};

void redis_reply_bind(struct redis_reply_bound *bound, redisReader *reader);

/* The time of a reply to TIME, in milliseconds since 1970. false: another kind of reply. */
bool redis_reply_clock(const redisReply *reply, int64_t *ret_ms);

/* The version in a reply to INFO: digits, letters, dots and hyphens. false: another kind of
 * reply. */
bool redis_reply_version(const redisReply *reply, char ret[static REDIS_VERSION_SIZE]);

/* The redirection of a call by a cluster node. */
struct redis_redirect {
    bool ask; /* ASK: for this call only, because the slot is being moved */
    uint16_t slot;
    struct redis_place place;
};

/* `same`: the host of the node that replied. false: the reply is no redirection, or an invalid
 * one. */
bool redis_reply_redirect(const redisReply *reply, const char *same, struct redis_redirect *ret);

enum redis_refusal {
    REDIS_REFUSES_NOTHING,
    REDIS_REFUSES_NOW,  /* a slot is being moved: the call may be sent again at once */
    REDIS_REFUSES_CALL, /* the cluster does not serve the slot */
};

/* An error reply to a call that does not end the connection. */
enum redis_refusal redis_reply_refusal(const redisReply *reply);

/* The integers that a script returned: 1 to REDIS_CALL_NUMBERS_MAX. Otherwise *ret_n is 0, and the
 * function returns why the connection must be closed, for a person; NULL: it can stay open. The
 * reason may point into the reply. */
const char *redis_reply_numbers(
    const redisReply *reply, int64_t numbers[static REDIS_CALL_NUMBERS_MAX], size_t *ret_n);
