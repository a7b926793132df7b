/*
 * An owner's actions on alerts, for the command line, the pages and the links in e-mails
 * (docs/alerts.md). Another account's alert is ERR_NOT_FOUND, with the same words as one that does
 * not exist; the operator may use all of them.
 *
 * All functions are called inside a write transaction, and write one row of the action log.
 *
 * The plan's cap counts the alerts that have not ended, oldest first. An alert above the cap is
 * capped, and enabled again as soon as there is room. An address that no link in an e-mail
 * confirmed gets a letter with such a link first, and nothing else before it was followed.
 */
#pragma once

#include "account/config.h"
#include "store/account/account.h"
#include "store/account/alert.h"

enum { ALERTS_CONFIRM_DAYS = 7 };

struct alerts_new {
    int64_t account_no;
    enum alert_pace pace;
    struct alert_rule rule;
};

/* *ret lives in the arena. ERR_INVALID: the rule has no criterion, or the pace is none. ERR_EXISTS:
 * the account has the same alert. ERR_LIMIT: the plan's cap. ERR_NOT_FOUND: the account is deleted.
 * ERR_REFUSED: it is disabled. */
enum err alerts_add(
    struct db *db, const struct account_config *config, const struct actor *actor,
    const struct alerts_new *add, int64_t now_ms, struct arena *arena, struct alert *ret,
    struct fail *fail) MUST_CHECK;

/* An alert of the actor that has not ended. ERR_NOT_FOUND: none. */
enum err alerts_find(
    struct db *db, const struct actor *actor, struct str id, struct arena *arena, struct alert *ret,
    struct fail *fail) MUST_CHECK;

/* The same errors as alerts_add. */
enum err alerts_change(
    struct db *db, const struct actor *actor, struct str id, enum alert_pace pace,
    const struct alert_rule *rule, int64_t now_ms, struct fail *fail) MUST_CHECK;

/* What it matched and has not sent is dropped. ERR_REFUSED: it is not enabled. */
enum err alerts_pause(
    struct db *db, const struct actor *actor, struct str id, int64_t now_ms,
    struct fail *fail) MUST_CHECK;
/* Begins with the next publication. ERR_REFUSED: it is enabled. ERR_LIMIT: above the plan's cap. */
enum err alerts_resume(
    struct db *db, const struct account_config *config, const struct actor *actor, struct str id,
    int64_t now_ms, struct fail *fail) MUST_CHECK;
/* For ever. The account's oldest capped alert then takes its place. */
enum err alerts_end(
    struct db *db, const struct actor *actor, struct str id, int64_t now_ms,
    struct fail *fail) MUST_CHECK;

/* Sends the letter with the link again. ERR_REFUSED: the address is confirmed, or one was sent less
 * than five minutes ago. */
enum err alerts_confirm_ask(
    struct db *db, const struct account_config *config, const struct actor *actor,
    int64_t account_no, int64_t now_ms, struct fail *fail) MUST_CHECK;

/* --- links in e-mails, without sign-in */

/* The account's address, if the link is valid, in the arena. ERR_NOT_FOUND: not. */
enum err alerts_confirm_find(
    struct db *db, struct str token, int64_t now_ms, struct arena *arena, struct account *ret,
    struct fail *fail) MUST_CHECK;
enum err alerts_confirm(struct db *db, struct str token, int64_t now_ms, struct fail *fail)
    MUST_CHECK;

/* What a link ends: an alert, or all of an account. */
struct alerts_link {
    bool all;
    bool ended; /* before: following the link again is fine */
    int64_t account_no;
    struct alert alert; /* unless `all` */
    struct str account_id;
    int64_t count; /* of alerts that have not ended, if `all` */
};

/* `id` is that of an alert or of an account. ERR_NOT_FOUND: no such link. */
enum err alerts_link_find(
    struct db *db, struct str id, struct str token, struct arena *arena, struct alerts_link *ret,
    struct fail *fail) MUST_CHECK;
/* Ends what the link names. Doing it again changes nothing. */
enum err alerts_link_end(
    struct db *db, struct str id, struct str token, int64_t now_ms, struct fail *fail) MUST_CHECK;

/* --- plans */

/* How many alerts a plan caps and enables again. Call it with the account locked, after its plan
 * changed. The owner gets an e-mail if there is one of either. */
struct alerts_effect {
    int64_t capped, resumed;
};
enum err alerts_fit_cap(
    struct db *db, const struct account_config *config, const struct account *account,
    int64_t now_ms, struct alerts_effect *ret, struct fail *fail) MUST_CHECK;
