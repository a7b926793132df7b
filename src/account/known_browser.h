/*
 * The mark of a browser that has signed in before (docs/adr/0042-known-browsers.md; OWASP's "device
 * cookie"): wrong passwords from elsewhere do not lock it out. It opens nothing: a sign-in from it
 * needs the password, and the code, like any other.
 *
 * The text is stored nowhere. It is an id and two HMACs: over the e-mail address, which is checked
 * before the account is looked up, so that no answer depends on whether there is one; and over the
 * account and the hash of its password, so that a new password ends all marks.
 */
#pragma once

#include "account/config.h"
#include "store/account/account.h"

enum { KNOWN_BROWSER_SIZE = 118, KNOWN_BROWSER_DAYS = 365 };

/* No NUL. The account's password_hash is the one that is stored. */
void known_browser_make(
    const struct account_config *config, const struct account *account, int64_t now_ms,
    char ret[static KNOWN_BROWSER_SIZE]);

/* The id that its attempts are counted by, a part of `mark`. Null: `mark` is null, forged, older
 * than KNOWN_BROWSER_DAYS, or made for another address. */
struct str known_browser_id(
    const struct account_config *config, struct str email, struct str mark, int64_t now_ms);

/* Of a mark that has an id: it was made for this account, which has the same password still. */
bool known_browser_holds(
    const struct account_config *config, const struct account *account, struct str mark);
