/*
 * The e-mails about accounts: one table of short, plain texts. They are queued in the transaction
 * of the action that they report (store/account/mail_queue.h). A text with a secret link is sealed
 * in the queue.
 */
#pragma once

#include "account/config.h"
#include "store/account/account.h"

enum letter {
    LETTER_SIGN_UP,       /* link: confirms the address of a new account */
    LETTER_SIGN_UP_KNOWN, /* somebody signed up with the address of an account */
    LETTER_RESET,         /* link: sets a new password */
    LETTER_INVITATION,    /* link: makes an account */
    LETTER_ADDRESS_OLD,   /* link: confirms a change at the old address */
    LETTER_ADDRESS_NEW,   /* link: ... and at the new one */
    LETTER_ADDRESS_CHANGED,
    LETTER_PASSWORD_CHANGED,
    LETTER_FACTOR_ON,
    LETTER_FACTOR_OFF,
    LETTER_CODES_MADE,
    LETTER_CODE_USED, /* a recovery code */
    LETTER_ROLE_CHANGED,
    LETTER_DISABLED,
    LETTER_ENABLED,
    LETTER_DELETED,
    LETTER_ALERTS_CONFIRM, /* link: confirms that the address gets e-mails of alerts */
    LETTER_ALERTS_CAPPED,  /* a new plan paused or resumed alerts */
    LETTER_COUNT
};

/* The pages that links lead to, each with ?token=. */
#define LETTER_PAGE_SIGN_UP "/sign-up/confirm"
#define LETTER_PAGE_RESET "/reset"
#define LETTER_PAGE_JOIN "/join"
#define LETTER_PAGE_ADDRESS "/confirm-address"
#define LETTER_PAGE_ALERTS "/alerts/confirm"

struct letter_call {
    enum letter letter;
    struct str to;
    int64_t account_no; /* 0: none yet */
    struct str token;   /* of letters with a link */
    struct str word;    /* a role, a new address, or what a plan allows; null: none */
};

/* The link that the letter contains, in the arena, for an operator to pass on. */
struct str letter_link(
    const struct account_config *config, enum letter letter, struct str token, struct arena *arena);

/* ERR_INVALID: not an address that e-mails can be sent to. */
enum err letter_check_address(struct str email, struct fail *fail);

/* Queues it. Does nothing without a mail server. */
enum err letter_send(const struct act *act, const struct letter_call *call);

/* A letter without a link to the owner of the account. */
enum err letter_to_owner(
    const struct act *act, const struct account *account, enum letter letter, struct str word);

/* The address got a letter of this kind in the last five minutes. Ask before each letter that
 * somebody else than its reader can cause: sign-up, reset, a new address. */
enum err letter_is_recent(const struct act *act, enum letter letter, struct str to, bool *ret);
