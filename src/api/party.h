/* The parties that filters accept: the usual ones, those of trades, and in the list of politicians
 * those of members. */
#pragma once

#include "api/api_call.h"

/* False: the request filters by a party that there is not, and the reply is an error with the
 * parties of trades. */
bool party_passes(struct api_call *call, bool of_members);
