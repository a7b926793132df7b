/*
 * What a child that reads a document may try when the document has taken it over. A test that links
 * this has its readers.h's senate_page_read from here: in the confined child it does what the page
 * says ("<html>loop"; the acts are in hostile_child.c).
 */
#pragma once

/* The path of a file that nobody may touch. */
extern char hostile_canary[64];

/* The first kernel call that pdftotext's confinement allows although it should not; NULL: none. */
const char *hostile_tool_call(void);
