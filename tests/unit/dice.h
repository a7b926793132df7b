/*
 * The dice of unit tests. All that draws from the kernel's randomness (random_bytes, so ids, tokens
 * and samples) gets the same numbers in each run, and a child of a fork others than its parent.
 * What a test finds in an id it finds always or never.
 */
#pragma once

/* The numbers begin again: a fixture calls it, so that a test does not depend on those before. */
void dice_begin(void);
