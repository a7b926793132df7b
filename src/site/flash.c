/* The table of messages; see flash.h. */
#include "site/flash.h"

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
             "We sent a link to both addresses. The address changes when both were followed.")},
    [FLASH_ADDRESS_HALF] =
        {STR_INIT("address-half"),
         STR_INIT("Confirmed. Now follow the link that we sent to the other address.")},
    [FLASH_ADDRESS_CHANGED] = {STR_INIT("address-changed"), STR_INIT("Your address is changed.")},
    [FLASH_FACTOR_OFF] = {STR_INIT("factor-off"), STR_INIT("The second factor is off.")},
    [FLASH_DELETED] = {STR_INIT("account-deleted"), STR_INIT("Your account is deleted.")},
    [FLASH_SAMPLE] = {STR_INIT("sample"), STR_INIT("This is a sample: nothing was changed.")},
};

const struct flash_info *flash_info(enum flash flash)
{
    assert(flash < FLASH_COUNT);
    return &infos[flash];
}

enum flash flash_from_name(struct str name)
{
    for (int i = FLASH_NONE + 1; i < FLASH_COUNT; i++)
        if (str_eq(infos[i].name, name))
            return (enum flash)i;
    return FLASH_NONE;
}
