/* Derives the paths that the server needs from its settings, and gives up access to all others.
 * Call it before the first thread starts. */
#pragma once

#include "base/confine.h"
#include "config/settings.h"

struct confine_result serve_confine(const struct settings *settings, struct str secret_key_file);
void serve_confine_log(const struct confine_result *confined);
