/*
 * An owner's actions on endpoints, for the command line and the pages (spec 5 and 6; decisions 27,
 * 33, 36, 44, 45). Another account's endpoint or delivery is ERR_NOT_FOUND, with the same words as
 * one that does not exist; the operator may use all of them.
 *
 * All functions that write are called inside a write transaction. They write one row of the action
 * log and the change notice `endpoint`, which wakes the dispatchers of running servers. The caller
 * must end a plaintext secret with secret_finish; errors and log rows never contain one.
 *
 * The plan's cap counts the endpoints that are not deleted, oldest first. An endpoint above the cap
 * is paused, and resumed as soon as there is room.
 */
#pragma once

#include "rule/plan.h"
#include "store/account/account.h"
#include "store/account/action_log.h"
#include "store/account/delivery_by_hand.h"
#include "store/account/endpoint.h"
#include "webhook/destination.h"
#include "webhook/secret.h"

enum { OWNER_GRACE_HOURS = 24 };

/* The endpoint if the actor may use it. ERR_NOT_FOUND: no such endpoint. */
enum err owner_find(const struct act *act, struct str id, struct endpoint *ret);

/* A description is one line without hidden characters, at most ENDPOINT_DESCRIPTION_MAX bytes. *ret
 * is trimmed, null if nothing is left. ERR_INVALID. */
enum err owner_check_description(struct str text, struct str *ret, struct fail *fail);

/* What an action on an endpoint is about, and what comes of it. */
struct owner_endpoint {
    int64_t account_no; /* of a new one */
    struct str id;      /* of one there is; then of the new one, in the arena */
    struct str url, events, description;
    const struct destination_rules *rules; /* of add, change and enable */
    const struct seal_key *key;            /* of add, rotate and reveal */
    int64_t grace_hours;                   /* of rotate: 0 to DELIVERY_GRACE_HOURS_MAX */
    bool force;
    struct endpoint endpoint; /* afterwards, in the arena; of one that is removed: before */
    struct secret secret;     /* of add, rotate and reveal */
    char delivery_id[DELIVERY_ID_MAX]; /* of a test */
};

/* Each over a struct owner_endpoint.
 *
 * Add: null events are trade.published, and a description may be null or empty. ERR_INVALID,
 * ERR_REFUSED: the URL (webhook/destination.h). ERR_INVALID: the events or the description.
 * ERR_LIMIT: the plan's cap. ERR_NOT_FOUND: the account is deleted. ERR_REFUSED: it is disabled.
 *
 * Change: a null string leaves it as it is, an empty description removes it. The secret and the
 * queue stay, and what waits goes to the new address. The URL is checked as for a new one.
 *
 * Set events (rule/event_type.h): from the next one on. ERR_INVALID: not a list of events. */
act_run owner_add, owner_change, owner_set_events;

/* Enable. ERR_INVALID, ERR_REFUSED: no delivery can reach its URL, as in owner_add. ERR_REFUSED: it
 * is paused, or its account is disabled. ERR_LIMIT: it is above the plan's cap, and `endpoint` says
 * whose it is. Enabling an enabled endpoint resets its failure count.
 *
 * Disable. ERR_REFUSED: it is paused. After a removal the account's oldest paused endpoint takes
 * its place. */
act_run owner_enable, owner_disable, owner_remove;

/* Rotate (owner_secret.c): sets a new secret; the old one also signs during the grace. ERR_REFUSED:
 * an older secret still signs, or the old one was sealed with another master key; `force` ends
 * them.
 *
 * Reveal: the current secret. Showing it is an action, which the log records.
 *
 * End overlap: only the current secret signs from now on. ERR_REFUSED: it is the only one. */
act_run owner_rotate, owner_reveal, owner_end_overlap;

/* The effect of a plan change on the account's endpoints; both lists are in the arena. */
struct owner_plan_effect {
    struct endpoint_list paused, resumed;
};

/* Sets the plan and applies its cap. ERR_NOT_FOUND: no such account. */
enum err owner_set_plan(
    const struct act *act, struct str email, enum plan plan, struct owner_plan_effect *ret);

/* What the actions on an endpoint share: its lock, and the row of the action log. Private to
 * src/webhook. */

/* Writes the row of the log. `detail` is for a person, without secrets; null: none. */
enum err owner_note(
    const struct act *act, enum action action, const struct endpoint *endpoint, struct str detail);
