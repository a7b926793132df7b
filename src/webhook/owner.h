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
#include "store/account/action_log.h"
#include "store/account/endpoint.h"
#include "webhook/destination.h"
#include "webhook/secret.h"

enum { OWNER_GRACE_HOURS = 24 };

/* The endpoint if the actor may use it. ERR_NOT_FOUND: no such endpoint. */
enum err owner_find(
    struct db *db, const struct actor *actor, struct str id, struct arena *arena,
    struct endpoint *ret, struct fail *fail) MUST_CHECK;

struct owner_new {
    int64_t account_no;
    struct str url;
    struct str events;      /* null: trade.published */
    struct str description; /* null or empty: none */
};

/* A description is one line without hidden characters, at most ENDPOINT_DESCRIPTION_MAX bytes. *ret
 * is trimmed, null if nothing is left. ERR_INVALID. */
enum err owner_check_description(struct str text, struct str *ret, struct fail *fail) MUST_CHECK;

struct owner_added {
    struct str id;  /* in the arena */
    struct str url; /* in the arena, normalized */
    struct secret secret;
};

/* ERR_INVALID, ERR_REFUSED: the URL (webhook/destination.h). ERR_INVALID: the events or the
 * description. ERR_LIMIT: the plan's cap. ERR_NOT_FOUND: the account is
 * deleted. ERR_REFUSED: it is disabled. */
enum err owner_add(
    struct db *db, const struct seal_key *key, const struct actor *actor,
    const struct owner_new *add, const struct destination_rules *rules, int64_t now_ms,
    struct arena *arena, struct owner_added *ret, struct fail *fail) MUST_CHECK;

/* New address and description; a null string leaves it as it is, an empty description removes it.
 * The secret and the queue stay, and what waits goes to the new address. The URL is checked as in
 * owner_add. */
enum err owner_change(
    struct db *db, const struct actor *actor, struct str id, struct str url, struct str description,
    const struct destination_rules *rules, int64_t now_ms, struct fail *fail) MUST_CHECK;

/* Sets the events that it receives (rule/event_type.h), from the next one on. ERR_INVALID: not a
 * list of events. */
enum err owner_set_events(
    struct db *db, const struct actor *actor, struct str id, struct str events, int64_t now_ms,
    struct fail *fail) MUST_CHECK;

/* ERR_INVALID, ERR_REFUSED: no delivery can reach its URL, as in owner_add. ERR_REFUSED: it is
 * paused, or its account is disabled. ERR_LIMIT: it is above the plan's cap. Enabling an enabled
 * endpoint resets its failure count. */
enum err owner_enable(
    struct db *db, const struct actor *actor, struct str id, const struct destination_rules *rules,
    int64_t now_ms, struct fail *fail) MUST_CHECK;
/* ERR_REFUSED: it is paused. */
enum err owner_disable(
    struct db *db, const struct actor *actor, struct str id, int64_t now_ms,
    struct fail *fail) MUST_CHECK;
/* The account's oldest paused endpoint then takes its place. */
enum err owner_remove(
    struct db *db, const struct actor *actor, struct str id, int64_t now_ms,
    struct fail *fail) MUST_CHECK;

/* --- secrets (owner_secret.c) */

/* Sets a new secret; the old one also signs during the grace, 0 to DELIVERY_GRACE_HOURS_MAX.
 * ERR_REFUSED: an older secret still signs, or the old one was sealed with another master key;
 * `force` ends them. */
enum err owner_rotate(
    struct db *db, const struct seal_key *key, const struct actor *actor, struct str id,
    int64_t grace_hours, bool force, int64_t now_ms, struct secret *ret,
    struct fail *fail) MUST_CHECK;

/* The current secret. Showing it is an action, which the log records. */
enum err owner_reveal(
    struct db *db, const struct seal_key *key, const struct actor *actor, struct str id,
    int64_t now_ms, struct secret *ret, struct fail *fail) MUST_CHECK;

/* Only the current secret signs from now on. ERR_REFUSED: it is the only one. */
enum err owner_end_overlap(
    struct db *db, const struct actor *actor, struct str id, int64_t now_ms,
    struct fail *fail) MUST_CHECK;

/* The effect of a plan change on the account's endpoints; both lists are in the arena. */
struct owner_plan_effect {
    struct endpoint_list paused, resumed;
};

/* Sets the plan and applies its cap. ERR_NOT_FOUND: no such account. */
enum err owner_set_plan(
    struct db *db, struct str email, enum plan plan, int64_t now_ms, struct arena *arena,
    struct owner_plan_effect *ret, struct fail *fail) MUST_CHECK;
