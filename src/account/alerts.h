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

#include "account/subject.h"
#include "store/account/account.h"
#include "store/account/alert.h"

enum { ALERTS_CONFIRM_DAYS = 7 };

/* What an action on an alert is about, and what comes of it. */
struct owner_alert {
    int64_t account_no; /* of a new one */
    struct str id;      /* of one there is */
    enum alert_pace pace;
    struct alert_rule rule;
    struct alert alert; /* afterwards, in the arena */
};

/* Each over a struct owner_alert.
 *
 * Add and change. ERR_INVALID: the rule has no criterion, or the pace is none. ERR_EXISTS: the
 * account has the same alert. ERR_LIMIT: the plan's cap. ERR_NOT_FOUND: the account is deleted.
 * ERR_REFUSED: it is disabled.
 *
 * Pause: what it matched and has not sent is dropped. ERR_REFUSED: it is not enabled. Resume begins
 * with the next publication. ERR_REFUSED: it is enabled. ERR_LIMIT: it is above the plan's cap, and
 * `alert` says whose it is. End is for ever: the account's oldest capped alert takes its place. */
act_run alerts_add, alerts_change, alerts_pause, alerts_resume, alerts_end;

/* An alert of the actor that has not ended. ERR_NOT_FOUND: none. */
enum err alerts_find(const struct act *act, struct str id, struct alert *ret);

/* Over a struct subject: sends the letter with the link again. ERR_REFUSED: the address is
 * confirmed, or one was sent less than five minutes ago. */
act_run alerts_confirm_ask;

/* --- links in e-mails, without sign-in */

/* The account's address, if the link is valid, in the arena. ERR_NOT_FOUND: not. */
enum err alerts_confirm_find(const struct act *act, struct str token, struct account *ret);
enum err alerts_confirm(const struct act *act, struct str token);

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
    const struct act *act, struct str id, struct str token, struct alerts_link *ret);
/* Ends what the link names. Doing it again changes nothing. */
enum err alerts_link_end(const struct act *act, struct str id, struct str token);

/* --- plans */

/* How many alerts a plan caps and enables again. Call it with the account locked, after its plan
 * changed. The owner gets an e-mail if there is one of either. */
struct alerts_effect {
    int64_t capped, resumed;
};
enum err alerts_fit_cap(
    const struct act *act, const struct account *account, struct alerts_effect *ret);

/* What the files of alerts share. */
