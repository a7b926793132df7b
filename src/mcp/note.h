/*
 * The member `note` of a result: a sentence or two for the model about how the result came about,
 * or what to try when it is empty.
 */
#pragma once

#include "mcp/call.h"

/* Appends `,"note":"TEXT"` to the members of a result; nothing for an empty text. */
void note_put(struct buf *members, struct str text);

/* Appends how many known reports are not published, if the last response said so. */
void note_waiting(struct buf *text, const struct call *call);

/* Appends sentences about an empty page: what is empty (tool->nothing) and, for each given
 * argument that has one, what to try instead. */
void note_nothing(struct buf *text, const struct call *call, struct str next_cursor);
