/* Files of a snapshot; see record_file.h. */
#include "record/record_file.h"

#include <fcntl.h>
#include <sodium.h>
#include <unistd.h>
#include <zlib.h>

#include "base/disk.h"

enum { STEP = 64 * 1024, FILE_MODE = 0644, LINE_MAX_SIZE = 64 << 20 };

static enum err cannot(const char *what, const char *path, int error, struct fail *fail)
{
    return fail_set(fail, disk_err(error), "cannot %s \"%s\": %s", what, path, disk_reason(error));
}

static enum err create(const char *path, int *ret, struct fail *fail)
{
    *ret = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, FILE_MODE);
    return *ret < 0 ? cannot("create", path, errno, fail) : OK;
}

enum err record_file_begin(struct record_file *file, const char *path, struct fail *fail)
{
    *file = (struct record_file){.path = path};
    TRY(create(path, &file->fd, fail));
    int fd = dup(file->fd); /* gzclose closes it, and the file has still to be flushed */
    file->gz = fd < 0 ? NULL : gzdopen(fd, "wb6");
    if (file->gz)
        return OK;
    int error = errno;
    if (fd >= 0)
        close(fd);
    close(file->fd);
    return cannot("write", path, error, fail);
}

void record_file_put(struct record_file *file, struct str bytes)
{
    if (file->system_error || !bytes.n)
        return;
    errno = 0;
    if (file->take)
        file->system_error = file->take(file->ctx, bytes);
    else if (gzfwrite(bytes.p, 1, bytes.n, file->gz) != bytes.n)
        file->system_error = errno ? errno : EIO;
}

enum err record_file_end(struct record_file *file, struct fail *fail)
{
    errno = 0;
    if (gzclose_w(file->gz) != Z_OK && !file->system_error)
        file->system_error = errno ? errno : EIO;
    if (!file->system_error && fsync(file->fd) != 0)
        file->system_error = errno;
    close(file->fd);
    return file->system_error ? cannot("write", file->path, file->system_error, fail) : OK;
}

enum err record_file_write(const char *path, struct str bytes, struct fail *fail)
{
    int fd = -1;
    enum err err = create(path, &fd, fail);
    if (err)
        return err;
    if (!disk_write(fd, bytes) || fsync(fd) != 0)
        err = cannot("write", path, errno, fail);
    close(fd);
    return err;
}

enum err record_file_digest(
    const char *path, uint8_t ret[static SHA256_SIZE], int64_t *ret_bytes, struct fail *fail)
{
    crypto_hash_sha256_state state;
    char step[STEP];
    ssize_t n = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    *ret_bytes = 0;
    if (fd < 0 && errno == ENOENT)
        return fail_set(fail, ERR_NOT_FOUND, "it is missing");
    if (fd < 0)
        return cannot("open", path, errno, fail);
    crypto_hash_sha256_init(&state);
    while ((n = read(fd, step, sizeof step)) > 0) {
        crypto_hash_sha256_update(&state, (const uint8_t *)step, (size_t)n);
        *ret_bytes += n;
    }
    int error = errno;
    close(fd);
    if (n < 0)
        return cannot("read", path, error, fail);
    crypto_hash_sha256_final(&state, ret);
    return OK;
}

enum err record_file_flush(const char *path, struct fail *fail)
{
    FD_CLOSED int fd = open(path, O_RDWR | O_CLOEXEC);
    return fd < 0 || fsync(fd) != 0 ? cannot("write", path, errno, fail) : OK;
}

void record_lines_open(struct record_lines *l, struct str path)
{
    *l = (struct record_lines){.gz = gzopen(path.p, "rb")};
    buf_init(&l->text, LINE_MAX_SIZE);
}

void record_lines_close(struct record_lines *l)
{
    if (l->gz)
        gzclose(l->gz);
    buf_finish(&l->text);
}

bool record_lines_next(struct record_lines *l, struct str *ret)
{
    for (size_t seen = l->at;;) {
        ptrdiff_t end = str_find_char(str_slice(buf_view(&l->text), seen, l->text.n), '\n');
        if (end >= 0) {
            *ret = str_slice(buf_view(&l->text), l->at, seen + (size_t)end);
            l->at = seen + (size_t)end + 1;
            return true;
        }
        BUF_SCOPED(rest, LINE_MAX_SIZE);
        buf_str(&rest, str_slice(buf_view(&l->text), l->at, l->text.n));
        buf_reset(&l->text);
        buf_str(&l->text, buf_view(&rest));
        l->at = 0;
        char *room = l->gz ? buf_reserve(&l->text, STEP) : NULL;
        int n = room ? gzread(l->gz, room, STEP) : 0;
        l->failed = l->failed || n < 0 || (l->gz && !room);
        if (n <= 0)
            return false;
        buf_commit(&l->text, (size_t)n);
        seen = rest.n;
    }
}
