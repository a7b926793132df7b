/* QR codes as SVG (libqrencode). */
#pragma once

#include "base/buf.h"
#include "base/err.h"

enum { QR_TEXT_MAX = 1024 };

/* Appends an <svg> of the text: black modules on white with the quiet zone of four modules, so that
 * it can be read on a dark page too. `label` is its name for screen readers; it is escaped.
 * ERR_LIMIT: the text is longer than QR_TEXT_MAX. */
enum err qr_put_svg(struct buf *b, struct str text, struct str label, struct fail *fail);
