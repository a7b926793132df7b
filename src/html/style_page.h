/*
 * The view of the page /style, which shows every part that pages are made of, with invented data.
 */
#pragma once

#include "html/view.h"

/* Fills the view for the template `style`. */
void style_page_show(struct view *view, int64_t now_ms);
