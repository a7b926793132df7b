/*
 * Templates in Mustache (https://mustache.github.io/mustache.5.html), parsed once into a tree and
 * printed with a view (html/view.h):
 *
 *     {{name}}                     the value, escaped; nothing if it is missing
 *     {{a.b}}  {{.}}               a member of a value; the value itself
 *     {{#keys}}...{{/keys}}        once for each item of a list; once for another truthy value
 *     {{^keys}}...{{/keys}}        if the value is missing or falsy (view.h says which are)
 *     {{>field}}                   another template of the set
 *     {{<layout}}{{$main}}...{{/main}}{{/layout}}   the same, with blocks of it replaced
 *     {{$main}}...{{/main}}        a block, with the content that it has unless replaced
 *     {{! comment }}  {{=<% %>=}}  nothing; other delimiters for the rest of the template
 *
 * {{{name}}} and {{&name}} print without escaping. mustache_set_check refuses them: a view says by
 * itself which of its values are HTML. Lambdas and dynamic names are left out.
 *
 * A block's content is printed in the context of the place where the block stands, but the blocks
 * inside it are those of the template that wrote it. So a page that replaces {{$title}} of the
 * layout does not replace {{$title}} of a partial that it uses.
 */
#pragma once

#include "base/err.h"
#include "html/view.h"

struct mustache;     /* a template */
struct mustache_set; /* templates by name */

struct mustache_set *mustache_set_create(void);
void mustache_set_destroy(struct mustache_set *set); /* NULL is ignored */

/* Parses a template and adds it; texts are copied. ERR_INVALID names the line: "layout:12: ...".
 * ERR_EXISTS: the set has this name. */
enum err mustache_set_add(
    struct mustache_set *set, struct str name, struct str text, struct fail *fail);

/* Binds the names of partials to their templates. Call it after the last mustache_set_add. A
 * partial that is not in the set prints nothing. */
void mustache_set_link(struct mustache_set *set);

/* For the build: ERR_NOT_FOUND if a template names a partial that is not in the set; ERR_REFUSED if
 * it prints a value without escaping. The set must be linked. */
enum err mustache_set_check(const struct mustache_set *set, struct fail *fail);

/* NULL: not in the set. It lives as long as the set. */
const struct mustache *mustache_find(const struct mustache_set *set, struct str name);

/* Appends the page. ERR_LIMIT: templates include each other without an end, or the page does not
 * fit into the buffer. */
enum err mustache_print(struct buf *b, const struct mustache *template, const struct view *view);
