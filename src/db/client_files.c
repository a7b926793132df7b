/* The files that libpq reads; see client_files.h. */
#include "db/client_files.h"

#include <libpq-fe.h>

#include "base/mem.h"

static bool names_a_file(const char *keyword)
{
    static const char *const keywords[] = {"passfile",    "sslcert", "sslkey",
                                           "sslrootcert", "sslcrl",  "sslcrldir"};
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (strcmp(keyword, keywords[i]) == 0)
            return true;
    return false;
}

static void visit_options(PQconninfoOption *options, client_file_visit *visit, void *ctx)
{
    for (const PQconninfoOption *o = options; o && o->keyword; o++)
        if (names_a_file(o->keyword) && o->val && o->val[0] == '/')
            visit(ctx, o->keyword, str_from(o->val));
    PQconninfoFree(options);
}

void client_files_each(struct str url, client_file_visit *visit, void *ctx)
{
    MEM_FREED char *text = mem_strdup(url);
    visit_options(PQconninfoParse(text, NULL), visit, ctx);
    visit_options(PQconndefaults(), visit, ctx);
    mem_wipe(text, url.n);
}

/* A host is a list between commas. A service is a part of a file that only the connection reads. */
static bool is_abstract(const PQconninfoOption *option)
{
    const char *value = option->val ? option->val : "";
    if (strcmp(option->keyword, "host") == 0)
        return value[0] == '@' || strstr(value, ",@");
    return strcmp(option->keyword, "service") == 0 && value[0];
}

/* Frees the options. */
static bool names_an_abstract_socket(PQconninfoOption *options)
{
    bool found = false;
    for (const PQconninfoOption *o = options; o && o->keyword && !found; o++)
        found = is_abstract(o);
    PQconninfoFree(options);
    return found;
}

bool client_uses_abstract_socket(struct str url)
{
    char *text = mem_strdup(url);
    bool named = names_an_abstract_socket(PQconninfoParse(text, NULL));
    mem_wipe(text, url.n);
    mem_free(text);
    return named || names_an_abstract_socket(PQconndefaults());
}
