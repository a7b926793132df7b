/*
 * The form of an e-mail address. Whether mail arrives there, only sending shows.
 */
#pragma once

#include "base/str.h"

enum { EMAIL_SIZE_MAX = 254 };

/* A local part, one @ and a host; one line of UTF-8 without spaces, EMAIL_SIZE_MAX bytes at most.
 */
bool email_is_valid(struct str email);
