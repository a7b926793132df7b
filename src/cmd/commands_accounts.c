/* Commands on accounts and API keys; see commands.h. */
#include "account/address_change.h"
#include "account/delete.h"
#include "account/export.h"
#include "account/manage.h"
#include "account/owner_key.h"
#include "account/password_change.h"
#include "account/reset.h"
#include "account/second_factor.h"
#include "account/sign_up.h"
#include "cmd/commands_parts.h"

#define PLAN_OPTION                                                                                \
    OPTION("plan", "plan of the account", "scout|wolf|pack|den", value_is_plan, REQUIRED)
#define LINK_OPTION OPTION("link", "print the link, and send no e-mail")
static const struct command commands[] = {
    {"accounts create", "create an account", .run = cmd_accounts_act, .act = manage_create,
     .notes = "The first admin is created this way, with --role admin. Without a password, its "
              "owner sets one with the link of `accounts reset-password`.",
     OPTIONS(
         EMAIL_OPTION, PLAN_OPTION,
         {"role", "role of the account (default member)", "member|reviewer|admin", value_is_role},
         {"password-stdin", "read a password from standard input"})},
    {"accounts invite", "send an invitation, or print its link", .run = cmd_accounts_link,
     .act = invite_send,
     .notes = "It needs STOCKACT_SIGNUP=invite or open. The link works once, for seven days. "
              "Without a mail server, or with --link, it is printed.",
     OPTIONS(
         EMAIL_OPTION,
         {"plan", "plan of the account (default scout)", "scout|wolf|pack|den", value_is_plan},
         {"role", "role of the account (default member)", "member|reviewer|admin", value_is_role},
         LINK_OPTION)},
    {"accounts invitations", "list the open invitations, newest first",
     .read = cmd_accounts_invitations},
    {"accounts withdraw-invitation", "withdraw an open invitation: its link no longer works", "ID",
     .run = cmd_accounts_withdraw_invitation, .act = invite_withdraw},
    {"accounts set-plan", "change the plan, from the next request on", .run = cmd_accounts_act,
     .act = manage_set_plan, OPTIONS(EMAIL_OPTION, PLAN_OPTION)},
    {"accounts set-role", "change the role", .run = cmd_accounts_act, .act = manage_set_role,
     OPTIONS(
         EMAIL_OPTION,
         {"role", "role of the account", "member|reviewer|admin", value_is_role, REQUIRED})},
    {"accounts disable", "disable an account; its keys stop working", .run = cmd_accounts_act,
     .act = manage_disable, OPTIONS(EMAIL_OPTION)},
    {"accounts enable", "enable a disabled account", .run = cmd_accounts_act, .act = manage_enable,
     OPTIONS(EMAIL_OPTION)},
    {"accounts password", "set the password; the sessions of the account end",
     .run = cmd_accounts_act, .act = password_change,
     OPTIONS(
         EMAIL_OPTION,
         {"password-stdin", "read the password from standard input", NULL, NULL, REQUIRED})},
    {"accounts reset-password", "send the link that sets a new password, or print it",
     .run = cmd_accounts_link, .act = reset_ask,
     .notes =
         "The link works once, for an hour. Without a mail server, or with --link, it is printed.",
     OPTIONS(EMAIL_OPTION, LINK_OPTION)},
    {"accounts set-address", "change the e-mail address; the old one gets a notice",
     .run = cmd_accounts_act, .act = address_set,
     OPTIONS(EMAIL_OPTION, {"to", "the new address", "EMAIL", value_is_email, REQUIRED})},
    {"accounts second-factor-off", "turn the second factor off, for an owner who has lost it",
     .run = cmd_accounts_act, .act = second_factor_off, OPTIONS(EMAIL_OPTION)},
    {"accounts sessions", "list the sessions of an account", .read = cmd_accounts_sessions,
     OPTIONS(EMAIL_OPTION)},
    {"accounts end-sessions", "end all sessions of an account, or one",
     .run = cmd_accounts_end_sessions, .act = sign_out,
     OPTIONS(EMAIL_OPTION, {"id", "only this session, from `accounts sessions`", "ID"})},
    {"accounts export", "print everything that is stored about an account, as JSON",
     .run = cmd_accounts_export, .act = account_export_log, OPTIONS(EMAIL_OPTION)},
    {"accounts delete",
     "delete an account: revoke its keys, remove its endpoints, erase its address",
     .run = cmd_accounts_delete, .act = account_delete,
     .notes = "This cannot be undone. The log of actions stays, without the address. The last "
              "admin cannot be deleted.",
     OPTIONS(EMAIL_OPTION, {"yes", "confirm that this cannot be undone", NULL, NULL, REQUIRED})},
    {"accounts list", "list all accounts", .read = cmd_accounts_list},
    {"accounts search", "find accounts by a part of the address or of the id, newest first",
     "[TEXT]", .read = cmd_accounts_search,
     .notes = "Shows the number of active keys and of endpoints, and the last sign-in. --before "
              "takes the number in the last column.",
     OPTIONS(
         {"plan", "only accounts with this plan", "scout|wolf|pack|den", value_is_plan},
         {"role", "only accounts with this role", "member|reviewer|admin", value_is_role},
         {"state", "only accounts in this state (default any: those that are not deleted)",
          "any|enabled|disabled|deleted"},
         LIMIT_OPTION, BEFORE_OPTION)},
    {"keys mint", "create an API key and print it; it is not shown again", .run = cmd_keys_act,
     .act = owner_key_mint,
     OPTIONS(
         EMAIL_OPTION,
         {"name", "name of the key, such as the program that uses it", "NAME", value_is_text,
          REQUIRED},
         {"link", "a private link to feeds and lists as CSV, instead of a key of the API"})},
    {"keys list", "list an account's keys, including revoked ones", .read = cmd_keys_list,
     OPTIONS(EMAIL_OPTION)},
    {"keys revoke", "revoke a key; every server rejects it from now on", .run = cmd_keys_act,
     .act = owner_key_revoke,
     OPTIONS({"id", "id of the key, from `keys list`", "ID", NULL, REQUIRED})},
    {"keys rename", "give a key another name", .run = cmd_keys_act, .act = owner_key_rename,
     OPTIONS(
         {"id", "id of the key, from `keys list`", "ID", NULL, REQUIRED},
         {"name", "new name of the key", "NAME", value_is_text, REQUIRED})},
    {"keys usage", "show what a key, or each key of an account, was used for",
     .read = cmd_keys_usage,
     .notes = "Needs --id or --email. Days are in UTC and include what servers wrote up to a "
              "second ago. Only the servers know the current minute: GET /api/v1/usage returns it.",
     OPTIONS(
         {"id", "this key, with its days and errors", "ID"},
         {"email", "instead: all keys of this account, one line each", "EMAIL", value_is_email})},
    {"log", "list who did what, newest first", .read = cmd_log,
     .notes = "No command and no page can change the log. It has ids and no e-mail addresses: "
              "`accounts search ID` shows whose id it is. In --csv a value that a spreadsheet "
              "could take for a formula begins with an apostrophe.",
     OPTIONS(
         {"actor", "only what this account did", "ID"},
         {"account", "only what concerns this account", "ID"},
         {"action", "only this action, or all that begin with it: key.mint, key", "NAME"},
         {"subject", "only actions on this key, endpoint or delivery", "ID"},
         {"from", "since this instant", "YYYY-MM-DDTHH:MM:SSZ", value_is_instant},
         {"to", "before this instant", "YYYY-MM-DDTHH:MM:SSZ", value_is_instant},
         {"csv", "print CSV for spreadsheets"}, LIMIT_OPTION, BEFORE_OPTION)},
};

const struct command_group commands_accounts = COMMAND_GROUP("accounts and keys", commands);
