/*
 * An owner's actions on endpoints, for the command line and the dashboard (spec 5 and 6; decisions
 * 27, 33, 36). The caller checks permission.
 *
 * All functions that write are called inside a write transaction and write the change notice
 * `endpoint`, which wakes the dispatchers of running servers. The caller must end a plaintext
 * secret with secret_finish; errors never contain one.
 *
 * The plan's cap counts the endpoints that are not deleted, oldest first. An endpoint above the cap
 * is paused, and resumed as soon as there is room.
 */
#pragma once

#include "core/plan.h"
#include "store/endpoint.h"
#include "webhook/destination.h"
#include "webhook/secret.h"

enum { OWNER_GRACE_HOURS = 24 };

struct owner_added {
    struct str id;  /* in the arena */
    struct str url; /* in the arena, normalized */
    struct secret secret;
};

/* ERR_INVALID, ERR_REFUSED: the URL (webhook/destination.h). ERR_LIMIT: the plan's cap.
 * ERR_NOT_FOUND: no such account. ERR_REFUSED: the account is disabled. */
enum err owner_add(
    struct db *db, const struct seal_key *key, struct str email, struct str url,
    const struct destination_rules *rules, int64_t now_ms, struct arena *arena,
    struct owner_added *ret, struct fail *fail) MUST_CHECK;

/* Sets the events that it receives (core/event_type.h), from the next one on. ERR_INVALID: not a
 * list of events. ERR_NOT_FOUND: no such endpoint. */
enum err owner_set_events(
    struct db *db, struct str id, struct str events, int64_t now_ms, struct fail *fail) MUST_CHECK;

/* ERR_NOT_FOUND: no such endpoint. ERR_REFUSED: it is paused, or its account is disabled.
 * ERR_LIMIT: it is above the plan's cap. Enabling an enabled endpoint resets its failure count. */
enum err owner_enable(struct db *db, struct str id, int64_t now_ms, struct fail *fail) MUST_CHECK;
/* ERR_REFUSED: it is paused. */
enum err owner_disable(struct db *db, struct str id, int64_t now_ms, struct fail *fail) MUST_CHECK;
/* The account's oldest paused endpoint then takes its place. */
enum err owner_remove(struct db *db, struct str id, int64_t now_ms, struct fail *fail) MUST_CHECK;

/* Sets a new secret; the old one also signs during the grace, 0 to DELIVERY_GRACE_HOURS_MAX.
 * ERR_REFUSED: the old one was sealed with another master key. */
enum err owner_rotate(
    struct db *db, const struct seal_key *key, struct str id, int64_t grace_hours, int64_t now_ms,
    struct secret *ret, struct fail *fail) MUST_CHECK;

/* The effect of a plan change on the account's endpoints; both lists are in the arena. */
struct owner_plan_effect {
    struct endpoint_list paused, resumed;
};

/* Sets the plan and applies its cap. ERR_NOT_FOUND: no such account. */
enum err owner_set_plan(
    struct db *db, struct str email, enum plan plan, int64_t now_ms, struct arena *arena,
    struct owner_plan_effect *ret, struct fail *fail) MUST_CHECK;
