/*
 * WEBHOOK_SECRET=whsec_... command svc|standard HEADERS BODY [NOW]
 * Verifies one delivery saved in two files. Exits 0 if it is valid, 1 with the reason if not.
 *
 *     cc -o command command.c verify.c -lcrypto
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "verify.h"

/* Returns the file's content with a NUL after it. Prints the error and returns NULL on failure. */
static char *read_file(const char *path, size_t *ret_size)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t n = 0, got = 1;
    while (file && got) {
        char *longer = realloc(text, n + 65536 + 1);
        if (!longer)
            break;
        text = longer;
        got = fread(text + n, 1, 65536, file);
        n += got;
        text[n] = 0;
    }
    if (!file || got || ferror(file)) {
        perror(path);
        free(text);
        text = NULL;
    }
    if (file)
        fclose(file);
    *ret_size = n;
    return text;
}

/* Returns a copy of the value of header `name`, or NULL if there is none. */
static char *find_header(const char *text, const char *name)
{
    size_t name_size = strlen(name);
    for (const char *line = text; *line;) {
        size_t n = strcspn(line, "\r\n");
        if (n > name_size && line[name_size] == ':' && strncasecmp(line, name, name_size) == 0) {
            const char *value = line + name_size + 1;
            value += strspn(value, " \t");
            return strndup(value, (size_t)(line + n - value));
        }
        line += n + (line[n] != 0);
    }
    return NULL;
}

static const char *verify(
    const char *scheme, const char *secret, const char *headers, const char *body, size_t body_size,
    time_t now)
{
    const char *reason;
    char *svc = find_header(headers, "X-SVC-Signature");
    char *id = find_header(headers, "webhook-id");
    char *timestamp = find_header(headers, "webhook-timestamp");
    char *standard = find_header(headers, "webhook-signature");
    if (strcmp(scheme, "svc") == 0)
        reason = verify_svc(secret, svc, body, body_size, now);
    else
        reason = verify_standard(secret, id, timestamp, standard, body, body_size, now);
    free(svc);
    free(id);
    free(timestamp);
    free(standard);
    return reason;
}

int main(int argc, char **argv)
{
    const char *secret = getenv("WEBHOOK_SECRET");
    if (argc < 4 || argc > 5 || !secret ||
        (strcmp(argv[1], "svc") != 0 && strcmp(argv[1], "standard") != 0)) {
        fputs("usage: WEBHOOK_SECRET=whsec_... command svc|standard HEADERS BODY [NOW]\n", stderr);
        return 2;
    }
    size_t headers_size, body_size;
    char *headers = read_file(argv[2], &headers_size), *body = read_file(argv[3], &body_size);
    time_t now = argc == 5 ? (time_t)strtoll(argv[4], NULL, 10) : time(NULL);
    int status = 2;
    if (headers && body) {
        const char *reason = verify(argv[1], secret, headers, body, body_size, now);
        status = reason ? 1 : 0;
        if (reason)
            fprintf(stderr, "%s\n", reason);
    }
    free(headers);
    free(body);
    return status;
}
