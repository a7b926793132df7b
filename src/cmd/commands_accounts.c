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
    {                                                                                              \
        .name = "plan", .value = "scout|wolf|pack|den", .help = "plan of the account",             \
        .required = true, .valid = value_is_plan                                                   \
    }
static const struct option accounts_create_options[] = {
    EMAIL_OPTION,
    PLAN_OPTION,
    {.name = "role",
     .value = "member|reviewer|admin",
     .help = "role of the account (default member)",
     .valid = value_is_role},
    {.name = "password-stdin", .help = "read a password from standard input"},
};
static const struct option accounts_set_plan_options[] = {EMAIL_OPTION, PLAN_OPTION};
static const struct option accounts_set_role_options[] = {
    EMAIL_OPTION,
    {.name = "role",
     .value = "member|reviewer|admin",
     .help = "role of the account",
     .required = true,
     .valid = value_is_role},
};
static const struct option accounts_password_options[] = {
    EMAIL_OPTION,
    {.name = "password-stdin", .help = "read the password from standard input", .required = true},
};
static const struct option account_options[] = {EMAIL_OPTION};
#define LINK_OPTION                                                                                \
    {                                                                                              \
        .name = "link", .help = "print the link, and send no e-mail"                               \
    }
static const struct option accounts_invite_options[] = {
    EMAIL_OPTION,
    {.name = "plan",
     .value = "scout|wolf|pack|den",
     .help = "plan of the account (default scout)",
     .valid = value_is_plan},
    {.name = "role",
     .value = "member|reviewer|admin",
     .help = "role of the account (default member)",
     .valid = value_is_role},
    LINK_OPTION,
};
static const struct option accounts_link_options[] = {EMAIL_OPTION, LINK_OPTION};
static const struct option accounts_set_address_options[] = {
    EMAIL_OPTION,
    {.name = "to",
     .value = "EMAIL",
     .help = "the new address",
     .required = true,
     .valid = value_is_email},
};
static const struct option accounts_end_sessions_options[] = {
    EMAIL_OPTION,
    {.name = "id", .value = "ID", .help = "only this session, from `accounts sessions`"},
};
static const struct option accounts_delete_options[] = {
    EMAIL_OPTION,
    {.name = "yes", .help = "confirm that this cannot be undone", .required = true},
};
static const struct option keys_mint_options[] = {
    EMAIL_OPTION,
    {.name = "name",
     .value = "NAME",
     .help = "name of the key, such as the program that uses it",
     .required = true,
     .valid = value_is_text},
};
static const struct option keys_revoke_options[] = {
    {.name = "id", .value = "ID", .help = "id of the key, from `keys list`", .required = true}};

static const struct option keys_rename_options[] = {
    {.name = "id", .value = "ID", .help = "id of the key, from `keys list`", .required = true},
    {.name = "name",
     .value = "NAME",
     .help = "new name of the key",
     .required = true,
     .valid = value_is_text},
};
static const struct option keys_usage_options[] = {
    {.name = "id", .value = "ID", .help = "this key, with its days and errors"},
    {.name = "email",
     .value = "EMAIL",
     .help = "instead: all keys of this account, one line each",
     .valid = value_is_email},
};
static const struct option accounts_search_options[] = {
    {.name = "plan",
     .value = "scout|wolf|pack|den",
     .help = "only accounts with this plan",
     .valid = value_is_plan},
    {.name = "role",
     .value = "member|reviewer|admin",
     .help = "only accounts with this role",
     .valid = value_is_role},
    {.name = "state",
     .value = "any|enabled|disabled|deleted",
     .help = "only accounts in this state (default any: those that are not deleted)"},
    LIMIT_OPTION,
    BEFORE_OPTION,
};
static const struct option log_options[] = {
    {.name = "actor", .value = "ID", .help = "only what this account did"},
    {.name = "account", .value = "ID", .help = "only what concerns this account"},
    {.name = "action",
     .value = "NAME",
     .help = "only this action, or all that begin with it: key.mint, key"},
    {.name = "subject", .value = "ID", .help = "only actions on this key, endpoint or delivery"},
    {.name = "from",
     .value = "YYYY-MM-DDTHH:MM:SSZ",
     .help = "since this instant",
     .valid = value_is_instant},
    {.name = "to",
     .value = "YYYY-MM-DDTHH:MM:SSZ",
     .help = "before this instant",
     .valid = value_is_instant},
    {.name = "csv", .help = "print CSV for spreadsheets"},
    LIMIT_OPTION,
    BEFORE_OPTION,
};

static const struct command commands[] = {
    {.name = "accounts create",
     OPTIONS(accounts_create_options),
     .run = cmd_accounts_act,
     .act = manage_create,
     .summary = "create an account",
     .notes = "The first admin is created this way, with --role admin. Without a password, its "
              "owner sets one with the link of `accounts reset-password`."},
    {.name = "accounts invite",
     OPTIONS(accounts_invite_options),
     .run = cmd_accounts_link,
     .act = invite_send,
     .summary = "send an invitation, or print its link",
     .notes = "It needs STOCKACT_SIGNUP=invite or open. The link works once, for seven days. "
              "Without a mail server, or with --link, it is printed."},
    {.name = "accounts invitations",
     .read = cmd_accounts_invitations,
     .summary = "list the open invitations, newest first"},
    {.name = "accounts withdraw-invitation",
     .operands = "ID",
     .operand_count = 1,
     .run = cmd_accounts_withdraw_invitation,
     .act = invite_withdraw,
     .summary = "withdraw an open invitation: its link no longer works"},
    {.name = "accounts set-plan",
     OPTIONS(accounts_set_plan_options),
     .run = cmd_accounts_act,
     .act = manage_set_plan,
     .summary = "change the plan, from the next request on"},
    {.name = "accounts set-role",
     OPTIONS(accounts_set_role_options),
     .run = cmd_accounts_act,
     .act = manage_set_role,
     .summary = "change the role"},
    {.name = "accounts disable",
     OPTIONS(account_options),
     .run = cmd_accounts_act,
     .act = manage_disable,
     .summary = "disable an account; its keys stop working"},
    {.name = "accounts enable",
     OPTIONS(account_options),
     .run = cmd_accounts_act,
     .act = manage_enable,
     .summary = "enable a disabled account"},
    {.name = "accounts password",
     OPTIONS(accounts_password_options),
     .run = cmd_accounts_act,
     .act = password_change,
     .summary = "set the password; the sessions of the account end"},
    {.name = "accounts reset-password",
     OPTIONS(accounts_link_options),
     .run = cmd_accounts_link,
     .act = reset_ask,
     .summary = "send the link that sets a new password, or print it",
     .notes = "The link works once, for an hour. Without a mail server, or with --link, it is "
              "printed."},
    {.name = "accounts set-address",
     OPTIONS(accounts_set_address_options),
     .run = cmd_accounts_act,
     .act = address_set,
     .summary = "change the e-mail address; the old one gets a notice"},
    {.name = "accounts second-factor-off",
     OPTIONS(account_options),
     .run = cmd_accounts_act,
     .act = second_factor_off,
     .summary = "turn the second factor off, for an owner who has lost it"},
    {.name = "accounts sessions",
     OPTIONS(account_options),
     .read = cmd_accounts_sessions,
     .summary = "list the sessions of an account"},
    {.name = "accounts end-sessions",
     OPTIONS(accounts_end_sessions_options),
     .run = cmd_accounts_end_sessions,
     .act = sign_out,
     .summary = "end all sessions of an account, or one"},
    {.name = "accounts export",
     OPTIONS(account_options),
     .run = cmd_accounts_export,
     .act = account_export_log,
     .summary = "print everything that is stored about an account, as JSON"},
    {.name = "accounts delete",
     OPTIONS(accounts_delete_options),
     .run = cmd_accounts_delete,
     .act = account_delete,
     .summary = "delete an account: revoke its keys, remove its endpoints, erase its address",
     .notes =
         "This cannot be undone. The log of actions stays, without the address. The last admin "
         "cannot be deleted."},
    {.name = "accounts list", .read = cmd_accounts_list, .summary = "list all accounts"},
    {.name = "accounts search",
     .operands = "[TEXT]",
     .operand_count = OPERANDS_ANY,
     OPTIONS(accounts_search_options),
     .read = cmd_accounts_search,
     .summary = "find accounts by a part of the address or of the id, newest first",
     .notes = "Shows the number of active keys and of endpoints, and the last sign-in. --before "
              "takes the number in the last column."},
    {.name = "keys mint",
     OPTIONS(keys_mint_options),
     .run = cmd_keys_act,
     .act = owner_key_mint,
     .summary = "create an API key and print it; it is not shown again"},
    {.name = "keys list",
     OPTIONS(account_options),
     .read = cmd_keys_list,
     .summary = "list an account's keys, including revoked ones"},
    {.name = "keys revoke",
     OPTIONS(keys_revoke_options),
     .run = cmd_keys_act,
     .act = owner_key_revoke,
     .summary = "revoke a key; every server rejects it from now on"},
    {.name = "keys rename",
     OPTIONS(keys_rename_options),
     .run = cmd_keys_act,
     .act = owner_key_rename,
     .summary = "give a key another name"},
    {.name = "keys usage",
     OPTIONS(keys_usage_options),
     .read = cmd_keys_usage,
     .summary = "show what a key, or each key of an account, was used for",
     .notes =
         "Needs --id or --email. Days are in UTC and include what servers wrote up to a second "
         "ago. Only the servers know the current minute: GET /api/v1/usage returns it."},
    {.name = "log",
     OPTIONS(log_options),
     .read = cmd_log,
     .summary = "list who did what, newest first",
     .notes = "No command and no page can change the log. It has ids and no e-mail addresses: "
              "`accounts search ID` shows whose id it is. In --csv a value that a spreadsheet "
              "could take for a formula begins with an apostrophe."},
};

const struct command_group commands_accounts = COMMAND_GROUP("accounts and keys", commands);
