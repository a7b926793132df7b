/*
 * The files of web/, embedded in the program: the templates of all pages, the stylesheets and the
 * script. The build parses the templates and fails if one is malformed, names a template that does
 * not exist, or prints a value without escaping; so templates_create cannot fail.
 */
#pragma once

#include "html/mustache.h"

/* All of web/NAME.mustache, linked, by NAME. Call it once, at the start. */
struct mustache_set *templates_create(void);

/* A stylesheet or script by its name in src/html/meson.build: "docs_style". */
struct str templates_asset(const char *name);
