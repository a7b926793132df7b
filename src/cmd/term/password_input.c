/* Reads a password; see password_input.h. */
#include "cmd/term/password_input.h"

#include <stdio.h>
#include <termios.h>
#include <unistd.h>

#include "base/mem.h"

/* Reads up to the end of a line, of the input or of the buffer. Returns the number of bytes, or -1.
 */
static ssize_t read_line(char *text, size_t size)
{
    size_t n = 0;
    while (n < size) {
        ssize_t got = read(STDIN_FILENO, text + n, size - n);
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        n += (size_t)got;
        if (memchr(text, '\n', n))
            break;
    }
    return (ssize_t)n;
}

static ssize_t ask(char *text, size_t size)
{
    struct termios shown, hidden;
    bool hides = tcgetattr(STDIN_FILENO, &shown) == 0;
    if (hides) {
        hidden = shown;
        hidden.c_lflag &= ~(tcflag_t)ECHO;
        hides = tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden) == 0;
    }
    fputs("Password: ", stderr);
    ssize_t n = read_line(text, size);
    if (hides) {
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown);
        fputc('\n', stderr); /* the one that was typed is not shown either */
    }
    return n;
}

enum err password_input(struct str email, char ret[static PASSWORD_HASH_SIZE], struct fail *fail)
{
    char text[PASSWORD_MAX + 2];
    ssize_t n = isatty(STDIN_FILENO) ? ask(text, sizeof text) : read_line(text, sizeof text);
    if (n < 0)
        return fail_set(fail, ERR_IO, "cannot read the password from standard input");
    struct str rest = str_of(text, (size_t)n), line;
    if (str_split(&rest, '\n', &line) && str_ends(line, STR("\r")))
        line.n--;
    enum err err = password_make(line, email, false, ret, fail);
    mem_wipe(text, sizeof text);
    return err;
}
