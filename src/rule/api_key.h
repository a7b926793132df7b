/*
 * The form of an API key (spec 5): `svc_` and 43 URL-safe base64 characters, and of the token of a
 * private link (docs/adr/0049-private-links.md), which is a key of another kind: `lnk_` and as
 * many. A key is compared by the SHA-256 of its text and never decoded: 43 characters can carry two
 * bits more than 32 bytes, so two spellings of the same bytes are two different keys.
 */
#pragma once

#include "base/crypto.h"

enum {
    API_KEY_SIZE = 47,        /* svc_ + 43 */
    API_KEY_PREFIX_SIZE = 12, /* what lists and logs may show */
    API_KEY_RANDOM_SIZE = 32,
};

enum key_kind { KEY_API, KEY_LINK, KEY_KIND_COUNT };

/* Makes a key from `random`; writes API_KEY_SIZE characters, no NUL. */
void api_key_make(
    enum key_kind kind, const uint8_t random[static API_KEY_RANDOM_SIZE],
    char ret[static API_KEY_SIZE]);

/* Returns true if the text has the form of a key of this kind. */
bool api_key_shaped(enum key_kind kind, struct str text);

/* The kind of a key by how it begins: what is no link is a key of the API. */
enum key_kind api_key_kind(struct str text);
struct str api_key_start(enum key_kind kind); /* "svc_" */

/* SHA-256 of the text, which is what is stored and looked up. Only the first API_KEY_SIZE bytes of
 * a longer text are hashed, so an invalid key costs no more than a valid one. */
void api_key_hash(struct str text, uint8_t ret[static SHA256_SIZE]);

/* The first 12 characters; the text must be a key. */
struct str api_key_prefix(struct str key);
