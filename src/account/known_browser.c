/* Marks of known browsers; see known_browser.h. */
#include "account/known_browser.h"

#include <endian.h>
#include <string.h>

#include "base/codec.h"
#include "base/instant.h"

/* Of the id: the instant, big-endian, and random bytes. As base64url. */
enum { ID_BYTES = 24, ID_SIZE = 32, MAC_SIZE = 43, TEXT_MAX = 1024 };

_Static_assert(ID_SIZE + 2 * MAC_SIZE == KNOWN_BROWSER_SIZE, "an id and two digests");

/* Over the id and a text, which is hashed first, so that its length does not matter. */
static void put_mac(
    struct buf *b, const struct account_config *config, const char *what, struct str id,
    struct str first, struct str second)
{
    uint8_t digest[SHA256_SIZE];
    char text[ID_SIZE + 16 + 2 * SHA256_SIZE];
    struct buf signed_text = buf_over(text, sizeof text);
    buf_text(&signed_text, what);
    buf_str(&signed_text, id);
    sha256(first, digest);
    buf_str(&signed_text, str_of((const char *)digest, sizeof digest));
    sha256(second, digest);
    buf_str(&signed_text, str_of((const char *)digest, sizeof digest));
    hmac_sha256(
        str_of((const char *)config->known_key, sizeof config->known_key), buf_view(&signed_text),
        digest);
    base64url_encode(b, digest, sizeof digest);
}

static void put_email_mac(
    struct buf *b, const struct account_config *config, struct str id, struct str email)
{
    char folded[TEXT_MAX];
    struct buf text = buf_over(folded, sizeof folded);
    for (size_t i = 0; i < email.n; i++)
        buf_char(&text, ascii_lower(email.p[i]));
    put_mac(b, config, "email", id, buf_view(&text), STR(""));
}

static void put_account_mac(
    struct buf *b, const struct account_config *config, struct str id,
    const struct account *account)
{
    put_mac(b, config, "account", id, account->id, account->password_hash);
}

void known_browser_make(
    const struct account_config *config, const struct account *account, int64_t now_ms,
    char ret[static KNOWN_BROWSER_SIZE])
{
    uint8_t id[ID_BYTES];
    uint64_t at = htobe64((uint64_t)now_ms);
    struct buf b = buf_over(ret, KNOWN_BROWSER_SIZE);
    random_bytes(id, sizeof id);
    memcpy(id, &at, sizeof at);
    base64url_encode(&b, id, sizeof id);
    struct str id_text = str_of(ret, ID_SIZE);
    put_email_mac(&b, config, id_text, account->email);
    put_account_mac(&b, config, id_text, account);
}

static struct str id_of(struct str mark)
{
    return str_of(mark.p, ID_SIZE);
}

struct str known_browser_id(
    const struct account_config *config, struct str email, struct str mark, int64_t now_ms)
{
    char mac[MAC_SIZE];
    uint8_t id[ID_BYTES];
    uint64_t at;
    struct buf b = buf_over(mac, sizeof mac), decoded = buf_over((char *)id, sizeof id);
    if (mark.n != KNOWN_BROWSER_SIZE || email.n > TEXT_MAX)
        return STR_NULL;
    put_email_mac(&b, config, id_of(mark), email);
    if (!crypto_equal(mac, mark.p + ID_SIZE, sizeof mac) ||
        !base64url_decode(&decoded, id_of(mark)))
        return STR_NULL;
    memcpy(&at, id, sizeof at);
    bool over = now_ms - (int64_t)be64toh(at) > (int64_t)KNOWN_BROWSER_DAYS * DAY_MS;
    return over ? STR_NULL : id_of(mark);
}

bool known_browser_holds(
    const struct account_config *config, const struct account *account, struct str mark)
{
    char mac[MAC_SIZE];
    struct buf b = buf_over(mac, sizeof mac);
    put_account_mac(&b, config, id_of(mark), account);
    return crypto_equal(mac, mark.p + ID_SIZE + MAC_SIZE, sizeof mac);
}
