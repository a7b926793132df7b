/* What the files of alerts share. Private to src/account. */
#pragma once

#include "account/config.h"
#include "store/account/account.h"

/* Sends the letter that asks for the confirmation of the address. Does nothing if the address is
 * confirmed, or got such a letter a moment ago. */
enum err alerts_ask_once(const struct act *act, const struct account *account);
