/*
 * The one table of actions: everything that a person can do to an account and what it owns. The
 * action log stores their names. A test derives from it which page, which JSON twin and which
 * command there must be (`stockact help --actions`).
 *
 * An action is a function over the store, inside a write transaction, that takes a `struct actor`
 * and writes one row of the log (store/account/action_log.h). Pages and commands add no rule.
 */
#pragma once

#include "base/closed_list.h"
#include "base/str.h"

enum action_who {
    ACTION_ANYONE,   /* a visitor without session, with a token or credentials */
    ACTION_OWNER,    /* on one's own account */
    ACTION_REVIEWER, /* on documents */
    ACTION_ADMIN,
};

#define NOWHERE                                                                                    \
    {                                                                                              \
        NULL, 0                                                                                    \
    }

/* The actions, with the columns of struct action_info. */
#define ACTIONS(ENTRY)                                                                             \
    ENTRY(                                                                                         \
        ACTION_ACCOUNT_CREATE, "account.create", ACTION_ADMIN, STR_INIT("accounts create"),        \
        NOWHERE, false)                                                                            \
    /* the address is confirmed, and the account exists */                                         \
    ENTRY(                                                                                         \
        ACTION_ACCOUNT_SIGN_UP, "account.sign_up", ACTION_ANYONE, NOWHERE, STR_INIT("/sign-up"),   \
        false)                                                                                     \
    ENTRY(                                                                                         \
        ACTION_ACCOUNT_INVITE, "account.invite", ACTION_ADMIN, STR_INIT("accounts invite"),        \
        STR_INIT("/admin/accounts"), true)                                                         \
    ENTRY(                                                                                         \
        ACTION_ACCOUNT_WITHDRAW_INVITATION, "account.withdraw_invitation", ACTION_ADMIN,           \
        STR_INIT("accounts withdraw-invitation"), STR_INIT("/admin/accounts"), true)               \
    /* an invitation is accepted */                                                                \
    ENTRY(ACTION_ACCOUNT_JOIN, "account.join", ACTION_ANYONE, NOWHERE, STR_INIT("/join"), false)   \
    ENTRY(                                                                                         \
        ACTION_ACCOUNT_SET_PLAN, "account.set_plan", ACTION_ADMIN, STR_INIT("accounts set-plan"),  \
        STR_INIT("/admin/accounts/{id}"), true)                                                    \
    ENTRY(                                                                                         \
        ACTION_ACCOUNT_SET_ROLE, "account.set_role", ACTION_ADMIN, STR_INIT("accounts set-role"),  \
        STR_INIT("/admin/accounts/{id}"), true)                                                    \
    ENTRY(                                                                                         \
        ACTION_ACCOUNT_DISABLE, "account.disable", ACTION_ADMIN, STR_INIT("accounts disable"),     \
        STR_INIT("/admin/accounts/{id}"), true)                                                    \
    ENTRY(                                                                                         \
        ACTION_ACCOUNT_ENABLE, "account.enable", ACTION_ADMIN, STR_INIT("accounts enable"),        \
        STR_INIT("/admin/accounts/{id}"), true)                                                    \
    ENTRY(                                                                                         \
        ACTION_ACCOUNT_EXPORT, "account.export", ACTION_OWNER, STR_INIT("accounts export"),        \
        STR_INIT("/account/settings"), true)                                                       \
    ENTRY(                                                                                         \
        ACTION_ACCOUNT_DELETE, "account.delete", ACTION_OWNER, STR_INIT("accounts delete"),        \
        STR_INIT("/account/settings/delete"), true)                                                \
    /* a sign-in */                                                                                \
    ENTRY(                                                                                         \
        ACTION_SESSION_START, "session.start", ACTION_ANYONE, NOWHERE, STR_INIT("/sign-in"),       \
        false)                                                                                     \
    /* a sign-out, or one session of the list */                                                   \
    ENTRY(                                                                                         \
        ACTION_SESSION_END, "session.end", ACTION_OWNER, STR_INIT("accounts end-sessions"),        \
        STR_INIT("/account/settings"), true)                                                       \
    ENTRY(                                                                                         \
        ACTION_SESSION_END_ALL, "session.end_all", ACTION_OWNER,                                   \
        STR_INIT("accounts end-sessions"), STR_INIT("/account/settings"), true)                    \
    ENTRY(                                                                                         \
        ACTION_PASSWORD_RESET_ASK, "password.reset_ask", ACTION_ANYONE,                            \
        STR_INIT("accounts reset-password"), STR_INIT("/reset"), false)                            \
    ENTRY(                                                                                         \
        ACTION_PASSWORD_RESET, "password.reset", ACTION_ANYONE, NOWHERE, STR_INIT("/reset"),       \
        false)                                                                                     \
    ENTRY(                                                                                         \
        ACTION_PASSWORD_CHANGE, "password.change", ACTION_OWNER, STR_INIT("accounts password"),    \
        STR_INIT("/account/settings/password"), true)                                              \
    ENTRY(                                                                                         \
        ACTION_ADDRESS_CHANGE_ASK, "address.change_ask", ACTION_OWNER, NOWHERE,                    \
        STR_INIT("/account/settings/address"), true)                                               \
    /* both addresses confirmed */                                                                 \
    ENTRY(                                                                                         \
        ACTION_ADDRESS_CHANGE, "address.change", ACTION_ANYONE, STR_INIT("accounts set-address"),  \
        STR_INIT("/confirm-address"), false)                                                       \
    ENTRY(                                                                                         \
        ACTION_SECOND_FACTOR_ON, "second_factor.on", ACTION_OWNER, NOWHERE,                        \
        STR_INIT("/account/settings/second-factor"), true)                                         \
    ENTRY(                                                                                         \
        ACTION_SECOND_FACTOR_OFF, "second_factor.off", ACTION_OWNER,                               \
        STR_INIT("accounts second-factor-off"), STR_INIT("/account/settings/second-factor"), true) \
    ENTRY(                                                                                         \
        ACTION_RECOVERY_CODES_MAKE, "recovery_codes.make", ACTION_OWNER, NOWHERE,                  \
        STR_INIT("/account/settings/second-factor"), true)                                         \
    ENTRY(                                                                                         \
        ACTION_KEY_MINT, "key.mint", ACTION_OWNER, STR_INIT("keys mint"),                          \
        STR_INIT("/account/keys"), true)                                                           \
    ENTRY(                                                                                         \
        ACTION_KEY_RENAME, "key.rename", ACTION_OWNER, STR_INIT("keys rename"),                    \
        STR_INIT("/account/keys/{id}"), true)                                                      \
    ENTRY(                                                                                         \
        ACTION_KEY_REVOKE, "key.revoke", ACTION_OWNER, STR_INIT("keys revoke"),                    \
        STR_INIT("/account/keys/{id}"), true)                                                      \
    ENTRY(                                                                                         \
        ACTION_ENDPOINT_ADD, "endpoint.add", ACTION_OWNER, STR_INIT("webhooks add"),               \
        STR_INIT("/account/webhooks"), true)                                                       \
    /* its address or description */                                                               \
    ENTRY(                                                                                         \
        ACTION_ENDPOINT_CHANGE, "endpoint.change", ACTION_OWNER, STR_INIT("webhooks change"),      \
        STR_INIT("/account/webhooks/{id}"), true)                                                  \
    ENTRY(                                                                                         \
        ACTION_ENDPOINT_SET_EVENTS, "endpoint.set_events", ACTION_OWNER,                           \
        STR_INIT("webhooks set-events"), STR_INIT("/account/webhooks/{id}"), true)                 \
    ENTRY(                                                                                         \
        ACTION_ENDPOINT_ENABLE, "endpoint.enable", ACTION_OWNER, STR_INIT("webhooks enable"),      \
        STR_INIT("/account/webhooks/{id}"), true)                                                  \
    ENTRY(                                                                                         \
        ACTION_ENDPOINT_DISABLE, "endpoint.disable", ACTION_OWNER, STR_INIT("webhooks disable"),   \
        STR_INIT("/account/webhooks/{id}"), true)                                                  \
    ENTRY(                                                                                         \
        ACTION_ENDPOINT_REMOVE, "endpoint.remove", ACTION_OWNER, STR_INIT("webhooks remove"),      \
        STR_INIT("/account/webhooks/{id}"), true)                                                  \
    /* its secret was shown */                                                                     \
    ENTRY(                                                                                         \
        ACTION_ENDPOINT_REVEAL, "endpoint.reveal", ACTION_OWNER, STR_INIT("webhooks reveal"),      \
        STR_INIT("/account/webhooks/{id}"), true)                                                  \
    ENTRY(                                                                                         \
        ACTION_ENDPOINT_ROTATE, "endpoint.rotate", ACTION_OWNER, STR_INIT("webhooks rotate"),      \
        STR_INIT("/account/webhooks/{id}"), true)                                                  \
    /* of a rotation */                                                                            \
    ENTRY(                                                                                         \
        ACTION_ENDPOINT_END_OVERLAP, "endpoint.end_overlap", ACTION_OWNER,                         \
        STR_INIT("webhooks end-overlap"), STR_INIT("/account/webhooks/{id}"), true)                \
    ENTRY(                                                                                         \
        ACTION_ENDPOINT_TEST, "endpoint.test", ACTION_OWNER, STR_INIT("webhooks test"),            \
        STR_INIT("/account/webhooks/{id}"), true)                                                  \
    ENTRY(                                                                                         \
        ACTION_DELIVERY_REPLAY, "delivery.replay", ACTION_OWNER, STR_INIT("webhooks replay"),      \
        STR_INIT("/account/webhooks/{id}/deliveries/{delivery}"), true)                            \
    ENTRY(                                                                                         \
        ACTION_DELIVERY_REPLAY_MANY, "delivery.replay_many", ACTION_OWNER,                         \
        STR_INIT("webhooks replay"), STR_INIT("/account/webhooks/{id}/replay"), true)              \
    ENTRY(                                                                                         \
        ACTION_ALERT_ADD, "alert.add", ACTION_OWNER, STR_INIT("alerts add"),                       \
        STR_INIT("/account/alerts"), true)                                                         \
    ENTRY(                                                                                         \
        ACTION_ALERT_CHANGE, "alert.change", ACTION_OWNER, STR_INIT("alerts change"),              \
        STR_INIT("/account/alerts/{id}"), true)                                                    \
    ENTRY(                                                                                         \
        ACTION_ALERT_PAUSE, "alert.pause", ACTION_OWNER, STR_INIT("alerts pause"),                 \
        STR_INIT("/account/alerts/{id}"), true)                                                    \
    ENTRY(                                                                                         \
        ACTION_ALERT_RESUME, "alert.resume", ACTION_OWNER, STR_INIT("alerts resume"),              \
        STR_INIT("/account/alerts/{id}"), true)                                                    \
    ENTRY(                                                                                         \
        ACTION_ALERT_END, "alert.end", ACTION_OWNER, STR_INIT("alerts end"),                       \
        STR_INIT("/account/alerts/{id}"), true)                                                    \
    /* by the link of an e-mail */                                                                 \
    ENTRY(                                                                                         \
        ACTION_ALERTS_END_ALL, "alerts.end_all", ACTION_ANYONE, NOWHERE,                           \
        STR_INIT("/alerts/end/{id}"), false)                                                       \
    /* the letter with the link is sent again */                                                   \
    ENTRY(                                                                                         \
        ACTION_ALERTS_CONFIRM_ASK, "alerts.confirm_ask", ACTION_OWNER, STR_INIT("alerts confirm"), \
        STR_INIT("/account/alerts"), true)                                                         \
    /* the link was followed */                                                                    \
    ENTRY(                                                                                         \
        ACTION_ALERTS_CONFIRM, "alerts.confirm", ACTION_ANYONE, NOWHERE,                           \
        STR_INIT("/alerts/confirm"), false)                                                        \
    ENTRY(                                                                                         \
        ACTION_MAIL_RETRY, "mail.retry", ACTION_ADMIN, STR_INIT("mail retry"),                     \
        STR_INIT("/admin/mail"), true)                                                             \
    ENTRY(                                                                                         \
        ACTION_MAIL_DROP, "mail.drop", ACTION_ADMIN, STR_INIT("mail drop"),                        \
        STR_INIT("/admin/mail"), true)                                                             \
    /* a file was imported by a page of the desk */                                                \
    ENTRY(                                                                                         \
        ACTION_DOCUMENT_UPLOAD, "document.upload", ACTION_REVIEWER, NOWHERE,                       \
        STR_INIT("/desk/upload"), true)                                                            \
    /* a new master key */                                                                         \
    ENTRY(                                                                                         \
        ACTION_SECRET_ROTATE, "secret.rotate", ACTION_ADMIN, STR_INIT("secret rotate"), NOWHERE,   \
        false)                                                                                     \
    /* stored times of the future were moved */                                                    \
    ENTRY(ACTION_REDATE, "instants.redate", ACTION_ADMIN, STR_INIT("redate"), NOWHERE, false)      \
    /* --at: an operator vouches for the time */                                                   \
    ENTRY(                                                                                         \
        ACTION_CLOCK_OVERRULE, "clock.overrule", ACTION_ADMIN, STR_INIT("publish"), NOWHERE,       \
        false)

enum action { ACTIONS(LIST_NAME) ACTION_COUNT };

struct action_info {
    struct str name; /* as the log stores it: "key.mint" */
    enum action_who who;
    struct str command; /* of `stockact`: "keys mint"; null: it takes a session or a mailed link */
    struct str page;    /* the address of the page that has its form */
    bool json;          /* the page's address has a JSON twin */
};

const struct action_info *action_info(enum action action);
struct str action_who_name(enum action_who who); /* "anyone", "owner", ... */
