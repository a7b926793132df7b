/* The name of an uploaded file, which decides the id of a scan and of a Senate page. It never
 * becomes a path. Private to src/site/desk. */
#pragma once

#include "base/mem.h"

enum { UPLOAD_NAME_MAX = 120 }; /* bytes */

/* The last part of the name as sent: without folders, in UTF-8 without controls and with "%22" as a
 * quote, cut in the middle if it is long; in the arena. */
struct str upload_name(struct str sent, struct arena *arena);
