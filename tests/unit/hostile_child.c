/* Attacks of a hostile child; see hostile_child.h. */
#include "hostile_child.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "paper/readers.h"

enum { GIGABYTE = 1 << 30 };

char hostile_canary[64];

/* --- calls that a filter must refuse */

struct call {
    const char *name;
    long number;
    uintptr_t argument[4];
};

#define TEXT(literal) ((uintptr_t)(literal))
#define COUNT(array) (sizeof(array) / sizeof *(array))

static const struct call refused_to_all[] = {
    {"socket", SYS_socket, {AF_INET, SOCK_STREAM, 0}},
    {"socket, unix", SYS_socket, {AF_UNIX, SOCK_STREAM, 0}},
    {"socketpair", SYS_socketpair, {AF_UNIX, SOCK_STREAM, 0}},
    {"connect", SYS_connect, {0}},
    {"sendto", SYS_sendto, {0}},
    {"fork", SYS_fork, {0}},
    {"vfork", SYS_clone, {SIGCHLD}},
    {"thread", SYS_clone3, {0}},
    {"kill", SYS_kill, {1, 0}},
    {"tgkill", SYS_tgkill, {1, 1, 0}},
    {"pidfd_open", SYS_pidfd_open, {1, 0}},
    {"ptrace", SYS_ptrace, {0}},
    {"process_vm_readv", SYS_process_vm_readv, {1}},
    {"write a file", SYS_open, {TEXT(hostile_canary), O_WRONLY}},
    {"create a file", SYS_openat, {(uintptr_t)AT_FDCWD, TEXT("/tmp/new"), O_RDWR | O_CREAT, 0600}},
    {"openat2", SYS_openat2, {(uintptr_t)AT_FDCWD, TEXT(hostile_canary)}},
    {"unlink", SYS_unlink, {TEXT(hostile_canary)}},
    {"rename", SYS_rename, {TEXT(hostile_canary), TEXT("/tmp/moved")}},
    {"link", SYS_link, {TEXT(hostile_canary), TEXT("/tmp/linked")}},
    {"chmod", SYS_chmod, {TEXT(hostile_canary), 0}},
    {"truncate", SYS_truncate, {TEXT(hostile_canary), 0}},
    {"mkdir", SYS_mkdir, {TEXT("/tmp/new"), 0700}},
    {"mount", SYS_mount, {0}},
    {"chroot", SYS_chroot, {TEXT("/")}},
    {"unshare", SYS_unshare, {0}},
    {"setuid", SYS_setuid, {0}},
    {"raise a limit", SYS_setrlimit, {RLIMIT_CPU, 0}},
    {"memfd_create", SYS_memfd_create, {TEXT("x"), 0}},
    {"ioctl", SYS_ioctl, {0}},
    {"send signals by a descriptor", SYS_fcntl, {0, F_SETOWN, 1}},
    {"prctl", SYS_prctl, {PR_SET_DUMPABLE, 1}},
    {"bpf", SYS_bpf, {0}},
    {"io_uring_setup", SYS_io_uring_setup, {1}},
    {"userfaultfd", SYS_userfaultfd, {0}},
    {"keyctl", SYS_keyctl, {0}},
    {"nanosleep", SYS_nanosleep, {0}},
};

static const struct call refused_to_readers[] = {
    {"read a file", SYS_open, {TEXT(hostile_canary), O_RDONLY}},
    {"read a file, openat", SYS_openat, {(uintptr_t)AT_FDCWD, TEXT(hostile_canary), O_RDONLY}},
    {"exec", SYS_execve, {TEXT("/bin/true"), 0, 0}},
    {"execveat", SYS_execveat, {(uintptr_t)AT_FDCWD, TEXT("/bin/true")}},
    {"dup", SYS_dup, {0}},
    {"readlink", SYS_readlink, {TEXT("/proc/self/exe")}},
};

/* The first call that the filter allows; NULL: none. */
static const char *first_allowed(const struct call *calls, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uintptr_t *a = calls[i].argument;
        errno = 0;
        long result = syscall(calls[i].number, a[0], a[1], a[2], a[3]);
        if (result != -1 || errno != EPERM)
            return calls[i].name;
    }
    return NULL;
}

const char *hostile_tool_call(void)
{
    return first_allowed(refused_to_all, COUNT(refused_to_all));
}

/* --- acts that pages request */

static volatile int sink;

static void act_calls(struct reading *ret)
{
    const char *name = hostile_tool_call();
    if (!name)
        name = first_allowed(refused_to_readers, COUNT(refused_to_readers));
    ret->reason = str_from(name ? name : "all refused");
}

/* Descriptors 0 to 2 are the child's own; 0 is not writable. */
static void act_descriptors(struct reading *ret)
{
    ret->reason = STR("only its own");
    for (int fd = 3; fd < 1024; fd++)
        if (lseek(fd, 0, SEEK_CUR) >= 0 || errno != EBADF)
            ret->reason = STR("another is open");
    if (write(STDIN_FILENO, "x", 1) != -1)
        ret->reason = STR("the document can be written");
}

static void act_loop(struct reading *ret)
{
    for (;;)
        sink++;
}

static void act_hang(struct reading *ret)
{
    int word = 0;
    for (;;)
        syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
}

static void act_memory(struct reading *ret)
{
    char *p = malloc(GIGABYTE);
    ret->reason = p ? STR("a gigabyte was had") : STR("no memory");
    sink = p != NULL;
    free(p);
}

/* As src/base does when memory runs out: ends the process. */
static void act_memory_to_the_end(struct reading *ret)
{
    for (int i = 0; i < 1024; i++) {
        char *p = mem_alloc(1 << 20);
        memset(p, i, 1 << 20);
        sink = p[i];
    }
}

static void act_output(struct reading *ret)
{
    static char block[1 << 20];
    while (write(STDOUT_FILENO, block, sizeof block) > 0)
        ;
}

static void act_nonsense(struct reading *ret)
{
    static const struct str text = STR_INIT("[{\"kind\":\"house-ptr\"");
    _exit(write(STDOUT_FILENO, text.p, text.n) == (ssize_t)text.n ? 0 : 1);
}

static void act_nothing(struct reading *ret)
{
    _exit(0);
}

static void act_abort(struct reading *ret)
{
    abort();
}

static void act_null(struct reading *ret)
{
    volatile char *volatile nowhere = NULL;
    *nowhere = 1;
}

static void act_stack(struct reading *ret)
{
    volatile char frame[4096];
    frame[sink & 4095] = 1;
    if (sink >= 0)
        act_stack(ret);
    sink = frame[0];
}

static const struct act {
    struct str name;
    void (*run)(struct reading *ret);
} acts[] = {
    {STR_INIT("calls"), act_calls},     {STR_INIT("descriptors"), act_descriptors},
    {STR_INIT("loop"), act_loop},       {STR_INIT("hang"), act_hang},
    {STR_INIT("memory"), act_memory},   {STR_INIT("all-memory"), act_memory_to_the_end},
    {STR_INIT("output"), act_output},   {STR_INIT("nonsense"), act_nonsense},
    {STR_INIT("nothing"), act_nothing}, {STR_INIT("abort"), act_abort},
    {STR_INIT("null"), act_null},       {STR_INIT("stack"), act_stack},
};

/* Replaces the reader of Senate pages: "<html>ACT", or "<html>ACT PATH-OF-THE-CANARY". */
void senate_page_read(struct str html, struct arena *arena, struct reading *ret)
{
    struct str rest = str_slice(html, strlen("<html>"), html.n), act;
    str_split(&rest, ' ', &act);
    snprintf(hostile_canary, sizeof hostile_canary, "%.*s", STR_ARG(rest));
    *ret = (struct reading){.kind = READING_REFUSED, .reason = STR("read")};
    for (size_t i = 0; i < COUNT(acts); i++)
        if (str_eq(act, acts[i].name))
            acts[i].run(ret);
}
