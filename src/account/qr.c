/* The picture: one path with a rectangle for each run of dark modules; see qr.h. */
#include "account/qr.h"

#include <qrencode.h>

#include "html/escape.h"

enum { QUIET = 4, VERSION_ANY = 0 };

static void put_runs(struct buf *b, const QRcode *code)
{
    for (int y = 0; y < code->width; y++) {
        const unsigned char *row = code->data + (ptrdiff_t)y * code->width;
        for (int x = 0; x < code->width; x++) {
            int from = x;
            while (x < code->width && row[x] & 1)
                x++;
            if (x > from)
                buf_fmt(b, "M%d %dh%dv1h-%dz", from + QUIET, y + QUIET, x - from, x - from);
        }
    }
}

enum err qr_put_svg(struct buf *b, struct str text, struct str label, struct fail *fail)
{
    if (text.n == 0 || text.n > QR_TEXT_MAX)
        return fail_set(fail, ERR_LIMIT, "a QR code has 1 to %d bytes", QR_TEXT_MAX);
    QRcode *code =
        QRcode_encodeData((int)text.n, (const unsigned char *)text.p, VERSION_ANY, QR_ECLEVEL_M);
    if (!code)
        return fail_set(fail, ERR_LIMIT, "the text does not fit into a QR code");
    int size = code->width + 2 * QUIET;
    buf_fmt(b, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\"", size, size);
    buf_fmt(b, " width=\"%d\" height=\"%d\" role=\"img\"", size * 4, size * 4);
    buf_text(b, " shape-rendering=\"crispEdges\" aria-label=\"");
    escape_text(b, label);
    buf_fmt(b, "\"><path fill=\"#fff\" d=\"M0 0h%dv%dH0z\"/><path fill=\"#000\" d=\"", size, size);
    put_runs(b, code);
    buf_text(b, "\"/></svg>");
    QRcode_free(code);
    return OK;
}
