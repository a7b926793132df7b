/*
 * What the commands on an account share: the state of a command, and the settings that the actions
 * of part `account` read. The operator acts.
 */
#pragma once

#include "account/manage.h"
#include "account/password.h"
#include "cmd/operate/store_access.h"

struct account_work {
    struct cmd *cmd;
    struct arena arena;
    struct act act; /* the caller closes its database by accounts_end */
    struct account_config config;
    struct key_mark mark; /* of the master key; empty: it was not read */
    char password_hash[PASSWORD_HASH_SIZE];
    struct subject is; /* email, plan, role and hash from the options */
    act_run *run;      /* the action, and what it is about */
    void *about;
};

/* Reads the options that it knows. If the command can print a link instead of sending it, and there
 * is a mail server, also the master key: e-mails with a link are sealed with it. `links`: its
 * letters have one too. */
enum err accounts_begin(struct account_work *work, struct cmd *cmd, bool links, struct fail *fail);
void accounts_end(struct account_work *work);

/* Opens the store, runs the action in one transaction, and waits for the servers. The second: the
 * action of the command, about `is`. */
enum err accounts_run(struct account_work *work, act_run *run, void *about);
enum err accounts_write(struct account_work *work);

void accounts_show(struct out *out, enum out_style style, const struct account *account);
