/* Sentences and lines; see text.h. */
#include "manual/text.h"

#include <string.h>

void text_sentences(struct buf *to, const char *phrase, const char *notes)
{
    buf_char(to, ascii_upper(phrase[0]));
    buf_text(to, phrase + 1);
    buf_char(to, '.');
    if (notes) {
        buf_char(to, ' ');
        buf_text(to, notes);
    }
}

void text_wrap(struct buf *to, const char *prefix, size_t columns, struct str text)
{
    struct str word;
    size_t column = 0;
    while (str_split(&text, ' ', &word)) {
        if (column > 0 && column + 1 + word.n > columns) {
            buf_char(to, '\n');
            column = 0;
        }
        buf_text(to, column == 0 ? prefix : " ");
        column += column == 0 ? strlen(prefix) : 1;
        buf_str(to, word);
        column += word.n;
    }
    buf_char(to, '\n');
}

void text_key(struct buf *to, const char *flag_name)
{
    for (const char *p = flag_name; *p; p++)
        buf_char(to, *p == '-' ? '_' : *p);
}
