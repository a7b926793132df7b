/*
 * One-time messages after a redirect. The cookie holds only the name of a row of the table in
 * flash.c, so a forged cookie cannot show another text. To add a message, add a row there.
 */
#pragma once

#include "base/str.h"

enum flash {
    FLASH_NONE,
    FLASH_SIGNED_OUT,
    FLASH_SAVED,
    FLASH_RENAMED,
    FLASH_KEY_REVOKED,
    FLASH_WEBHOOK_ENABLED,
    FLASH_WEBHOOK_DISABLED,
    FLASH_WEBHOOK_REMOVED,
    FLASH_WEBHOOK_OVERLAP_ENDED,
    FLASH_WEBHOOK_REPLAYED,
    FLASH_WEBHOOK_REPLAYS_STARTED,
    FLASH_ALERT_ADDED,
    FLASH_ALERT_UNCONFIRMED,
    FLASH_ALERT_LINK_SENT,
    FLASH_ALERT_PAUSED,
    FLASH_ALERT_RESUMED,
    FLASH_ALERT_ENDED,
    FLASH_ALERTS_CONFIRMED,
    FLASH_MAIL_RETRIED,
    FLASH_MAIL_DROPPED,
    FLASH_PLAN_CHANGED,
    FLASH_ROLE_CHANGED,
    FLASH_ACCOUNT_DISABLED,
    FLASH_ACCOUNT_ENABLED,
    FLASH_INVITED,
    FLASH_INVITATION_WITHDRAWN,
    FLASH_SIGNED_OUT_EVERYWHERE,
    FLASH_SIGN_IN_AGAIN,
    FLASH_SESSION_ENDED,
    FLASH_PASSWORD_CHANGED,
    FLASH_ADDRESS_LINKS,
    FLASH_ADDRESS_HALF,
    FLASH_ADDRESS_CHANGED,
    FLASH_FACTOR_OFF,
    FLASH_DELETED,
    FLASH_SAMPLE,
    FLASH_COUNT
};

struct flash_info {
    struct str name;     /* in the cookie */
    struct str sentence; /* what the page says */
};

const struct flash_info *flash_info(enum flash flash); /* FLASH_NONE: null strings */
enum flash flash_from_name(struct str name);           /* FLASH_NONE: unknown */
