/*
 * One-time messages after a redirect. The cookie holds the name of a row of the table in flash.c,
 * and the id of a filing if the message is about one, so a forged cookie cannot show another
 * sentence. To add a message, add a row there.
 */
#pragma once

#include "base/closed_list.h"
#include "base/mem.h"

enum { FLASH_FILING_MAX = 60 };

/* The messages, by the name in the cookie. */
#define FLASHES(ENTRY)                                                                             \
    ENTRY(FLASH_SIGNED_OUT, "signed-out", "You are signed out.")                                   \
    ENTRY(FLASH_SAVED, "saved", "Your changes are saved.")                                         \
    ENTRY(FLASH_RENAMED, "renamed", "The new name is saved.")                                      \
    ENTRY(FLASH_KEY_REVOKED, "key-revoked", "The key is revoked. Every request with it gets 401.") \
    ENTRY(                                                                                         \
        FLASH_WEBHOOK_ENABLED, "webhook-enabled",                                                  \
        "The endpoint is enabled. Held deliveries are sent now, oldest first.")                    \
    ENTRY(                                                                                         \
        FLASH_WEBHOOK_DISABLED, "webhook-disabled",                                                \
        "The endpoint is disabled. Events are held for it for 30 days.")                           \
    ENTRY(FLASH_WEBHOOK_REMOVED, "webhook-removed", "The endpoint is removed.")                    \
    ENTRY(                                                                                         \
        FLASH_WEBHOOK_OVERLAP_ENDED, "webhook-overlap-ended",                                      \
        "Only the current secret signs now.")                                                      \
    ENTRY(FLASH_WEBHOOK_REPLAYED, "webhook-replayed", "The delivery is sent again.")               \
    ENTRY(                                                                                         \
        FLASH_WEBHOOK_REPLAYS_STARTED, "webhook-replays-started",                                  \
        "The deliveries are sent again.")                                                          \
    ENTRY(                                                                                         \
        FLASH_ALERT_ADDED, "alert-added",                                                          \
        "The alert is added. It begins with the next publication.")                                \
    ENTRY(                                                                                         \
        FLASH_ALERT_UNCONFIRMED, "alert-unconfirmed",                                              \
        "The alert is added. Confirm your address first: open the link in our e-mail.")            \
    ENTRY(                                                                                         \
        FLASH_ALERT_LINK_SENT, "alert-link-sent",                                                  \
        "The link is on its way. It works for seven days.")                                        \
    ENTRY(FLASH_ALERT_PAUSED, "alert-paused", "The alert is paused. Nothing is sent for it.")      \
    ENTRY(                                                                                         \
        FLASH_ALERT_RESUMED, "alert-resumed",                                                      \
        "The alert is active again, from the next publication on.")                                \
    ENTRY(FLASH_ALERT_ENDED, "alert-ended", "The alert has ended.")                                \
    ENTRY(                                                                                         \
        FLASH_ALERTS_CONFIRMED, "alerts-confirmed",                                                \
        "Your address is confirmed. Alerts begin with the next publication.")                      \
    ENTRY(FLASH_MAIL_RETRIED, "mail-retried", "Trying again now.")                                 \
    ENTRY(FLASH_MAIL_DROPPED, "mail-dropped", "The e-mail is deleted.")                            \
    ENTRY(FLASH_PLAN_CHANGED, "plan-changed", "The plan is changed.")                              \
    ENTRY(FLASH_ROLE_CHANGED, "role-changed", "The role is changed.")                              \
    ENTRY(FLASH_ACCOUNT_DISABLED, "account-disabled", "The account is disabled.")                  \
    ENTRY(FLASH_ACCOUNT_ENABLED, "account-enabled", "The account is enabled.")                     \
    ENTRY(FLASH_INVITED, "invited", "The invitation is on its way.")                               \
    ENTRY(                                                                                         \
        FLASH_INVITATION_WITHDRAWN, "invitation-withdrawn",                                        \
        "The invitation is withdrawn. Its link no longer works.")                                  \
    ENTRY(FLASH_SIGNED_OUT_EVERYWHERE, "signed-out-everywhere", "You are signed out everywhere.")  \
    ENTRY(FLASH_SIGN_IN_AGAIN, "sign-in-again", "That sign-in has expired. Sign in again.")        \
    ENTRY(FLASH_SESSION_ENDED, "session-ended", "The session is ended.")                           \
    ENTRY(                                                                                         \
        FLASH_PASSWORD_CHANGED, "password-changed",                                                \
        "Your password is changed, and your other sessions are ended.")                            \
    ENTRY(                                                                                         \
        FLASH_ADDRESS_LINKS, "address-links",                                                      \
        "We sent a link to both addresses. The address changes once you have opened both.")        \
    ENTRY(                                                                                         \
        FLASH_ADDRESS_HALF, "address-half",                                                        \
        "Confirmed. Now follow the link that we sent to the other address.")                       \
    ENTRY(FLASH_ADDRESS_CHANGED, "address-changed", "Your address is changed.")                    \
    ENTRY(FLASH_FACTOR_OFF, "factor-off", "The second factor is off.")                             \
    ENTRY(FLASH_DELETED, "account-deleted", "Your account is deleted.")                            \
    ENTRY(FLASH_DRAFT_BEGUN, "draft-begun", "The draft is begun. Add its rows from the paper.")    \
    ENTRY(FLASH_DRAFT_CLAIMED, "draft-claimed", "The draft is yours for 30 minutes.")              \
    ENTRY(FLASH_DRAFT_ACCEPTED, "draft-accepted", "The draft is accepted.")                        \
    ENTRY(                                                                                         \
        FLASH_DRAFT_ACCEPTED_FIRST, "draft-accepted-first",                                        \
        "You accepted the draft. It is published after a second person accepts it too.")           \
    ENTRY(FLASH_DRAFT_PUBLISHED, "draft-published", "The filing is public.")                       \
    ENTRY(FLASH_DRAFT_REJECTED, "draft-rejected", "The draft is rejected.")                        \
    ENTRY(                                                                                         \
        FLASH_DRAFT_NOTHING, "draft-nothing",                                                      \
        "The report is closed: its document has nothing to report.")                               \
    ENTRY(                                                                                         \
        FLASH_DRAFT_ENTERED, "draft-entered",                                                      \
        "You accepted the draft. Another person types it from the page now.")                      \
    ENTRY(                                                                                         \
        FLASH_ENTRIES_AGREE, "entries-agree",                                                      \
        "Both entries agree now, and the draft is accepted.")                                      \
    ENTRY(FLASH_ENTRIES_DIFFER, "entries-differ", "The entries differ: a third person decides.")   \
    ENTRY(FLASH_ENTRY_RETURNED, "entry-returned", "The draft goes back to its first person.")      \
    ENTRY(FLASH_DECIDED, "decided", "The decision is saved.")                                      \
    ENTRY(FLASH_BATCH_STARTED, "batch-started", "The batch is started.")                           \
    ENTRY(FLASH_BATCH_LOOKED, "batch-looked", "The filing is marked as right.")                    \
    ENTRY(                                                                                         \
        FLASH_BATCH_REDRAWN, "batch-redrawn",                                                      \
        "That draft changed and left the batch. Another one is drawn for it.")                     \
    ENTRY(                                                                                         \
        FLASH_BATCH_RETURNED, "batch-returned", "The batch is returned: none of it is accepted.")  \
    ENTRY(FLASH_BATCH_ACCEPTED, "batch-accepted", "Drafts were accepted.")                         \
    ENTRY(FLASH_ROW_SAVED, "row-saved", "The row is saved.")                                       \
    ENTRY(FLASH_ROW_ADDED, "row-added", "The row is added.")                                       \
    ENTRY(FLASH_ROW_DELETED, "row-deleted", "The row is deleted.")                                 \
    ENTRY(FLASH_ROW_RESTORED, "row-restored", "The row is restored.")                              \
    ENTRY(                                                                                         \
        FLASH_ROW_SPLIT, "row-split",                                                              \
        "The row is split. This is its copy: enter what differs, and correct the other.")          \
    ENTRY(FLASH_SAMPLE_RIGHT, "sample-right", "What is published is right.")                       \
    ENTRY(FLASH_SAMPLE_UNREADABLE, "sample-unreadable", "The row counts as unreadable.")           \
    ENTRY(FLASH_SAMPLE_SKIPPED, "sample-skipped", "The row is skipped.")                           \
    ENTRY(FLASH_SAMPLE_CORRECTED, "sample-corrected", "The published trade is corrected.")         \
    ENTRY(FLASH_SAMPLE, "sample", "This is a sample: nothing was changed.")

enum flash { FLASH_NONE, FLASHES(LIST_NAME) FLASH_COUNT };

struct flash_info {
    struct str name;     /* in the cookie */
    struct str sentence; /* what the page says */
};

const struct flash_info *flash_info(enum flash flash); /* FLASH_NONE: null strings */

/* The value of the cookie. `filing_id`: the filing of the message, or null; it is
 * omitted if it is too long for a cookie. */
struct str flash_join(enum flash flash, struct str filing_id, struct arena *arena);

/* FLASH_NONE: unknown. *ret_filing_id: null, or at most FLASH_FILING_MAX letters, digits and
 * hyphens. */
enum flash flash_split(struct str value, struct str *ret_filing_id);
