/*
 * Whether two captures of one paper say the same (decision 3, sources.md 2): sites rename asset
 * types and add titles to filers over the years, and mark up the same table in new ways.
 */
#pragma once

#include "base/crypto.h"
#include "paper/reading.h"

/* A digest of what the reading says: its kind, dates, amendment and rows, asset types by their
 * meaning; not who filed as it is headed, not checks. */
void content_digest(const struct reading *reading, uint8_t ret[SHA256_SIZE]);
