/*
 * What the `accounts` commands share: the state of a command, and the settings that the actions of
 * part `account` read. The operator acts.
 */
#pragma once

#include "account/manage.h"
#include "account/password.h"
#include "cmd/operate/store_access.h"

struct account_work {
    struct cmd *cmd;
    struct str email;
    enum plan plan;
    enum role role;
    int64_t now_ms;
    char password_hash[PASSWORD_HASH_SIZE]; /* empty: not given */
    struct account_config config;
    struct key_mark mark; /* of the master key; empty: it was not read */
    struct actor actor;
    struct arena arena;
    struct account account;          /* after the change */
    struct owner_plan_effect effect; /* endpoints paused or resumed by a new plan */
    struct str link;                 /* to pass on; null: none */
    int64_t count;                   /* of sessions that ended, or of active keys */
};

/* Reads the options that it knows: email, plan, role, password-stdin. With `links`, and a mail
 * server, also the master key: e-mails with a link are sealed with it. */
enum err accounts_begin(struct account_work *work, struct cmd *cmd, bool links, struct fail *fail)
    MUST_CHECK;
void accounts_end(struct account_work *work);

/* Opens the store, runs fn in one transaction, and waits for the servers. */
enum err accounts_write(
    struct account_work *work, enum store_mode mode, store_access_write_fn *fn,
    struct fail *fail) MUST_CHECK;

void accounts_show(struct out *out, enum out_style style, const struct account *account);
