/*
 * webhook_endpoint DATABASE KEY_FILE EMAIL URL: adds an endpoint whatever its URL is, and prints
 * `{"id": ..., "secret": ...}`, for end-to-end tests of what is sent.
 */
#include <stdio.h>

#include "base/clock.h"
#include "store/endpoint.h"
#include "store/store.h"
#include "webhook/secret.h"

enum { KEY_SIZE = 32 };

static enum err add(
    struct db *db, char *const *argv, const struct secret *secret, struct fail *fail)
{
    char id[ENDPOINT_ID_SIZE];
    uint8_t sealed[SECRET_SEALED_SIZE];
    char master[KEY_SIZE];
    struct seal_key key;
    FILE *file = fopen(argv[2], "rb");
    size_t n = file ? fread(master, 1, sizeof master, file) : 0;
    if (file)
        fclose(file);
    if (n != sizeof master)
        return fail_set(fail, ERR_IO, "no key in %s", argv[2]);
    endpoint_id_make(id);
    secret_seal_key(&key, str_of(master, n));
    secret_seal(&key, str_of(id, sizeof id), secret, sealed);
    enum err err = db_begin(db, fail);
    if (!err)
        err = endpoint_add(
            db, str_from(argv[3]), str_of(id, sizeof id), str_from(argv[4]),
            str_of((const char *)sealed, sizeof sealed), clock_wall_ms(), fail);
    if (!err)
        err = db_commit(db, fail);
    if (!err)
        printf("{\"id\":\"%.*s\",\"secret\":\"%s\"}\n", (int)sizeof id, id, secret->text);
    return err;
}

int main(int argc, char **argv)
{
    struct secret secret;
    struct fail fail = {0};
    struct db *db = NULL;
    if (argc != 5)
        return 2;
    secret_make(&secret);
    enum err err = store_open(str_from(argv[1]), STORE_WRITE, &db, &fail);
    if (!err)
        err = add(db, argv, &secret, &fail);
    db_close(db);
    if (err)
        fprintf(stderr, "webhook_endpoint: %s\n", fail.text);
    return err != OK;
}
