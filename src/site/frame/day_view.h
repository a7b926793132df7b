/* Days as members of a view. Private to src/site. */
#pragma once

#include "html/view.h"

/* "2026-11-20"; DAY_NONE: null. Print it as <time datetime="{{day}}">{{day}}</time>. */
void day_view_put(struct view *v, const char *name, int32_t day);
