/* Reports of the thread sanitizer that are no races. They are part of the program because a
 * confined server and its children may not read a file of suppressions. */

const char *__tsan_default_suppressions(void);

/* OpenSSL reads a folder of certificates. libuv closes sockets by a system call that the sanitizer
 * does not see, so a number that the folder's descriptor reuses still seems to belong to the loop
 * that read from the socket. */
const char *__tsan_default_suppressions(void)
{
    return "race:OPENSSL_DIR_end\n"
           "race:OPENSSL_DIR_read\n";
}
