/*
 * Alerts and what their e-mails need (docs/alerts.md). What alerts matched is in
 * store/account/alert_match.h. Functions that write are called inside a write transaction, with the
 * account locked. They add no change notice: no server keeps alerts in memory.
 */
#pragma once

#include "base/crypto.h"
#include "rule/alert.h"
#include "store/row/act.h"

enum {
    ALERT_ID_SIZE = 19,
    ALERT_ENDED_DAYS = 90, /* an alert that ended is kept: its matches are no older */
};

struct alert {
    int64_t no;
    struct str id; /* "al_" + 16 hex digits */
    int64_t account_no;
    struct str account_id;
    struct str account_email;
    enum alert_state state;
    enum alert_pace pace;
    struct alert_rule rule;
    struct str member_slug, member_name; /* of rule.member_no; null: any */
    int64_t created_at;
    int64_t changed_at;
    int64_t sent_at; /* its newest e-mail; INSTANT_NONE: none yet */
    int64_t emails;  /* how many */
};

struct alert_list {
    struct alert *items;
    size_t count;
};

/* *ret_id lives in the arena. */
enum err alert_insert(
    const struct act *act, int64_t account_no, enum alert_pace pace, const struct alert_rule *rule,
    struct str *ret_id);

/* Those of an account (0: of all) that have not ended, oldest first. */
enum err alert_list(const struct act *act, int64_t account_no, struct alert_list *ret);

/* Also one that has ended. ERR_NOT_FOUND: none. */
enum err alert_find(const struct act *act, struct str id, struct alert *ret);

/* What it matched before and did not send yet is still sent. Another rule begins with the next
 * publication. With the same rule, publications that no pass has seen yet still match. */
enum err alert_update(
    const struct act *act, int64_t no, enum alert_pace pace, const struct alert_rule *rule);

/* An alert that becomes enabled begins with the next publication. Any change of its state drops
 * what it has not sent, and what a pass that ran at the same time wrote after such a change. */
enum err alert_set_state(const struct act *act, int64_t no, enum alert_state state);

/* Deletes alerts that ended more than ALERT_ENDED_DAYS ago and have no matches, at most `limit`. */
enum err alert_prune_ended(
    struct db *db, int64_t now_ms, int64_t limit, int64_t *ret_count, struct fail *fail);

/* The account's alerts begin with the next publication. */
enum err alert_restart_all(const struct act *act, int64_t account_no);

/* Of an account that is being deleted: alerts, matches, the row of the person. */
enum err alert_erase_all(const struct act *act, int64_t account_no);

/* --- people */

struct alert_person {
    uint8_t end_key[SHA256_SIZE];
    int64_t refused;           /* e-mails in a row that were refused for good */
    int64_t refused_at;        /* INSTANT_NONE: none */
    struct str refused_reason; /* what the mail server said; null: none */
};

/* The person's row, made if it is missing. */
enum err alert_person_need(const struct act *act, int64_t account_no, struct alert_person *ret);
/* *ret_found is false, and nothing is set, if there is no row. */
enum err alert_person_find(
    const struct act *act, int64_t account_no, bool *ret_found, struct alert_person *ret);

/* A link that confirms the address, by the SHA-256 of its secret. A new one replaces the last. */
enum err alert_confirm_put(
    const struct act *act, int64_t account_no, const uint8_t sha256[static SHA256_SIZE],
    struct str email, int64_t until_ms);
/* The account, if the link is valid and the account still has that address. ERR_NOT_FOUND: not. */
enum err alert_confirm_find(
    const struct act *act, const uint8_t sha256[static SHA256_SIZE], int64_t *ret_account);
/* Ends the link, and the count of refused e-mails: somebody reads them. */
enum err alert_confirm_end(const struct act *act, int64_t account_no);

/* The owner begins again after a refusal, or has another address. */
enum err alert_refused_forget(const struct act *act, int64_t account_no);

/* --- for mail_queue.h: what became of an e-mail in bulk to this account. One to an address that
 * the account no longer has changes nothing. */

enum { ALERT_REFUSALS_MAX = 3 };

enum err alert_mail_taken(struct db *db, int64_t account_no, int64_t mail_no, struct fail *fail);
/* The third in a row ends the account's enabled alerts: they become refused. */
enum err alert_mail_refused(
    struct db *db, int64_t account_no, int64_t mail_no, struct str reason, int64_t now_ms,
    struct fail *fail);

/* --- for admins */

struct alert_counts {
    int64_t states[ALERT_STATE_COUNT];
    int64_t people;      /* who have an enabled alert */
    int64_t unconfirmed; /* of them, those whose address is not confirmed */
    int64_t waiting;     /* matches that are not sent yet: one for each alert and pass */
};

enum err alert_count(struct db *db, struct alert_counts *ret, struct fail *fail);
