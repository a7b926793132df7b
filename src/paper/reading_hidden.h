/*
 * Hidden characters (base/hidden.h) in the texts of a reading. None occurs in the documents of
 * either chamber that are known, so that one of them is a damaged file, a converter's mistake or an
 * attempt to show a reviewer something else than what is published: the document waits for a person
 * (docs/review.md).
 */
#pragma once

#include "paper/reading.h"

/* Adds the self-check "no_hidden_characters". Its detail names the first places and characters:
 * "row 2 asset: U+202E (bidirectional control)". `filer` is the filer's name in the official list,
 * or null. */
void reading_hidden_check(struct reading *reading, struct str filer, struct arena *arena);

/* The first entry of an index with a hidden character, "20990001 last: U+200B (...)", in the arena;
 * null: there is none. */
struct str reading_hidden_entry(const struct reading *reading, struct arena *arena);
