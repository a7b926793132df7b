/* Text forms of bytes: hex, base64 and base64url (RFC 4648). Decoders are strict: no white space,
 * no other alphabet, no wrong length, and unused trailing bits must be zero. */
#pragma once

#include "base/buf.h"

void hex_encode(const void *p, size_t n, char *ret_text); /* writes 2n lower-case digits, no NUL */
bool hex_decode(struct str text, uint8_t *ret, size_t size); /* exactly `size` bytes */
int hex_value(char c); /* of one digit in either case; -1: not a digit */

void base64_encode(struct buf *b, const void *p, size_t n);    /* with padding */
void base64url_encode(struct buf *b, const void *p, size_t n); /* without padding */

/* Append the decoded bytes. false, with nothing appended: the text is not canonical. */
bool base64_decode(struct buf *b, struct str text);
bool base64url_decode(struct buf *b, struct str text);
