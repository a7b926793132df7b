/*
 * What the actions of this part need to know of the operator's settings, and the keys that they
 * derive from the master key. One const value for a process.
 *
 * The part `account` has what people do to their accounts (docs/accounts.md,
 * docs/adr/0024-accounts.md): pure actions over the store, without HTTP. An action that needs a
 * password hash has two halves. The first only reads, takes up to a second and runs on a worker or
 * in a command; the second writes in a transaction, on the writer, and is quick.
 */
#pragma once

#include "base/seal.h"
#include "rule/account_settings.h"
#include "store/account/action_log.h"

struct account_config {
    struct str base_url; /* of links in e-mails, without a final slash; outlives the config */
    bool mail;           /* a mail server is set: e-mails are queued */
    enum account_signup signup;
    enum account_demand second_factor;
    struct seal_key mail_key;       /* seals bodies of queued e-mails */
    struct seal_key totp_key;       /* seals secrets of second factors */
    uint8_t known_key[SHA256_SIZE]; /* marks browsers that have signed in (sign_in.h) */
};

/* Derives the keys. master_key: 32 bytes. The other members are the caller's. */
void account_config_keys(struct account_config *config, struct str master_key);
void account_config_finish(struct account_config *config); /* wipes */

/* The setting demands a second factor of this role. */
bool account_demands_factor(const struct account_config *config, enum role role);
