/* Tools that make one request, with the arguments in its URL, and return the response
 * unchanged, with a note where it is empty. */
#pragma once

#include "mcp/call.h"

void relay_start(struct call *call);
void relay_answered(struct call *call, const struct api_answer *answer);
