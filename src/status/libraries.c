/*
 * Libraries and versions; see libraries.h. LIBRARIES_BUILT, which the build makes, is the list with
 * the versions that it found. What a library says of itself is looked up among the symbols of the
 * loaded files, so that this file includes no library's header.
 */
#include "status/libraries.h"

#include <assert.h>
#include <dlfcn.h>

#include "status/libraries_built.h"

static const struct library built[] = {
#define LIBRARY(name, version) {STR_INIT(name), STR_INIT(version)},
    LIBRARIES_BUILT(LIBRARY)
#undef LIBRARY
};

static_assert(sizeof built / sizeof *built <= LIBRARIES_MAX, "too many libraries");

typedef const char *says(void);
typedef const char *says_part(int part);
typedef const char *says_to(void *unused);

enum teller_kind { SAYS, SAYS_PART, SAYS_TO };

/* The functions of libraries that return their version as text. */
static const struct teller {
    struct str library;
    const char *symbol;
    enum teller_kind kind;
    int part; /* which text is wanted */
} tellers[] = {
    {STR_INIT("libc"), "gnu_get_libc_version", SAYS, 0},
    {STR_INIT("libcares"), "ares_version", SAYS_TO, 0},
    {STR_INIT("libcrypto"), "OpenSSL_version", SAYS_PART, 6}, /* OPENSSL_VERSION_STRING */
    {STR_INIT("libjansson"), "jansson_version_str", SAYS, 0},
    {STR_INIT("liboath"), "oath_check_version", SAYS_TO, 0},
    {STR_INIT("libqpdf"), "qpdf_get_qpdf_version", SAYS, 0},
    {STR_INIT("libqrencode"), "QRcode_APIVersionString", SAYS, 0},
    {STR_INIT("libsodium"), "sodium_version_string", SAYS, 0},
    {STR_INIT("libsqlite3"), "sqlite3_libversion", SAYS, 0},
    {STR_INIT("libssl"), "OpenSSL_version", SAYS_PART, 6},
    {STR_INIT("libutf8proc"), "utf8proc_version", SAYS, 0},
    {STR_INIT("libuv"), "uv_version_string", SAYS, 0},
    {STR_INIT("libz"), "zlibVersion", SAYS, 0},
    {STR_INIT("libzip"), "zip_libzip_version", SAYS, 0},
};

/* NULL: the library is linked statically, or is an older one without the function. */
static const char *ask(const struct teller *teller)
{
    void *symbol = dlsym(RTLD_DEFAULT, teller->symbol);
    if (!symbol)
        return NULL;
    switch (teller->kind) {
    case SAYS:
        return ((says *)symbol)();
    case SAYS_PART:
        return ((says_part *)symbol)(teller->part);
    case SAYS_TO:
        return ((says_to *)symbol)(NULL);
    }
    return NULL;
}

static struct str version_of(const struct library *library)
{
    for (size_t i = 0; i < sizeof tellers / sizeof *tellers; i++) {
        const char *text = str_eq(tellers[i].library, library->name) ? ask(&tellers[i]) : NULL;
        if (text && *text)
            return str_from(text);
    }
    return library->version;
}

size_t libraries_read(struct library ret[static LIBRARIES_MAX])
{
    size_t count = sizeof built / sizeof *built;
    for (size_t i = 0; i < count; i++)
        ret[i] = (struct library){built[i].name, version_of(&built[i])};
    return count;
}
