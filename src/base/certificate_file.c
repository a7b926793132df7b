/* OpenSSL reads the certificates; see certificate_file.h. */
#include "base/certificate_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <openssl/err.h>
#include <openssl/pem.h>

#include "base/instant.h"

static void count_in(const X509 *certificate, int64_t now_ms, struct certificate_file *ret)
{
    struct tm at;
    if (ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &at) != 1)
        return;
    int64_t end_ms = (int64_t)timegm(&at) * SECOND_MS;
    bool over = end_ms <= now_ms;
    ret->count++;
    ret->over += over;
    if (!over && (ret->next_end_ms == INSTANT_NONE || end_ms < ret->next_end_ms))
        ret->next_end_ms = end_ms;
    if (end_ms > ret->newest_end_ms) /* INSTANT_NONE is below all others */
        ret->newest_end_ms = end_ms;
}

/* Without it OpenSSL asks on the terminal. */
static int no_password(char *to, int size, int writes, void *ctx)
{
    return -1;
}

enum err certificate_file_read(
    const char *path, int64_t now_ms, struct certificate_file *ret, struct fail *fail)
{
    *ret = (struct certificate_file){.next_end_ms = INSTANT_NONE, .newest_end_ms = INSTANT_NONE};
    FILE *file = fopen(path, "re");
    if (!file)
        return fail_set(fail, ERR_IO, "cannot read \"%s\": %s", path, strerror(errno));
    for (X509 *one; (one = PEM_read_X509(file, NULL, no_password, NULL)); X509_free(one))
        count_in(one, now_ms, ret);
    ERR_clear_error(); /* the end of the file is one */
    fclose(file);
    return OK;
}
