/* Tools whose result is one answer of the API as it is: the arguments become the address. */
#pragma once

#include "mcp/call.h"

void relay_start(struct call *call);
void relay_answered(struct call *call, const struct api_answer *answer);
