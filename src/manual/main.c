/*
 * Writes manual pages, the sample file of settings and completions from the
 * programs' own tables. Only the build uses it:
 *
 *     manual TEMPLATE [NAME=VALUE...]       fills the template (manual/template.h) to standard
 * output manual --pages FOLDER [NAME=VALUE...] writes a page for each command into the folder,
 * which is below $MESON_INSTALL_DESTDIR_PREFIX if that is set
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "config/file.h"
#include "manual/completion.h"
#include "manual/page.h"
#include "manual/sample.h"

enum { SIZE_MAX_BYTES = 1 << 20, EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_WRONG_USE = 2 };

static const struct template_section sections[] = {
    {"commands", page_commands},
    {"settings", page_settings},
    {"test_settings", page_test_settings},
    {"tools", page_tools},
    {"environment", page_environment},
    {"sample", sample_settings},
    {"complete_words", completion_words},
    {"complete_options", completion_options},
    {"complete_values", completion_values},
    {"complete_zsh_words", completion_zsh_words},
    {"complete_zsh_options", completion_zsh_options},
    {"complete_fish", completion_fish},
    {NULL, NULL},
};

static enum err write_page(
    const char *folder, const struct command *command, const struct template_values *values,
    struct fail *fail)
{
    BUF_SCOPED(page, SIZE_MAX_BYTES);
    BUF_SCOPED(path, PATH_MAX);
    enum err err = OK;
    buf_fmt(&path, "%s/", folder);
    page_name(&path, command);
    buf_text(&path, ".1");
    buf_char(&path, '\0');
    page_command(&page, command, values);
    FILE *to = path.overflow || page.overflow ? NULL : fopen(path.p, "w");
    if (!to || fwrite(page.p, 1, page.n, to) != page.n || fflush(to))
        err = fail_set(fail, ERR_IO, "cannot write the page of `%s`", command->name);
    if (to)
        fclose(to);
    return err;
}

/* Creates the last folder of the path if it is missing. */
static int write_pages(const char *folder, const struct template_values *values)
{
    const char *prefix = getenv("MESON_INSTALL_DESTDIR_PREFIX");
    struct fail fail = {0};
    BUF_SCOPED(path, PATH_MAX);
    enum err err = OK;
    if (prefix)
        buf_fmt(&path, "%s/", prefix);
    buf_text(&path, folder);
    buf_char(&path, '\0');
    if (path.overflow || (mkdir(path.p, 0755) && errno != EEXIST))
        err = fail_set(&fail, ERR_IO, "cannot create the folder");
    for (size_t i = 0; i < commands_count() && !err; i++)
        err = write_page(path.p, command_at(i), values, &fail);
    if (err)
        fprintf(stderr, "manual: %s: %s\n", folder, fail.text);
    return err ? EXIT_FAILED : EXIT_DONE;
}

int main(int argc, char **argv)
{
    if (argc > 2 && strcmp(argv[1], "--pages") == 0)
        return write_pages(argv[2], &(struct template_values){argv + 3, (size_t)argc - 3});
    struct fail fail;
    BUF_SCOPED(filled, SIZE_MAX_BYTES);
    BUF_SCOPED(template, SIZE_MAX_BYTES);
    if (argc < 2) {
        fputs("usage: manual TEMPLATE [NAME=VALUE...]\n", stderr);
        return EXIT_WRONG_USE;
    }
    const struct template_values values = {argv + 2, (size_t)argc - 2};
    enum err err = file_read(argv[1], &template, &fail);
    if (!err)
        err = template_fill(&filled, buf_view(&template), sections, &values, &fail);
    if (!err && filled.overflow)
        err = fail_set(&fail, ERR_LIMIT, "larger than the maximum of %d bytes", SIZE_MAX_BYTES);
    if (err)
        fprintf(stderr, "manual: %s: %s\n", argv[1], fail.text);
    else
        fwrite(filled.p, 1, filled.n, stdout);
    return err || fflush(stdout) ? EXIT_FAILED : EXIT_DONE;
}
