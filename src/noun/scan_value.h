/* Sets a member of an object to a value that scan_scalar returned. Private to src/noun. */
#pragma once

#include "base/mem.h"
#include "noun/field.h"

/* Texts live in the arena. scan_scalar returns the empty string for null, so the empty value of a
 * field that may be null is null: no such field is ever empty. Kinds without a place of their own
 * in the struct are left out. */
void scan_value_set(
    const struct shape_field *field, struct str value, struct arena *arena, void *object);
