/*
 * What the codes of PostgreSQL's errors mean to us.
 */
#pragma once

#include "base/err.h"

/* The kind of a SQLSTATE, five characters; ERR_IO for one we do not know, and for NULL. */
enum err sqlstate_err(const char *state);
