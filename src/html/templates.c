/* Parses the embedded templates; see templates.h. */
#include "html/templates.h"

#include <stdio.h>
#include <stdlib.h>

#include "html/templates_checked.h" /* exists when the build has checked the templates */

/* Made by script/embed. */
extern const char *const web_templates[], *const web_templates_names[];
extern const size_t web_templates_count;
extern const char web_style[], web_docs_style[], web_data_style[];
extern const char web_desk_style[], web_timeline_style[], web_script[];
extern const char web_desk_script[];
extern const char web_upload_script[];
extern const size_t web_style_size, web_docs_style_size, web_data_style_size;
extern const size_t web_desk_style_size, web_timeline_style_size, web_script_size;
extern const size_t web_desk_script_size;
extern const size_t web_upload_script_size;

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

struct str templates_style(void)
{
    return str_of(web_style, web_style_size);
}

struct str templates_docs_style(void)
{
    return str_of(web_docs_style, web_docs_style_size);
}

struct str templates_data_style(void)
{
    return str_of(web_data_style, web_data_style_size);
}

struct str templates_desk_style(void)
{
    return str_of(web_desk_style, web_desk_style_size);
}

struct str templates_timeline_style(void)
{
    return str_of(web_timeline_style, web_timeline_style_size);
}

struct str templates_script(void)
{
    return str_of(web_script, web_script_size);
}

struct str templates_desk_script(void)
{
    return str_of(web_desk_script, web_desk_script_size);
}

struct str templates_upload_script(void)
{
    return str_of(web_upload_script, web_upload_script_size);
}
