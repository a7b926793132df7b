/*
 * webhook_headers EVENT DELIVERY_ID NOW_MS SECRET [OLD_SECRET]: the headers of a delivery whose
 * body stands on standard input, one per line, for verifiers that are not ours (tests/e2e).
 */
#include <stdio.h>

#include "webhook/signature.h"

enum { BODY_SIZE_MAX = 1 << 20 };

int main(int argc, char **argv)
{
    static char body[BODY_SIZE_MAX];
    struct signature_headers headers;
    struct signature_key key, old_key;
    struct signature_input input = {.key = &key};
    struct fail fail = {0};
    if (argc < 5 || argc > 6 || !str_to_i64(str_from(argv[3]), &input.now_ms))
        return 2;
    input.event = str_from(argv[1]);
    input.delivery_id = str_from(argv[2]);
    input.body = str_of(body, fread(body, 1, sizeof body, stdin));
    enum err err = signature_key_init(&key, str_from(argv[4]), &fail);
    if (!err && argc == 6) {
        err = signature_key_init(&old_key, str_from(argv[5]), &fail);
        input.old_key = &old_key;
    }
    if (err) {
        fprintf(stderr, "webhook_headers: %s\n", fail.text);
        return 1;
    }
    signature_headers(&headers, &input);
    for (size_t i = 0; i < SIGNATURE_LINES; i++)
        puts(headers.lines[i].p);
    return 0;
}
