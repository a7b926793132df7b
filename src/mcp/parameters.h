/* The arguments of a call as query parameters of the API. */
#pragma once

#include "mcp/call.h"

/* Appends `name=value` for each given argument of this use, except the one in the path. Each is
 * preceded by *sep, which is '&' after the first. */
void parameters_put(struct buf *b, const struct call *call, enum argument_use use, char *sep);

/* Whether any given argument leaves rows out. */
bool parameters_filter(const struct call *call);
