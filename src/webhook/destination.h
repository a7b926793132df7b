/*
 * What can be said about the URL of an endpoint before anything is sent (decision 37): a
 * destination that no delivery can ever reach is an error when the endpoint is added. Every attempt
 * checks again, because names and settings change.
 */
#pragma once

#include "net/target.h"
#include "webhook/guard.h"

struct destination_rules {
    const struct guard *guard;
    struct str name_servers; /* as in net/outgoing.h; null: the system's */
};

/* Parses the URL as attempts do (http:// only with allowed networks), and checks its port, its
 * address, or that its name can exist. ERR_INVALID: no URL of a webhook. ERR_REFUSED: no delivery
 * could be sent there. Nothing is resolved. */
enum err destination_parse(
    const struct destination_rules *rules, struct str url, struct arena *arena, struct target *ret,
    struct fail *fail);

/* Resolves the name once, within RESOLVER_TIME_MAX_MS. ERR_REFUSED, ERR_UNAVAILABLE: an attempt at
 * this moment would fail, and *fail says why. That can change, so it is no more than a warning. */
enum err destination_look(
    const struct destination_rules *rules, const struct target *target, struct fail *fail);
