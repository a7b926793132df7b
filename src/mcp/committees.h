/* get_committees: the profile of a politician, with the seats of today and without any trades. */
#pragma once

#include "mcp/call.h"

void committees_answered(struct call *call, const struct api_answer *answer);
