/* Writes the corpus for tests in other languages: per case one line "outcome TAB size TAB name",
 * then that many bytes. */
#include <stdio.h>

#include "corpus.h"

int main(void)
{
    struct corpus c;
    corpus_make(&c);
    for (size_t i = 0; i < c.n; i++) {
        const struct http_case *one = &c.cases[i];
        printf("%s\t%zu\t%s\n", one->outcome, one->bytes.n, one->name);
        fwrite(one->bytes.p, 1, one->bytes.n, stdout);
    }
    corpus_finish(&c);
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
