/* The windows that a call draws from. */
#pragma once

#include "api/api_call.h"

void drawer_of_address(struct api_call *call); /* sets the peer, too */
void drawer_of_key(struct api_call *call);     /* of call->key and call->plan */
