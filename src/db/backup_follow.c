/* Following a database; see backup_follow.h. */
#include "db/backup_follow.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/crypto.h"
#include "base/disk.h"
#include "base/instant.h"
#include "db/backup.h"
#include "db/store.h"

enum { WAL_PAGE_MAX = 65536 };

struct wal_reader {
    int fd; /* of the log; -1: not open */
    bool known, big_endian;
    uint32_t page_size, salt[2], sum[2];
    int64_t at; /* behind the last commit that was read */
};

/* The pages that changed, each once, by number; page_count: of the database. */
struct wal_pages {
    struct wal_page {
        uint32_t no;
        int64_t at; /* of its newest bytes, in the log */
    } * items;
    size_t count, cap;
    uint32_t page_count;
};

/* Reads write-ahead logs. */

enum { HEADER_SIZE = 32, FRAME_SIZE = 24, SUMMED = 24, MAGIC = 0x377f0682 };

static void wal_reader_init(struct wal_reader *r)
{
    *r = (struct wal_reader){.fd = -1};
}

static void wal_reader_finish(struct wal_reader *r)
{
    if (r->fd >= 0)
        close(r->fd);
    wal_reader_init(r);
}

static uint32_t big(const uint8_t *p)
{
    uint32_t x;
    memcpy(&x, p, sizeof x);
    return be32toh(x);
}

static void add_sum(bool big_endian, const uint8_t *p, size_t n, uint32_t sum[2])
{
    for (size_t i = 0; i < n; i += 8) {
        uint32_t x[2];
        memcpy(x, p + i, sizeof x);
        sum[0] += (big_endian ? be32toh(x[0]) : le32toh(x[0])) + sum[1];
        sum[1] += (big_endian ? be32toh(x[1]) : le32toh(x[1])) + sum[0];
    }
}

/* Goes to the beginning of a log that was begun again, if it was. *ret: it has a whole header. */
static enum err read_header(struct wal_reader *r, const char *path, bool *ret, struct fail *fail)
{
    uint8_t header[HEADER_SIZE];
    uint32_t sum[2] = {0, 0};
    *ret = false;
    if (pread(r->fd, header, sizeof header, 0) != (ssize_t)sizeof header)
        return OK; /* empty until the next commit */
    bool big_endian = big(header) & 1;
    uint32_t page_size = big(header + 8), salt[2] = {big(header + 16), big(header + 20)};
    add_sum(big_endian, header, SUMMED, sum);
    if ((big(header) & ~1u) != MAGIC || sum[0] != big(header + 24) || sum[1] != big(header + 28))
        return OK; /* half written */
    if (page_size < 512 || page_size > WAL_PAGE_MAX || (page_size & (page_size - 1)))
        return fail_set(fail, ERR_CORRUPT, "\"%s\" has pages of %u bytes", path, page_size);
    *ret = true;
    if (r->known && salt[0] == r->salt[0] && salt[1] == r->salt[1])
        return OK;
    *r = (struct wal_reader){
        .fd = r->fd,
        .known = true,
        .big_endian = big_endian,
        .page_size = page_size,
        .salt = {salt[0], salt[1]},
        .sum = {sum[0], sum[1]},
        .at = HEADER_SIZE,
    };
    return OK;
}

/* The latest bytes of each page come last. */
static int by_page(const void *a, const void *b)
{
    const struct wal_page *x = a, *y = b;
    return x->no != y->no ? (x->no > y->no) - (x->no < y->no) : (x->at > y->at) - (x->at < y->at);
}

static void keep_newest(struct wal_pages *pages, size_t committed)
{
    size_t n = 0;
    if (committed)
        qsort(pages->items, committed, sizeof *pages->items, by_page);
    for (size_t i = 0; i < committed; i++)
        if (i + 1 == committed || pages->items[i + 1].no != pages->items[i].no)
            pages->items[n++] = pages->items[i];
    pages->count = n;
}

static void read_frames(struct wal_reader *r, struct wal_pages *ret)
{
    MEM_FREED uint8_t *frame = mem_alloc(FRAME_SIZE + WAL_PAGE_MAX);
    ssize_t size = FRAME_SIZE + (ssize_t)r->page_size;
    uint32_t sum[2] = {r->sum[0], r->sum[1]};
    size_t committed = 0;
    for (int64_t at = r->at; pread(r->fd, frame, (size_t)size, at) == size; at += size) {
        add_sum(r->big_endian, frame, 8, sum);
        add_sum(r->big_endian, frame + FRAME_SIZE, r->page_size, sum);
        if (big(frame + 8) != r->salt[0] || big(frame + 12) != r->salt[1] ||
            big(frame + 16) != sum[0] || big(frame + 20) != sum[1])
            break;
        ret->items = mem_grow(ret->items, ret->count, &ret->cap, sizeof *ret->items);
        ret->items[ret->count++] = (struct wal_page){big(frame), at + FRAME_SIZE};
        if (big(frame + 4) == 0)
            continue;
        committed = ret->count;
        ret->page_count = big(frame + 4);
        r->at = at + size;
        r->sum[0] = sum[0];
        r->sum[1] = sum[1];
    }
    keep_newest(ret, committed);
}

/* Replaces *ret by what was committed since the last call. A caller misses
 * nothing if a read transaction was held since before the last call: until it ends, SQLite discards
 * no frame that was appended after it began. */
static enum err wal_reader_read(
    struct wal_reader *r, const char *path, struct wal_pages *ret, struct fail *fail)
{
    bool has_header = false;
    ret->count = 0;
    if (r->fd < 0) /* it keeps its file while a connection has it open */
        r->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (r->fd < 0)
        return errno == ENOENT ? OK : fail_set(fail, ERR_IO, "cannot open \"%s\": %m", path);
    TRY(read_header(r, path, &has_header, fail));
    if (has_header)
        read_frames(r, ret);
    return OK;
}

/* Reads the bytes of a page: r->page_size. */
static enum err wal_reader_page(
    const struct wal_reader *r, const struct wal_page *page, uint8_t *ret, struct fail *fail)
{
    if (pread(r->fd, ret, r->page_size, page->at) == (ssize_t)r->page_size)
        return OK;
    return fail_set(fail, ERR_IO, "cannot read the write-ahead log: %m");
}

enum {
    LOG_BYTES_MAX = 4 << 20,     /* SQLite's own checkpoints begin there */
    RECORD_BYTES_MAX = 64 << 20, /* after a larger change the whole database is copied */
};
#define COPY_EACH_MS DAY_MS
#define COPIES "follow-*.db"
#define MAGIC UINT64_C(0x31676f4c65676150) /* "PageLog1"; in another order of bytes it differs */

/* Then follow the pages, each with its number before it, and the SHA-256 of all that. */
struct follow_record {
    uint64_t magic;
    int64_t at_ms;
    uint64_t page_size, page_count, pages; /* page_count: of the database */
};

struct backup_follow {
    struct arena arena; /* the names */
    struct str url, folder, copy;
    char *wal; /* path of the write-ahead log */
    int64_t keep, copied_at;
    int folder_fd, log_fd; /* folder_fd has a lock against others; log_fd -1: no copy yet */
    struct db *db[2];      /* one of them holds a transaction */
    int held;              /* which */
    struct wal_reader reader;
    struct wal_pages pages;
};

static struct str log_of(struct str copy, struct arena *arena)
{
    return arena_fmt(arena, "%.*slog", STR_ARG(str_slice(copy, 0, copy.n - strlen("db"))));
}

/* --- following */

/* Begins a transaction with the other connection, and with it a snapshot. */
static enum err hold_other(struct backup_follow *f, struct fail *fail)
{
    TRY(db_begin_read(f->db[!f->held], fail));
    QUERY(q, f->db[!f->held], "SELECT 1 FROM migration WHERE number = 1");
    query_row(&q);
    return query_end(&q, fail);
}

static void release(struct backup_follow *f)
{
    db_rollback(f->db[f->held]);
    f->held = !f->held;
}

static size_t record_size(uint64_t pages, uint64_t page_size)
{
    return sizeof(struct follow_record) + pages * (sizeof(uint64_t) + page_size) + SHA256_SIZE;
}

static enum err fill_record(
    struct backup_follow *f, int64_t now_ms, uint8_t *to, size_t size, struct fail *fail)
{
    const struct follow_record head = {
        MAGIC, now_ms, f->reader.page_size, f->pages.page_count, f->pages.count};
    uint8_t *p = (uint8_t *)memcpy(to, &head, sizeof head) + sizeof head;
    enum err err = OK;
    for (size_t i = 0; i < f->pages.count && !err; i++, p += head.page_size) {
        uint64_t no = f->pages.items[i].no;
        p = (uint8_t *)memcpy(p, &no, sizeof no) + sizeof no;
        err = wal_reader_page(&f->reader, &f->pages.items[i], p, fail);
    }
    sha256(str_of((const char *)to, size - SHA256_SIZE), p);
    return err;
}

static enum err add_record(struct backup_follow *f, int64_t now_ms, struct fail *fail)
{
    size_t size = record_size(f->pages.count, f->reader.page_size);
    MEM_FREED uint8_t *bytes = mem_alloc(size);
    TRY(fill_record(f, now_ms, bytes, size, fail));
    if ((write(f->log_fd, bytes, size) != (ssize_t)size || fdatasync(f->log_fd) != 0))
        return fail_set(
            fail, disk_err(errno), "cannot write the log of \"%s\": %s", f->copy.p,
            disk_reason(errno));
    return OK;
}

/* Begins the next transaction and reads what was committed since. Both are held until release:
 * after that, another program may write over the pages. */
static enum err read_changes(struct backup_follow *f, struct fail *fail)
{
    TRY(hold_other(f, fail));
    return wal_reader_read(&f->reader, f->wal, &f->pages, fail);
}

static void close_log(struct backup_follow *f)
{
    if (f->log_fd >= 0)
        close(f->log_fd);
    f->log_fd = -1;
}

/* Removes all copies but the newest, and what killed runs left. */
static enum err remove_old(struct backup_follow *f, struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct backup_list copies;
    enum err err = backup_list(f->folder, COPIES "*", &arena, &copies, fail);
    for (int i = 0, left = copies.count; !err && i < copies.count; i++) {
        struct str file = copies.files[i];
        bool part = str_ends(file, STR(".part"));
        if (str_eq(file, f->copy) || (!part && left <= f->keep))
            continue; /* the new one stays, whatever the clock says */
        left--;
        unlink(file.p);
        if (!part)
            unlink(log_of(file, &arena).p);
    }
    return err;
}

/* The first record has what was committed while the copy was made. */
static enum err make_copy(struct backup_follow *f, int64_t now_ms, struct fail *fail)
{
    arena_reset(&f->arena);
    f->copy = backup_name(f->folder, "follow", now_ms, "db", &f->arena);
    const char *log = log_of(f->copy, &f->arena).p;
    TRY(backup_write(f->db[!f->held], f->copy.p, NULL, fail));
    TRY(read_changes(f, fail));
    if (f->log_fd >= 0)
        TRY(add_record(f, now_ms, fail));
    close_log(f);
    f->log_fd = open(log, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
    if (f->log_fd < 0)
        return fail_set(fail, disk_err(errno), "cannot create \"%s\": %s", log, disk_reason(errno));
    f->copied_at = now_ms;
    enum err err = add_record(f, now_ms, fail);
    release(f);
    return err ? err : remove_old(f, fail);
}

/* The next transaction then begins where all pages are in the file, unless a commit comes between:
 * so the next commit can begin the log again. */
static enum err checkpoint(struct backup_follow *f, struct fail *fail)
{
    TRY(db_exec(f->db[!f->held], "PRAGMA wal_checkpoint(PASSIVE)", fail));
    TRY(hold_other(f, fail));
    release(f);
    return OK;
}

enum err backup_follow_look(
    struct backup_follow *f, int64_t now_ms, bool *ret_copied, struct fail *fail)
{
    enum err err = read_changes(f, fail);
    bool large = record_size(f->pages.count, f->reader.page_size) > RECORD_BYTES_MAX;
    *ret_copied = f->log_fd < 0 || large || now_ms - f->copied_at >= COPY_EACH_MS;
    if (!err && f->log_fd >= 0 && f->pages.count && !large)
        err = add_record(f, now_ms, fail);
    if (!err)
        release(f);
    if (!err && *ret_copied)
        err = make_copy(f, now_ms, fail);
    return !err && f->reader.at >= LOG_BYTES_MAX ? checkpoint(f, fail) : err;
}

static enum err open_folder(struct backup_follow *f, struct fail *fail)
{
    f->folder_fd = open(f->folder.p, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (f->folder_fd >= 0 && flock(f->folder_fd, LOCK_EX | LOCK_NB) == 0)
        return OK;
    return errno == EWOULDBLOCK
               ? fail_set(fail, ERR_BUSY, "another backup follows into \"%s\"", f->folder.p)
               : fail_set(fail, ERR_IO, "cannot use the folder \"%s\": %m", f->folder.p);
}

enum err backup_follow_start(
    struct str url, struct str folder, int64_t keep, struct backup_follow **ret, struct fail *fail)
{
    struct backup_follow *f = MEM_NEW(struct backup_follow);
    *f = (struct backup_follow){.folder = folder, .keep = keep, .folder_fd = -1, .log_fd = -1};
    arena_init(&f->arena);
    wal_reader_init(&f->reader);
    enum err err = open_folder(f, fail);
    for (int i = 0; i < 2 && !err; i++)
        err = store_open(url, STORE_WRITE, &f->db[i], fail);
    if (!err) {
        f->wal = mem_strdup(arena_fmt(&f->arena, "%.*s-wal", STR_ARG(db_name(f->db[0]))));
        err = hold_other(f, fail);
    }
    if (err) {
        backup_follow_stop(f);
        return err;
    }
    f->held = 1;
    *ret = f;
    return OK;
}

void backup_follow_stop(struct backup_follow *f)
{
    if (!f)
        return;
    close_log(f);
    wal_reader_finish(&f->reader);
    mem_free(f->pages.items);
    db_close(f->db[0]);
    db_close(f->db[1]);
    if (f->folder_fd >= 0)
        close(f->folder_fd);
    mem_free(f->wal);
    arena_finish(&f->arena);
    mem_free(f);
}

/* --- restoring */

/* NULL: there is no further whole record. The caller frees it. */
static uint8_t *read_record(FILE *log, struct follow_record *ret)
{
    uint8_t digest[SHA256_SIZE];
    struct stat st;
    if (fread(ret, sizeof *ret, 1, log) != 1 || ret->magic != MAGIC ||
        ret->page_size > WAL_PAGE_MAX || ret->pages > UINT32_MAX)
        return NULL;
    size_t size = record_size(ret->pages, ret->page_size), head = sizeof *ret;
    if (fstat(fileno(log), &st) != 0 || size > (uint64_t)st.st_size)
        return NULL;
    uint8_t *bytes = mem_alloc(size);
    memcpy(bytes, ret, head);
    bool whole = fread(bytes + head, size - head, 1, log) == 1;
    sha256(str_of((const char *)bytes, size - SHA256_SIZE), digest);
    if (whole && memcmp(digest, bytes + size - SHA256_SIZE, SHA256_SIZE) == 0)
        return bytes;
    mem_free(bytes);
    return NULL;
}

enum err backup_follow_find(
    struct str folder, int64_t at_ms, struct arena *arena, struct str *ret_copy, struct fail *fail)
{
    struct backup_list copies;
    struct follow_record r, newest = {.at_ms = INSTANT_NONE};
    enum err err = backup_list(folder, COPIES, arena, &copies, fail);
    for (int i = 0; i < copies.count; i++) {
        FILE *log = fopen(log_of(copies.files[i], arena).p, "re");
        uint8_t *first = log ? read_record(log, &r) : NULL;
        if (first && r.at_ms <= at_ms && r.at_ms >= newest.at_ms) {
            newest = r;
            *ret_copy = copies.files[i];
        }
        mem_free(first);
        if (log)
            fclose(log);
    }
    return err || newest.at_ms != INSTANT_NONE
               ? err
               : fail_set(
                     fail, ERR_NOT_FOUND,
                     "\"%s\" has no copy of `backup --follow` that is old enough", folder.p);
}

static bool write_pages(int to, const struct follow_record *r, const uint8_t *p)
{
    bool done = true;
    for (uint64_t i = 0; i < r->pages && done; i++, p += r->page_size) {
        uint64_t no;
        memcpy(&no, p, sizeof no);
        p += sizeof no;
        done =
            pwrite(to, p, r->page_size, (off_t)((no - 1) * r->page_size)) == (ssize_t)r->page_size;
    }
    return done && (!r->pages || ftruncate(to, (off_t)(r->page_count * r->page_size)) == 0);
}

enum err backup_follow_apply(
    struct str copy, const char *to, int64_t at_ms, int64_t *ret_at, struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct follow_record r;
    FILE *log = fopen(log_of(copy, &arena).p, "re");
    FD_CLOSED int fd = open(to, O_RDWR | O_CLOEXEC);
    bool done = log && fd >= 0;
    for (uint8_t *bytes; done && (bytes = read_record(log, &r)); mem_free(bytes)) {
        bool later = r.at_ms > at_ms;
        done = later || write_pages(fd, &r, bytes + sizeof r);
        *ret_at = later ? *ret_at : r.at_ms;
        if (later)
            fseek(log, 0, SEEK_END); /* also if the clock was set back after it */
    }
    done = done && fsync(fd) == 0;
    enum err err = done ? OK
                        : fail_set(
                              fail, disk_err(errno), "cannot apply the log of \"%s\": %s", copy.p,
                              disk_reason(errno));
    if (log)
        fclose(log);
    return err;
}
