/* Deletion of an account. */
#pragma once

#include "account/subject.h"

/* Deletes the account (docs/adr/0024-accounts.md): keys revoked, endpoints removed and emptied,
 * sessions, links and codes deleted, e-mails and the address erased, password and second factor
 * gone. The action log stays: it has no addresses. A last message tells the owner. Inside a write
 * transaction, over a struct subject, whose account stays as it was. ERR_REFUSED: the last admin.
 * ERR_NOT_FOUND: deleted before. */
act_run account_delete;
