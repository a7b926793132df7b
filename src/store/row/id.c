/* Random ids; see id.h. */
#include "store/row/id.h"

#include <string.h>

#include "base/codec.h"
#include "base/crypto.h"

void id_make(struct str prefix, char *ret)
{
    uint8_t bytes[ID_RANDOM_SIZE / 2];
    random_bytes(bytes, sizeof bytes);
    if (prefix.n)
        memcpy(ret, prefix.p, prefix.n);
    hex_encode(bytes, sizeof bytes, ret + prefix.n);
}
