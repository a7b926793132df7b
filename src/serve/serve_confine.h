/* Which files the server needs, from its settings, and giving up the rest. Before the first thread.
 */
#pragma once

#include "base/confine.h"
#include "config/settings.h"

struct confine_result serve_confine(const struct settings *settings, struct str secret_key_file);
