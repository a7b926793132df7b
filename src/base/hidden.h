/*
 * Hidden characters: characters that a reader of a page or a terminal cannot see, and that can move
 * a cursor, reorder text or carry text of their own. Documents, files, arguments and answers of
 * other servers can have them; no output of stockact has one as it is.
 *
 * hidden_is is one table by Unicode 15.1 (UnicodeData.txt and DerivedCoreProperties.txt): the
 * general categories Cc, Cf, Zl and Zp, Default_Ignorable_Code_Point and Bidi_Control, and three
 * characters that are blank by design. No-break and other spaces are not in it.
 *
 * An output uses the function of its syntax:
 *
 *     terminal, e-mail, page, CSV, error      hidden_show, hidden_show_lines: \u{202E}
 *     JSON for programs                       json_str, json_raw, hidden_json: \u202e, lossless
 *     JSON for language models                hidden_json_show: \\u{202E}, also after parsing
 */
#pragma once

#include "base/buf.h"
#include "base/mem.h"

enum { HIDDEN_NONE = -1, HIDDEN_NAME_SIZE = 64 };

bool hidden_is(uint32_t code); /* true for the blanks U+0009, U+000A and U+000D too */

/* The code of the first hidden character, or HIDDEN_NONE; bytes that are not UTF-8 are skipped. In
 * hidden_in_lines, U+0009, U+000A and U+000D are not hidden: for formats where they are blanks. */
int32_t hidden_in(struct str text);
int32_t hidden_in_lines(struct str text);

/* Well-formed UTF-8 without hidden characters: one line that shows all that it holds. */
bool hidden_free_line(struct str text);

/* "U+202E (bidirectional control)", in `space`. `code` is a hidden character. */
struct str hidden_name(int32_t code, char space[static HIDDEN_NAME_SIZE]);

/* "the name has U+200B (zero-width character)", in the arena, for `what` = "the name". NULL: the
 * text has none that hidden_in_lines finds. */
const char *hidden_reason(struct arena *arena, const char *what, struct str text);

/* Appends the text with each hidden character as \u{202E}, in at least one upper-case hexadecimal
 * digit, and each byte that is not UTF-8 as \x{9B}. U+0009, U+000A and U+000D become spaces. */
void hidden_show(struct buf *b, struct str text);

/* The same, with U+0009 and U+000A unchanged. */
void hidden_show_lines(struct buf *b, struct str text);

/* Appends one hidden character as an escape of JSON: \u202e, with a surrogate pair above U+FFFF. */
void hidden_put_json(struct buf *b, uint32_t code);

/* Appends JSON with each hidden character in its strings as such an escape: the same JSON. */
void hidden_json(struct buf *b, struct str json);

/* Appends JSON with each hidden character in its strings, also one written as an escape, as the
 * visible text "\\u{202E}": other strings, in which nothing is hidden. Keeps \t and \n. */
void hidden_json_show(struct buf *b, struct str json);
