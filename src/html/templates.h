/*
 * The files of web/, embedded in the program: the templates of all pages, the stylesheets and the
 * script. The build parses the templates and fails if one is malformed, names a template that does
 * not exist, or prints a value without escaping; so templates_create cannot fail.
 */
#pragma once

#include "html/mustache.h"

/* All of web/NAME.mustache, linked, by NAME. Call it once, at the start. */
struct mustache_set *templates_create(void);

struct str templates_style(void);          /* web/site.css, pages.css and account.css */
struct str templates_docs_style(void);     /* web/site.css and docs.css */
struct str templates_data_style(void);     /* web/site.css, pages.css, timeline.css and data.css */
struct str templates_desk_style(void);     /* web/account.css and desk.css */
struct str templates_timeline_style(void); /* web/timeline.css alone */
struct str templates_script(void);         /* web/site.js */
struct str templates_desk_script(void);    /* web/desk.js */
struct str templates_upload_script(void);  /* web/upload.js */
