/* Parses the embedded templates; see templates.h. */
#include "html/templates.h"

#include <stdio.h>
#include <stdlib.h>

#include "html/templates_checked.h" /* exists when the build has checked the templates */

/* Made by script/embed. */
extern const char *const web_templates[], *const web_templates_names[];
extern const size_t web_templates_count;
extern const char *const web_assets[], *const web_assets_names[];
extern const size_t web_assets_count;

struct mustache_set *templates_create(void)
{
    struct mustache_set *set = mustache_set_create();
    struct fail fail;
    for (size_t i = 0; i < web_templates_count; i++)
        if (mustache_set_add(
                set, str_from(web_templates_names[i]), str_from(web_templates[i]), &fail) != OK) {
            fprintf(stderr, "web/%s\n", fail.text);
            abort();
        }
    mustache_set_link(set);
    return set;
}

struct str templates_asset(const char *name)
{
    for (size_t i = 0; i < web_assets_count; i++)
        if (strcmp(web_assets_names[i], name) == 0)
            return str_from(web_assets[i]);
    abort();
}
