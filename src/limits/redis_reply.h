/* Replies of Redis as values. Redis is on another machine, perhaps another's: a reply of any form
 * gives a value or a reason, never more. Only the part `limits` includes this. */
#pragma once

#include <hiredis/hiredis.h>

#include "limits/redis_call.h"
#include "limits/redis_url.h"

/* Makes a reader refuse arrays that no reply to our commands has, before it allocates them. */
struct redis_reply_bound {
    redisReplyObjectFunctions functions; /* of the reader, which it must outlive */
    const redisReplyObjectFunctions *before;
};

void redis_reply_bind(struct redis_reply_bound *bound, redisReader *reader);

/* The clock that a reply to TIME states, in milliseconds since 1970. false: it is another reply. */
bool redis_reply_clock(const redisReply *reply, int64_t *ret_ms);

/* The version that a reply to INFO states: digits, letters, dots and hyphens. false: it is another
 * reply. */
bool redis_reply_version(const redisReply *reply, char ret[static REDIS_VERSION_SIZE]);

/* Where a node of a cluster sends a call instead. */
struct redis_redirect {
    bool ask; /* this call only: the slot is being moved */
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

/* A refusal of a call by a node that goes on to be useful. */
enum redis_refusal redis_reply_refusal(const redisReply *reply);

/* The integers that a script returned: 1 to REDIS_CALL_NUMBERS_MAX. Otherwise *ret_n is 0, and it
 * returns why the connection is of no more use, for a person; NULL: it is. The reason may be in the
 * reply. */
const char *redis_reply_numbers(
    const redisReply *reply, int64_t numbers[static REDIS_CALL_NUMBERS_MAX], size_t *ret_n);
