/*
 * Attacks that a document reader may try after a document has taken it over. A test that links this
 * file gets readers.h's senate_page_read from here: in the confined child it performs the act named
 * in the page ("<html>loop"; hostile_child.c lists the acts).
 */
#pragma once

/* The path of a file that the child must not touch. */
extern char hostile_canary[64];

/* The first kernel call that pdftotext's confinement allows but should deny; NULL: none. */
const char *hostile_tool_call(void);
