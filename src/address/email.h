/* Checks the form of an e-mail address, not whether mail arrives. */
#pragma once

#include "base/str.h"

enum { EMAIL_SIZE_MAX = 254 };

/* A local part, one @ and a host: one line of UTF-8, no spaces, at most EMAIL_SIZE_MAX bytes. */
bool email_is_valid(struct str email);
