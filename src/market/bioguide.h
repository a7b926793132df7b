/*
 * Bioguide ids: how the Biographical Directory of Congress, and so this program, identifies a
 * member (decision 7).
 */
#pragma once

#include "base/str.h"

/* A capital letter and six digits: "P000197". */
bool bioguide_is_valid(struct str id);
