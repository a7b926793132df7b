/*
 * The one table of actions: everything that a person can do to an account and what it owns. The
 * action log stores their names. A test derives from it which page, which JSON twin and which
 * command there must be (`stockact help --actions`).
 *
 * An action is a function over the store, inside a write transaction, that takes a `struct actor`
 * and writes one row of the log (store/account/action_log.h). Pages and commands add no rule.
 */
#pragma once

#include "base/str.h"

enum action_who {
    ACTION_ANYONE,   /* a visitor without session, with a token or credentials */
    ACTION_OWNER,    /* on one's own account */
    ACTION_REVIEWER, /* on documents */
    ACTION_ADMIN,
};

enum action {
    ACTION_ACCOUNT_CREATE,
    ACTION_ACCOUNT_SIGN_UP, /* the address is confirmed, and the account exists */
    ACTION_ACCOUNT_INVITE,
    ACTION_ACCOUNT_WITHDRAW_INVITATION,
    ACTION_ACCOUNT_JOIN, /* an invitation is accepted */
    ACTION_ACCOUNT_SET_PLAN,
    ACTION_ACCOUNT_SET_ROLE,
    ACTION_ACCOUNT_DISABLE,
    ACTION_ACCOUNT_ENABLE,
    ACTION_ACCOUNT_EXPORT,
    ACTION_ACCOUNT_DELETE,
    ACTION_SESSION_START, /* a sign-in */
    ACTION_SESSION_END,   /* a sign-out, or one session of the list */
    ACTION_SESSION_END_ALL,
    ACTION_PASSWORD_RESET_ASK,
    ACTION_PASSWORD_RESET,
    ACTION_PASSWORD_CHANGE,
    ACTION_ADDRESS_CHANGE_ASK,
    ACTION_ADDRESS_CHANGE, /* both addresses confirmed */
    ACTION_SECOND_FACTOR_ON,
    ACTION_SECOND_FACTOR_OFF,
    ACTION_RECOVERY_CODES_MAKE,
    ACTION_KEY_MINT,
    ACTION_KEY_RENAME,
    ACTION_KEY_REVOKE,
    ACTION_ENDPOINT_ADD,
    ACTION_ENDPOINT_CHANGE, /* its address or description */
    ACTION_ENDPOINT_SET_EVENTS,
    ACTION_ENDPOINT_ENABLE,
    ACTION_ENDPOINT_DISABLE,
    ACTION_ENDPOINT_REMOVE,
    ACTION_ENDPOINT_REVEAL, /* its secret was shown */
    ACTION_ENDPOINT_ROTATE,
    ACTION_ENDPOINT_END_OVERLAP, /* of a rotation */
    ACTION_ENDPOINT_TEST,
    ACTION_DELIVERY_REPLAY,
    ACTION_DELIVERY_REPLAY_MANY,
    ACTION_ALERT_ADD,
    ACTION_ALERT_CHANGE,
    ACTION_ALERT_PAUSE,
    ACTION_ALERT_RESUME,
    ACTION_ALERT_END,
    ACTION_ALERTS_END_ALL,     /* by the link of an e-mail */
    ACTION_ALERTS_CONFIRM_ASK, /* the letter with the link is sent again */
    ACTION_ALERTS_CONFIRM,     /* the link was followed */
    ACTION_MAIL_RETRY,
    ACTION_MAIL_DROP,
    ACTION_DOCUMENT_UPLOAD, /* a file was imported by a page of the desk */
    ACTION_SECRET_ROTATE,   /* a new master key */
    ACTION_REDATE,          /* stored times of the future were moved */
    ACTION_CLOCK_OVERRULE,  /* --at: an operator vouches for the time */
    ACTION_COUNT
};

struct action_info {
    struct str name; /* as the log stores it: "key.mint" */
    enum action_who who;
    struct str command; /* of `stockact`: "keys mint"; null: it takes a session or a mailed link */
    struct str page;    /* the address of the page that has its form */
    bool json;          /* the page's address has a JSON twin */
};

const struct action_info *action_info(enum action action);
struct str action_who_name(enum action_who who); /* "anyone", "owner", ... */
