/*
 * What is the same for everybody while the process runs: pages for visitors without a cookie, the
 * stylesheet and the script, and the texts for crawlers and tools. They are printed and compressed
 * once, without and with the banner of demonstration data: those of the documentation by docs_make,
 * the others when the site is created. Private to src/site.
 */
#pragma once

#include "site/frame/site_state.h"

void site_fixed_make(struct site *site);
void site_fixed_fill_docs(struct site *site); /* for docs_make */
void site_fixed_finish(struct site *site);
