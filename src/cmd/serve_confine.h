/* Which files the server needs, from its settings, and giving up the rest (confine.h). Before the
 * first thread; says in one log line what was had. */
#pragma once

#include "cmd/settings.h"

void serve_confine(const struct settings *settings, struct str secret_key_file);
