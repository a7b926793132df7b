/*
 * One-time messages after a redirect. The cookie holds the name of a row of the table in flash.c,
 * and the id of a filing if the message is about one, so a forged cookie cannot show another
 * sentence. To add a message, add a row there.
 */
#pragma once

#include "base/mem.h"
#include "base/str.h"

enum { FLASH_FILING_MAX = 60 };

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
    FLASH_DRAFT_BEGUN,
    FLASH_DRAFT_CLAIMED,
    FLASH_DRAFT_ACCEPTED,
    FLASH_DRAFT_ACCEPTED_FIRST,
    FLASH_DRAFT_PUBLISHED,
    FLASH_DRAFT_REJECTED,
    FLASH_DRAFT_NOTHING,
    FLASH_DRAFT_ENTERED,
    FLASH_ENTRIES_AGREE,
    FLASH_ENTRIES_DIFFER,
    FLASH_ENTRY_RETURNED,
    FLASH_DECIDED,
    FLASH_BATCH_STARTED,
    FLASH_BATCH_LOOKED,
    FLASH_BATCH_REDRAWN,
    FLASH_BATCH_RETURNED,
    FLASH_BATCH_ACCEPTED,
    FLASH_ROW_SAVED,
    FLASH_ROW_ADDED,
    FLASH_ROW_DELETED,
    FLASH_ROW_RESTORED,
    FLASH_ROW_SPLIT,
    FLASH_SAMPLE_RIGHT,
    FLASH_SAMPLE_UNREADABLE,
    FLASH_SAMPLE_SKIPPED,
    FLASH_SAMPLE_CORRECTED,
    FLASH_SAMPLE,
    FLASH_COUNT
};

struct flash_info {
    struct str name;     /* in the cookie */
    struct str sentence; /* what the page says */
};

const struct flash_info *flash_info(enum flash flash); /* FLASH_NONE: null strings */

/* The value of the cookie. `filing_id`: the filing of the message, or null; it is omitted if it is
 * too long for a cookie. */
struct str flash_join(enum flash flash, struct str filing_id, struct arena *arena);

/* FLASH_NONE: unknown. *ret_filing_id: null, or at most FLASH_FILING_MAX letters, digits and
 * hyphens.
 */
enum flash flash_split(struct str value, struct str *ret_filing_id);
