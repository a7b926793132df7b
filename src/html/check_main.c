/*
 * Runs in the build: check-templates STAMP FILE... parses the templates of web/ and checks that
 * they name only each other. Prints the errors and exits with 1, or writes the file STAMP.
 */
#include <libgen.h>
#include <stdio.h>

#include "html/mustache.h"

enum { TEMPLATE_SIZE_MAX = 1 << 20 };

/* "web/layout.mustache" has the name "layout". */
static struct str name_of(char *path)
{
    struct str name = str_from(basename(path));
    const struct str ending = STR(".mustache");
    return str_ends(name, ending) ? str_slice(name, 0, name.n - ending.n) : STR_NULL;
}

static enum err add_file(struct mustache_set *set, char *path, struct fail *fail)
{
    BUF_SCOPED(text, TEMPLATE_SIZE_MAX);
    char part[4096];
    size_t n;
    FILE *file = fopen(path, "rbe");
    if (!file)
        return fail_set(fail, ERR_IO, "%s: cannot be read", path);
    while ((n = fread(part, 1, sizeof part, file)) > 0)
        buf_put(&text, part, n);
    fclose(file);
    struct str name = name_of(path);
    return text.overflow       ? fail_set(fail, ERR_LIMIT, "%s: too large", path)
           : str_is_null(name) ? fail_set(fail, ERR_INVALID, "%s: not a .mustache file", path)
           : str_find_char(buf_view(&text), '\0') >= 0
               ? fail_set(fail, ERR_INVALID, "%s: has a NUL", path)
               : mustache_set_add(set, name, buf_view(&text), fail);
}

int main(int argc, char **argv)
{
    struct mustache_set *set = mustache_set_create();
    struct fail fail = {0};
    int errors = 0;
    for (int i = 2; i < argc; i++)
        if (add_file(set, argv[i], &fail) != OK)
            errors += fprintf(stderr, "web/%s\n", fail.text) > 0;
    mustache_set_link(set);
    if (errors == 0 && mustache_set_check(set, &fail) != OK)
        errors += fprintf(stderr, "web/%s\n", fail.text) > 0;
    mustache_set_destroy(set);
    FILE *stamp = errors == 0 && argc > 1 ? fopen(argv[1], "we") : NULL;
    if (!stamp)
        return 1;
    fputs("/* All templates of web/ are well formed and name only each other. */\n", stamp);
    return fclose(stamp) != 0;
}
