/*
 * datapackage.json (https://datapackage.org): the files of a snapshot with the name, type and
 * meaning of each column or member, from the tables that print them.
 */
#pragma once

#include "noun/field.h"
#include "record/manifest.h"

#define DATAPACKAGE_NAME "datapackage.json"

void datapackage_put(struct buf *b, const struct manifest *m);

/* The type of the standard "Table Schema". */
struct str datapackage_type(enum shape_kind kind);
