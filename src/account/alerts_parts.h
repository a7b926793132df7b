/* What the files of alerts share. Private to src/account. */
#pragma once

#include "account/config.h"
#include "store/account/account.h"

/* Sends the letter that asks for the confirmation of the address. Does nothing if the address is
 * confirmed, or got such a letter a moment ago. */
enum err alerts_ask_once(
    struct db *db, const struct account_config *config, const struct account *account,
    int64_t now_ms, struct fail *fail) MUST_CHECK;
