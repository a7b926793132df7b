/*
 * The markup that the Senate's pages have around the cells of a row. What is stored is text, and
 * programs look for the markup. White space is that of the text.
 */
#pragma once

#include "base/buf.h"
#include "base/mem.h"

struct str compat_markup(struct str text, struct arena *arena);
/* The asset and its details: rates, options, companies. Null details: none. */
struct str compat_markup_asset(struct str asset, struct str details, struct arena *arena);
/* One symbol, or two of an exchange, as links; "--" is none. `second`: or null. */
struct str compat_markup_link(struct str first, struct str second, struct arena *arena);
