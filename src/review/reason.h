/* The reason of a reviewer's action. It is published in the corrections log and shown in the
 * history of drafts. */
#pragma once

#include "base/err.h"
#include "base/str.h"

/* ERR_INVALID: it is blank, longer than 1,000 bytes, not UTF-8, or has a hidden character
 * (base/hidden.h). */
enum err reason_check(struct str reason, struct fail *fail);

/* The same for an action with an optional reason: accepts null and blank. */
enum err reason_check_optional(struct str reason, struct fail *fail);
