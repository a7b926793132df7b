/* The version of the rule and of its lists; see industry.h. It has a file of its own because
 * stockact-mcp needs the lists, but no hash functions. */
#include "market/industry.h"

#include <pthread.h>
#include <string.h>

#include "base/codec.h"
#include "base/crypto.h"
#include "market/seats_shipped.h"

extern const char industries_csv[], symbol_industries_csv[], committee_industries_csv[],
    gics_industries_csv[], symbol_holders_csv[], company_businesses_csv[], fund_underlyings_csv[],
    commodity_words_csv[], oversight_csv[];
extern const size_t industries_csv_size, symbol_industries_csv_size, committee_industries_csv_size,
    gics_industries_csv_size, symbol_holders_csv_size, company_businesses_csv_size,
    fund_underlyings_csv_size, commodity_words_csv_size, oversight_csv_size;

/* Increase it when market/conflict.c decides or words anything differently. The lists have their
 * own digest. */
enum { RULE_NUMBER = 4 };

enum { VERSION_BYTES = 4, VERSION_SIZE_MAX = 16 };

static char version[VERSION_SIZE_MAX];
static struct str version_text;

static void make_version(void)
{
    const struct str texts[] = {
        {industries_csv, industries_csv_size},
        {symbol_industries_csv, symbol_industries_csv_size},
        {committee_industries_csv, committee_industries_csv_size},
        {gics_industries_csv, gics_industries_csv_size},
        {symbol_holders_csv, symbol_holders_csv_size}, /* market/symbol_holder.c reads it */
        {company_businesses_csv, company_businesses_csv_size},
        {fund_underlyings_csv, fund_underlyings_csv_size},
        {commodity_words_csv, commodity_words_csv_size},
        {oversight_csv, oversight_csv_size},
    };
    enum { TEXTS = sizeof texts / sizeof *texts };
    uint8_t digests[TEXTS + 1][SHA256_SIZE], digest[SHA256_SIZE];
    char hex[2 * VERSION_BYTES];
    for (size_t i = 0; i < TEXTS; i++)
        sha256(texts[i], digests[i]);
    memcpy(digests[TEXTS], seats_shipped_sha256(), SHA256_SIZE);
    sha256(str_of((const char *)digests, sizeof digests), digest);
    hex_encode(digest, VERSION_BYTES, hex);
    struct buf b = buf_over(version, sizeof version);
    buf_i64(&b, RULE_NUMBER);
    buf_char(&b, '.');
    buf_put(&b, hex, sizeof hex);
    version_text = buf_view(&b);
}

struct str industry_rule_version(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_version);
    return version_text;
}
