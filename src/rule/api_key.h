/*
 * The form of an API key (spec 5): `svc_` and 43 URL-safe base64 characters. A key is compared by
 * the SHA-256 of its text and never decoded: 43 characters can carry two bits more than 32 bytes,
 * so two spellings of the same bytes are two different keys.
 */
#pragma once

#include "base/crypto.h"

enum {
    API_KEY_SIZE = 47,        /* svc_ + 43 */
    API_KEY_PREFIX_SIZE = 12, /* what lists and logs may show */
    API_KEY_RANDOM_SIZE = 32,
};

/* Makes a key from `random`; writes API_KEY_SIZE characters, no NUL. */
void api_key_make(const uint8_t random[static API_KEY_RANDOM_SIZE], char ret[static API_KEY_SIZE]);

/* Returns true if the text has the form of a key. */
bool api_key_shaped(struct str text);

/* SHA-256 of the text, which is what is stored and looked up. Only the first API_KEY_SIZE bytes of
 * a longer text are hashed, so an invalid key costs no more than a valid one. */
void api_key_hash(struct str text, uint8_t ret[static SHA256_SIZE]);

/* The first 12 characters; the text must be a key. */
struct str api_key_prefix(struct str key);
