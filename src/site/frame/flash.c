/* The table of messages; see flash.h. */
#include "site/frame/flash.h"

#include <assert.h>

static const struct flash_info infos[FLASH_COUNT] = {
    [FLASH_SIGNED_OUT] = {STR_INIT("signed-out"), STR_INIT("You are signed out.")},
    [FLASH_SAVED] = {STR_INIT("saved"), STR_INIT("Your changes are saved.")},
    [FLASH_RENAMED] = {STR_INIT("renamed"), STR_INIT("The new name is saved.")},
    [FLASH_KEY_REVOKED] =
        {STR_INIT("key-revoked"), STR_INIT("The key is revoked. Every request with it gets 401.")},
    [FLASH_WEBHOOK_ENABLED] =
        {STR_INIT("webhook-enabled"),
         STR_INIT("The endpoint is enabled. Held deliveries are sent now, oldest first.")},
    [FLASH_WEBHOOK_DISABLED] =
        {STR_INIT("webhook-disabled"),
         STR_INIT("The endpoint is disabled. Events are held for it for 30 days.")},
    [FLASH_WEBHOOK_REMOVED] = {STR_INIT("webhook-removed"), STR_INIT("The endpoint is removed.")},
    [FLASH_WEBHOOK_OVERLAP_ENDED] =
        {STR_INIT("webhook-overlap-ended"), STR_INIT("Only the current secret signs now.")},
    [FLASH_WEBHOOK_REPLAYED] =
        {STR_INIT("webhook-replayed"), STR_INIT("The delivery is sent again.")},
    [FLASH_WEBHOOK_REPLAYS_STARTED] =
        {STR_INIT("webhook-replays-started"), STR_INIT("The deliveries are sent again.")},
    [FLASH_ALERT_ADDED] =
        {STR_INIT("alert-added"),
         STR_INIT("The alert is added. It begins with the next publication.")},
    [FLASH_ALERT_UNCONFIRMED] =
        {STR_INIT("alert-unconfirmed"),
         STR_INIT("The alert is added. Confirm your address first: open the link in our e-mail.")},
    [FLASH_ALERT_LINK_SENT] =
        {STR_INIT("alert-link-sent"), STR_INIT("The link is on its way. It works for seven days.")},
    [FLASH_ALERT_PAUSED] =
        {STR_INIT("alert-paused"), STR_INIT("The alert is paused. Nothing is sent for it.")},
    [FLASH_ALERT_RESUMED] =
        {STR_INIT("alert-resumed"),
         STR_INIT("The alert is active again, from the next publication on.")},
    [FLASH_ALERT_ENDED] = {STR_INIT("alert-ended"), STR_INIT("The alert has ended.")},
    [FLASH_ALERTS_CONFIRMED] =
        {STR_INIT("alerts-confirmed"),
         STR_INIT("Your address is confirmed. Alerts begin with the next publication.")},
    [FLASH_MAIL_RETRIED] = {STR_INIT("mail-retried"), STR_INIT("Trying again now.")},
    [FLASH_MAIL_DROPPED] = {STR_INIT("mail-dropped"), STR_INIT("The e-mail is deleted.")},
    [FLASH_PLAN_CHANGED] = {STR_INIT("plan-changed"), STR_INIT("The plan is changed.")},
    [FLASH_ROLE_CHANGED] = {STR_INIT("role-changed"), STR_INIT("The role is changed.")},
    [FLASH_ACCOUNT_DISABLED] = {STR_INIT("account-disabled"), STR_INIT("The account is disabled.")},
    [FLASH_ACCOUNT_ENABLED] = {STR_INIT("account-enabled"), STR_INIT("The account is enabled.")},
    [FLASH_INVITED] = {STR_INIT("invited"), STR_INIT("The invitation is on its way.")},
    [FLASH_INVITATION_WITHDRAWN] =
        {STR_INIT("invitation-withdrawn"),
         STR_INIT("The invitation is withdrawn. Its link no longer works.")},
    [FLASH_SIGNED_OUT_EVERYWHERE] =
        {STR_INIT("signed-out-everywhere"), STR_INIT("You are signed out everywhere.")},
    [FLASH_SIGN_IN_AGAIN] =
        {STR_INIT("sign-in-again"), STR_INIT("That sign-in has expired. Sign in again.")},
    [FLASH_SESSION_ENDED] = {STR_INIT("session-ended"), STR_INIT("The session is ended.")},
    [FLASH_PASSWORD_CHANGED] =
        {STR_INIT("password-changed"),
         STR_INIT("Your password is changed, and your other sessions are ended.")},
    [FLASH_ADDRESS_LINKS] =
        {STR_INIT("address-links"),
         STR_INIT(
             "We sent a link to both addresses. The address changes once you have opened both.")},
    [FLASH_ADDRESS_HALF] =
        {STR_INIT("address-half"),
         STR_INIT("Confirmed. Now follow the link that we sent to the other address.")},
    [FLASH_ADDRESS_CHANGED] = {STR_INIT("address-changed"), STR_INIT("Your address is changed.")},
    [FLASH_FACTOR_OFF] = {STR_INIT("factor-off"), STR_INIT("The second factor is off.")},
    [FLASH_DELETED] = {STR_INIT("account-deleted"), STR_INIT("Your account is deleted.")},
    [FLASH_DRAFT_BEGUN] =
        {STR_INIT("draft-begun"), STR_INIT("The draft is begun. Add its rows from the paper.")},
    [FLASH_DRAFT_CLAIMED] =
        {STR_INIT("draft-claimed"), STR_INIT("The draft is yours for 30 minutes.")},
    [FLASH_DRAFT_ACCEPTED] = {STR_INIT("draft-accepted"), STR_INIT("The draft is accepted.")},
    [FLASH_DRAFT_ACCEPTED_FIRST] =
        {STR_INIT("draft-accepted-first"),
         STR_INIT("You accepted the draft. It is published after a second person accepts it too.")},
    [FLASH_DRAFT_PUBLISHED] = {STR_INIT("draft-published"), STR_INIT("The filing is public.")},
    [FLASH_DRAFT_REJECTED] = {STR_INIT("draft-rejected"), STR_INIT("The draft is rejected.")},
    [FLASH_DRAFT_NOTHING] =
        {STR_INIT("draft-nothing"),
         STR_INIT("The report is closed: its document has nothing to report.")},
    [FLASH_DRAFT_ENTERED] =
        {STR_INIT("draft-entered"),
         STR_INIT("You accepted the draft. Another person types it from the page now.")},
    [FLASH_ENTRIES_AGREE] =
        {STR_INIT("entries-agree"), STR_INIT("Both entries agree now, and the draft is accepted.")},
    [FLASH_ENTRIES_DIFFER] =
        {STR_INIT("entries-differ"), STR_INIT("The entries differ: a third person decides.")},
    [FLASH_ENTRY_RETURNED] =
        {STR_INIT("entry-returned"), STR_INIT("The draft goes back to its first person.")},
    [FLASH_DECIDED] = {STR_INIT("decided"), STR_INIT("The decision is saved.")},
    [FLASH_BATCH_STARTED] = {STR_INIT("batch-started"), STR_INIT("The batch is started.")},
    [FLASH_BATCH_LOOKED] = {STR_INIT("batch-looked"), STR_INIT("The filing is marked as right.")},
    [FLASH_BATCH_REDRAWN] =
        {STR_INIT("batch-redrawn"),
         STR_INIT("That draft changed and left the batch. Another one is drawn for it.")},
    [FLASH_BATCH_RETURNED] =
        {STR_INIT("batch-returned"), STR_INIT("The batch is returned: none of it is accepted.")},
    [FLASH_BATCH_ACCEPTED] = {STR_INIT("batch-accepted"), STR_INIT("Drafts were accepted.")},
    [FLASH_ROW_SAVED] = {STR_INIT("row-saved"), STR_INIT("The row is saved.")},
    [FLASH_ROW_ADDED] = {STR_INIT("row-added"), STR_INIT("The row is added.")},
    [FLASH_ROW_DELETED] = {STR_INIT("row-deleted"), STR_INIT("The row is deleted.")},
    [FLASH_ROW_RESTORED] = {STR_INIT("row-restored"), STR_INIT("The row is restored.")},
    [FLASH_ROW_SPLIT] =
        {STR_INIT("row-split"),
         STR_INIT(
             "The row is split. This is its copy: enter what differs, and correct the other.")},
    [FLASH_SAMPLE_RIGHT] = {STR_INIT("sample-right"), STR_INIT("What is published is right.")},
    [FLASH_SAMPLE_UNREADABLE] =
        {STR_INIT("sample-unreadable"), STR_INIT("The row counts as unreadable.")},
    [FLASH_SAMPLE_SKIPPED] = {STR_INIT("sample-skipped"), STR_INIT("The row is skipped.")},
    [FLASH_SAMPLE_CORRECTED] =
        {STR_INIT("sample-corrected"), STR_INIT("The published trade is corrected.")},
    [FLASH_SAMPLE] = {STR_INIT("sample"), STR_INIT("This is a sample: nothing was changed.")},
};

const struct flash_info *flash_info(enum flash flash)
{
    assert(flash < FLASH_COUNT);
    return &infos[flash];
}

struct str flash_join(enum flash flash, struct str filing_id, struct arena *arena)
{
    struct str name = flash_info(flash)->name;
    if (!filing_id.n || filing_id.n > FLASH_FILING_MAX)
        return name;
    return arena_fmt(arena, "%.*s_%.*s", STR_ARG(name), STR_ARG(filing_id));
}

static bool is_filing_id(struct str text)
{
    bool good = text.n > 0 && text.n <= FLASH_FILING_MAX;
    for (size_t i = 0; good && i < text.n; i++)
        good = ascii_is_alnum(text.p[i]) || text.p[i] == '-';
    return good;
}

enum flash flash_split(struct str value, struct str *ret_filing_id)
{
    struct str rest = value, name;
    str_split(&rest, '_', &name);
    *ret_filing_id = is_filing_id(rest) ? rest : STR_NULL;
    for (int i = FLASH_NONE + 1; i < FLASH_COUNT; i++)
        if (str_eq(infos[i].name, name))
            return (enum flash)i;
    *ret_filing_id = STR_NULL;
    return FLASH_NONE;
}
