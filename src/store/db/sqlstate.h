/*
 * Maps PostgreSQL's error codes to enum err.
 */
#pragma once

#include "base/err.h"

/* Maps a five-character SQLSTATE; ERR_IO for an unknown code and for NULL. */
enum err sqlstate_err(const char *state);
