/* Deletion of an account. */
#pragma once

#include "account/config.h"
#include "store/account/account.h"

/* Deletes the account (docs/adr/0024-accounts.md): keys revoked, endpoints removed and emptied,
 * sessions, links and codes deleted, e-mails and the address erased, password and second factor
 * gone. The action log stays: it has no addresses. A last message tells the owner. Inside a write
 * transaction. ERR_REFUSED: the last admin. ERR_NOT_FOUND: deleted before. */
enum err account_delete(
    struct db *db, const struct account_config *config, const struct actor *actor,
    int64_t account_no, int64_t now_ms, struct fail *fail) MUST_CHECK;
