/* libpq's TLS connection is OpenSSL's; see db_certificate.h. */
#include "db/db_certificate.h"

#include <time.h>

#include <libpq-fe.h>
#include <openssl/ssl.h>

#include "base/instant.h"
#include "db/db_driver.h"

int64_t db_certificate_ends(struct db *db)
{
    struct tm at;
    if (db_kind(db) != DB_POSTGRESQL)
        return INSTANT_NONE;
    SSL *ssl = PQsslStruct(db_postgresql_connection(db), "OpenSSL");
    const X509 *certificate = ssl ? SSL_get0_peer_certificate(ssl) : NULL;
    if (!certificate || ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &at) != 1)
        return INSTANT_NONE;
    return (int64_t)timegm(&at) * SECOND_MS;
}
