/* Reports of the thread sanitizer that are no races. They are part of the program because a
 * confined server and its children may not read a file of suppressions. */

const char *__tsan_default_suppressions(void);

/* libuv closes sockets by a system call that the sanitizer does not see. A descriptor that reuses
 * the number still seems to belong to the loop that read from the socket: OpenSSL's of a folder of
 * certificates, and those of files in memory. */
const char *__tsan_default_suppressions(void)
{
    return "race:OPENSSL_DIR_end\n"
           "race:OPENSSL_DIR_read\n"
           "race:memory_file_close\n";
}
