/* The table of actions; see action.h. */
#include "rule/action.h"

#include <assert.h>

static const struct action_info actions[ACTION_COUNT] = {
    [ACTION_ACCOUNT_CREATE] =
        {STR_INIT("account.create"), ACTION_ADMIN, STR_INIT("accounts create"), {NULL, 0}, false},
    [ACTION_ACCOUNT_SIGN_UP] =
        {STR_INIT("account.sign_up"), ACTION_ANYONE, {NULL, 0}, STR_INIT("/sign-up"), false},
    [ACTION_ACCOUNT_INVITE] =
        {STR_INIT("account.invite"), ACTION_ADMIN, STR_INIT("accounts invite"),
         STR_INIT("/admin/accounts"), true},
    [ACTION_ACCOUNT_WITHDRAW_INVITATION] =
        {STR_INIT("account.withdraw_invitation"), ACTION_ADMIN,
         STR_INIT("accounts withdraw-invitation"), STR_INIT("/admin/accounts"), true},
    [ACTION_ACCOUNT_JOIN] =
        {STR_INIT("account.join"), ACTION_ANYONE, {NULL, 0}, STR_INIT("/join"), false},
    [ACTION_ACCOUNT_SET_PLAN] =
        {STR_INIT("account.set_plan"), ACTION_ADMIN, STR_INIT("accounts set-plan"),
         STR_INIT("/admin/accounts/{id}"), true},
    [ACTION_ACCOUNT_SET_ROLE] =
        {STR_INIT("account.set_role"), ACTION_ADMIN, STR_INIT("accounts set-role"),
         STR_INIT("/admin/accounts/{id}"), true},
    [ACTION_ACCOUNT_DISABLE] =
        {STR_INIT("account.disable"), ACTION_ADMIN, STR_INIT("accounts disable"),
         STR_INIT("/admin/accounts/{id}"), true},
    [ACTION_ACCOUNT_ENABLE] =
        {STR_INIT("account.enable"), ACTION_ADMIN, STR_INIT("accounts enable"),
         STR_INIT("/admin/accounts/{id}"), true},
    [ACTION_ACCOUNT_EXPORT] =
        {STR_INIT("account.export"), ACTION_OWNER, STR_INIT("accounts export"),
         STR_INIT("/account/settings"), true},
    [ACTION_ACCOUNT_DELETE] =
        {STR_INIT("account.delete"), ACTION_OWNER, STR_INIT("accounts delete"),
         STR_INIT("/account/settings/delete"), true},
    [ACTION_SESSION_START] =
        {STR_INIT("session.start"), ACTION_ANYONE, {NULL, 0}, STR_INIT("/sign-in"), false},
    [ACTION_SESSION_END] =
        {STR_INIT("session.end"), ACTION_OWNER, STR_INIT("accounts end-sessions"),
         STR_INIT("/account/settings"), true},
    [ACTION_SESSION_END_ALL] =
        {STR_INIT("session.end_all"), ACTION_OWNER, STR_INIT("accounts end-sessions"),
         STR_INIT("/account/settings"), true},
    [ACTION_PASSWORD_RESET_ASK] =
        {STR_INIT("password.reset_ask"), ACTION_ANYONE, STR_INIT("accounts reset-password"),
         STR_INIT("/reset"), false},
    [ACTION_PASSWORD_RESET] =
        {STR_INIT("password.reset"), ACTION_ANYONE, {NULL, 0}, STR_INIT("/reset"), false},
    [ACTION_PASSWORD_CHANGE] =
        {STR_INIT("password.change"), ACTION_OWNER, STR_INIT("accounts password"),
         STR_INIT("/account/settings/password"), true},
    [ACTION_ADDRESS_CHANGE_ASK] =
        {STR_INIT("address.change_ask"),
         ACTION_OWNER,
         {NULL, 0},
         STR_INIT("/account/settings/address"),
         true},
    [ACTION_ADDRESS_CHANGE] =
        {STR_INIT("address.change"), ACTION_ANYONE, STR_INIT("accounts set-address"),
         STR_INIT("/confirm-address"), false},
    [ACTION_SECOND_FACTOR_ON] =
        {STR_INIT("second_factor.on"),
         ACTION_OWNER,
         {NULL, 0},
         STR_INIT("/account/settings/second-factor"),
         true},
    [ACTION_SECOND_FACTOR_OFF] =
        {STR_INIT("second_factor.off"), ACTION_OWNER, STR_INIT("accounts second-factor-off"),
         STR_INIT("/account/settings/second-factor"), true},
    [ACTION_RECOVERY_CODES_MAKE] =
        {STR_INIT("recovery_codes.make"),
         ACTION_OWNER,
         {NULL, 0},
         STR_INIT("/account/settings/second-factor"),
         true},
    [ACTION_KEY_MINT] =
        {STR_INIT("key.mint"), ACTION_OWNER, STR_INIT("keys mint"), STR_INIT("/account/keys"),
         true},
    [ACTION_KEY_RENAME] =
        {STR_INIT("key.rename"), ACTION_OWNER, STR_INIT("keys rename"),
         STR_INIT("/account/keys/{id}"), true},
    [ACTION_KEY_REVOKE] =
        {STR_INIT("key.revoke"), ACTION_OWNER, STR_INIT("keys revoke"),
         STR_INIT("/account/keys/{id}"), true},
    [ACTION_ENDPOINT_ADD] =
        {STR_INIT("endpoint.add"), ACTION_OWNER, STR_INIT("webhooks add"),
         STR_INIT("/account/webhooks"), true},
    [ACTION_ENDPOINT_CHANGE] =
        {STR_INIT("endpoint.change"), ACTION_OWNER, STR_INIT("webhooks change"),
         STR_INIT("/account/webhooks/{id}"), true},
    [ACTION_ENDPOINT_SET_EVENTS] =
        {STR_INIT("endpoint.set_events"), ACTION_OWNER, STR_INIT("webhooks set-events"),
         STR_INIT("/account/webhooks/{id}"), true},
    [ACTION_ENDPOINT_ENABLE] =
        {STR_INIT("endpoint.enable"), ACTION_OWNER, STR_INIT("webhooks enable"),
         STR_INIT("/account/webhooks/{id}"), true},
    [ACTION_ENDPOINT_DISABLE] =
        {STR_INIT("endpoint.disable"), ACTION_OWNER, STR_INIT("webhooks disable"),
         STR_INIT("/account/webhooks/{id}"), true},
    [ACTION_ENDPOINT_REMOVE] =
        {STR_INIT("endpoint.remove"), ACTION_OWNER, STR_INIT("webhooks remove"),
         STR_INIT("/account/webhooks/{id}"), true},
    [ACTION_ENDPOINT_REVEAL] =
        {STR_INIT("endpoint.reveal"), ACTION_OWNER, STR_INIT("webhooks reveal"),
         STR_INIT("/account/webhooks/{id}"), true},
    [ACTION_ENDPOINT_ROTATE] =
        {STR_INIT("endpoint.rotate"), ACTION_OWNER, STR_INIT("webhooks rotate"),
         STR_INIT("/account/webhooks/{id}"), true},
    [ACTION_ENDPOINT_END_OVERLAP] =
        {STR_INIT("endpoint.end_overlap"), ACTION_OWNER, STR_INIT("webhooks end-overlap"),
         STR_INIT("/account/webhooks/{id}"), true},
    [ACTION_ENDPOINT_TEST] =
        {STR_INIT("endpoint.test"), ACTION_OWNER, STR_INIT("webhooks test"),
         STR_INIT("/account/webhooks/{id}"), true},
    [ACTION_DELIVERY_REPLAY] =
        {STR_INIT("delivery.replay"), ACTION_OWNER, STR_INIT("webhooks replay"),
         STR_INIT("/account/webhooks/{id}/deliveries/{delivery}"), true},
    [ACTION_DELIVERY_REPLAY_MANY] =
        {STR_INIT("delivery.replay_many"), ACTION_OWNER, STR_INIT("webhooks replay"),
         STR_INIT("/account/webhooks/{id}/replay"), true},
    [ACTION_ALERT_ADD] =
        {STR_INIT("alert.add"), ACTION_OWNER, STR_INIT("alerts add"), STR_INIT("/account/alerts"),
         true},
    [ACTION_ALERT_CHANGE] =
        {STR_INIT("alert.change"), ACTION_OWNER, STR_INIT("alerts change"),
         STR_INIT("/account/alerts/{id}"), true},
    [ACTION_ALERT_PAUSE] =
        {STR_INIT("alert.pause"), ACTION_OWNER, STR_INIT("alerts pause"),
         STR_INIT("/account/alerts/{id}"), true},
    [ACTION_ALERT_RESUME] =
        {STR_INIT("alert.resume"), ACTION_OWNER, STR_INIT("alerts resume"),
         STR_INIT("/account/alerts/{id}"), true},
    [ACTION_ALERT_END] =
        {STR_INIT("alert.end"), ACTION_OWNER, STR_INIT("alerts end"),
         STR_INIT("/account/alerts/{id}"), true},
    [ACTION_ALERTS_END_ALL] =
        {STR_INIT("alerts.end_all"), ACTION_ANYONE, {NULL, 0}, STR_INIT("/alerts/end/{id}"), false},
    [ACTION_ALERTS_CONFIRM_ASK] =
        {STR_INIT("alerts.confirm_ask"), ACTION_OWNER, STR_INIT("alerts confirm"),
         STR_INIT("/account/alerts"), true},
    [ACTION_ALERTS_CONFIRM] =
        {STR_INIT("alerts.confirm"), ACTION_ANYONE, {NULL, 0}, STR_INIT("/alerts/confirm"), false},
    [ACTION_MAIL_RETRY] =
        {STR_INIT("mail.retry"), ACTION_ADMIN, STR_INIT("mail retry"), STR_INIT("/admin/mail"),
         true},
    [ACTION_MAIL_DROP] =
        {STR_INIT("mail.drop"), ACTION_ADMIN, STR_INIT("mail drop"), STR_INIT("/admin/mail"), true},
    [ACTION_DOCUMENT_UPLOAD] =
        {STR_INIT("document.upload"), ACTION_REVIEWER, {NULL, 0}, STR_INIT("/desk/upload"), true},
    [ACTION_SECRET_ROTATE] =
        {STR_INIT("secret.rotate"), ACTION_ADMIN, STR_INIT("secret rotate"), {NULL, 0}, false},
    [ACTION_REDATE] =
        {STR_INIT("instants.redate"), ACTION_ADMIN, STR_INIT("redate"), {NULL, 0}, false},
    [ACTION_CLOCK_OVERRULE] =
        {STR_INIT("clock.overrule"), ACTION_ADMIN, STR_INIT("publish"), {NULL, 0}, false},
};

const struct action_info *action_info(enum action action)
{
    assert(action < ACTION_COUNT);
    return &actions[action];
}

struct str action_who_name(enum action_who who)
{
    static const struct str names[] = {
        [ACTION_ANYONE] = STR_INIT("anyone"),
        [ACTION_OWNER] = STR_INIT("owner"),
        [ACTION_REVIEWER] = STR_INIT("reviewer"),
        [ACTION_ADMIN] = STR_INIT("admin"),
    };
    assert(who <= ACTION_ADMIN);
    return names[who];
}
