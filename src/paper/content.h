/*
 * Compares the content of two captures of one paper (decision 3, sources.md 2). Over the years the
 * sites rename asset types, add titles to filers and mark up the same table differently.
 */
#pragma once

#include "base/crypto.h"
#include "paper/reading.h"

/* A digest of the reading's kind, dates, amendment and rows, with asset types by meaning. Leaves
 * out the filer as printed and the checks. */
void content_digest(const struct reading *reading, uint8_t ret[SHA256_SIZE]);
