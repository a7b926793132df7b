/*
 * The frame of every page: the title, the navigation, the visitor, the message after a redirect,
 * the tokens of forms. The template `layout` prints it. A page must not set members with these
 * names:
 *
 *     csrf, once          for forms (partial form_token); `csrf` is also in the JSON twin
 *     title, demo         of the page; the data is invented
 *     nav                 the navigation for everybody: label, href, current
 *     hasSections, sectionsLabel, sections      pages beside this one: label, href, current
 *     visitor             who is signed in: email
 *     flash               the message, once
 *     flashFiling         the filing on the desk that it is about; null
 *     assets              the addresses of the stylesheets and the script: style, docsStyle,
 *                         dataStyle, deskStyle, timelineStyle, script, deskScript
 *     delay               of pages of data: what the visitor does not see yet (site/frame/reader.h)
 *     alternates          page_alternate
 *     contact             whom to ask
 *
 * Private to src/site.
 */
#pragma once

#include "site/frame/page_call.h"

void page_frame_put(struct page_call *call, struct str title);
