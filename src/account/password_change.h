/*
 * Change of the password by somebody who is re-authenticated, or by the operator. Inside a write
 * transaction.
 */
#pragma once

#include "account/config.h"
#include "rule/action.h"
#include "store/account/account.h"

/* password_make (account/password.h) made the hash. old_hash: of the account as the caller read it.
 * Ends all sessions but the actor's; the owner gets an e-mail. ERR_BUSY: the password was changed
 * at the same time. */
enum err password_change(
    struct db *db, const struct account_config *config, const struct actor *actor,
    int64_t account_no, struct str old_hash, struct str hash, int64_t now_ms,
    struct fail *fail) MUST_CHECK;

/* What follows every new password: the sessions but `kept_session`, the links, the half sign-ins
 * and the setup of a second factor end, the owner gets an e-mail, and the action is logged. */
enum err password_change_settle(
    struct db *db, const struct account_config *config, const struct actor *actor,
    enum action action, const struct account *account, struct str kept_session, int64_t now_ms,
    struct fail *fail) MUST_CHECK;
