/*
 * The tags and texts of an HTML page in the order in which they stand in the file, without a tree.
 * Every call is one step over bytes of any kind; a page costs time in proportion to its size.
 */
#pragma once

#include "base/str.h"

enum html_part {
    HTML_TAG,
    HTML_TEXT,   /* up to the next `<` */
    HTML_HIDDEN, /* a comment, a declaration, or a script or style with its text */
};

struct html_piece {
    enum html_part part;
    struct str text; /* HTML_TEXT: as it stands there, entities and all */
    struct str name; /* HTML_TAG: as written, with the slash of an end: "td", "/td" */
};

/* Takes the first piece of *html, which must not be empty. A `<` that begins no tag is a text of
 * one byte. */
struct html_piece html_tags_take(struct str *html);

bool html_piece_is(const struct html_piece *piece, const char *name); /* a tag of that name */
