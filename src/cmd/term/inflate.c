/* Texts compressed into the program; see inflate.h. */
#include "cmd/term/inflate.h"

#include <zlib.h>

enum err inflate_text(const struct compressed *from, struct buf *to, struct fail *fail)
{
    uLongf size = from->full_size;
    char *room = buf_reserve(to, size);
    int code = Z_BUF_ERROR;
    if (room)
        code = uncompress((Bytef *)room, &size, (const Bytef *)from->bytes, (uLong)from->size);
    if (code != Z_OK || size != from->full_size)
        return fail_set(
            fail, ERR_CORRUPT, "%s inside the program is damaged: install it again", from->name);
    buf_commit(to, size);
    return OK;
}
