/* The lists of allowed system calls; see extract_parts.h. All other calls fail with EPERM. */
#include "paper/extract_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory_file.h"

/* Memory, and descriptors that are already open. No signals, not even to the process itself:
 * abort() then falls back to an illegal instruction. */
static const int reader_calls[] = {
    SCMP_SYS(brk),          SCMP_SYS(clock_gettime),  SCMP_SYS(close),
    SCMP_SYS(exit),         SCMP_SYS(exit_group),     SCMP_SYS(fstat),
    SCMP_SYS(futex),        SCMP_SYS(getpid),         SCMP_SYS(getrandom),
    SCMP_SYS(gettid),       SCMP_SYS(lseek),          SCMP_SYS(madvise),
    SCMP_SYS(mmap),         SCMP_SYS(mprotect),       SCMP_SYS(mremap),
    SCMP_SYS(munmap),       SCMP_SYS(newfstatat),     SCMP_SYS(read),
    SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn),
    SCMP_SYS(sigaltstack),  SCMP_SYS(write),
};

/* The additional calls for loading a program and its libraries. */
static const int tool_calls[] = {
    SCMP_SYS(access),  SCMP_SYS(arch_prctl),      SCMP_SYS(dup),
    SCMP_SYS(execve),  SCMP_SYS(faccessat),       SCMP_SYS(faccessat2),
    SCMP_SYS(getcwd),  SCMP_SYS(getdents64),      SCMP_SYS(getegid),
    SCMP_SYS(geteuid), SCMP_SYS(getgid),          SCMP_SYS(getuid),
    SCMP_SYS(pread64), SCMP_SYS(readlink),        SCMP_SYS(readlinkat),
    SCMP_SYS(rseq),    SCMP_SYS(set_robust_list), SCMP_SYS(set_tid_address),
    SCMP_SYS(stat),    SCMP_SYS(statfs),          SCMP_SYS(sysinfo),
    SCMP_SYS(uname),   SCMP_SYS(lstat),           SCMP_SYS(statx),
    SCMP_SYS(fstatfs), SCMP_SYS(fadvise64),       SCMP_SYS(sched_getaffinity),
};

static bool allow(scmp_filter_ctx filter, const int *calls, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (seccomp_rule_add(filter, SCMP_ACT_ALLOW, calls[i], 0) < 0)
            return false;
    return true;
}

/* Allows opening for reading only; Landlock decides which files. Allows reading resource limits,
 * not setting them. Of fcntl, allows queries and duplication only: other commands could make
 * descriptors send signals. */
static bool allow_opening(scmp_filter_ctx filter)
{
    static const int asking[] = {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL};
    for (size_t i = 0; i < sizeof asking / sizeof *asking; i++)
        if (seccomp_rule_add(
                filter, SCMP_ACT_ALLOW, SCMP_SYS(fcntl), 1,
                SCMP_A1(SCMP_CMP_EQ, (scmp_datum_t)asking[i])) < 0)
            return false;
    const scmp_datum_t writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;
    return seccomp_rule_add(
               filter, SCMP_ACT_ALLOW, SCMP_SYS(openat), 1,
               SCMP_A2(SCMP_CMP_MASKED_EQ, writing, 0)) >= 0 &&
           seccomp_rule_add(
               filter, SCMP_ACT_ALLOW, SCMP_SYS(open), 1,
               SCMP_A1(SCMP_CMP_MASKED_EQ, writing, 0)) >= 0 &&
           seccomp_rule_add(
               filter, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 1, SCMP_A2(SCMP_CMP_EQ, 0)) >= 0;
}

/* The filter in the kernel's format, so that children need no library calls. */
static bool export_filter(scmp_filter_ctx filter, struct sock_fprog *ret)
{
    struct stat st;
    FD_CLOSED int fd = memory_file_create("stockact-filter");
    bool done = fd >= 0 && seccomp_export_bpf(filter, fd) == 0 && fstat(fd, &st) == 0 &&
                st.st_size > 0 && (size_t)st.st_size % sizeof *ret->filter == 0;
    if (done) {
        size_t size = (size_t)st.st_size;
        ret->len = (unsigned short)(size / sizeof *ret->filter);
        ret->filter = mem_alloc(size);
        done = pread(fd, ret->filter, size, 0) == (ssize_t)size;
    }
    return done;
}

static bool make(bool tool, struct sock_fprog *ret)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    bool done = filter && allow(filter, reader_calls, sizeof reader_calls / sizeof *reader_calls);
    if (done && tool)
        done = allow(filter, tool_calls, sizeof tool_calls / sizeof *tool_calls) &&
               allow_opening(filter);
    done = done && export_filter(filter, ret);
    seccomp_release(filter);
    return done;
}

bool extract_filters_make(struct extract_filters *ret)
{
    return make(false, &ret->reader) && make(true, &ret->tool);
}
