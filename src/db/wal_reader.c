/* Reads write-ahead logs; see wal_reader.h. */
#include "db/wal_reader.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

enum { HEADER_SIZE = 32, FRAME_SIZE = 24, SUMMED = 24, MAGIC = 0x377f0682 };

void wal_reader_init(struct wal_reader *r)
{
    *r = (struct wal_reader){.fd = -1};
}

void wal_reader_finish(struct wal_reader *r)
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
    uint8_t *frame = mem_alloc(FRAME_SIZE + WAL_PAGE_MAX);
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
    mem_free(frame);
    keep_newest(ret, committed);
}

enum err wal_reader_read(
    struct wal_reader *r, const char *path, struct wal_pages *ret, struct fail *fail)
{
    bool has_header = false;
    ret->count = 0;
    if (r->fd < 0) /* it keeps its file while a connection has it open */
        r->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (r->fd < 0)
        return errno == ENOENT ? OK : fail_set(fail, ERR_IO, "cannot open \"%s\": %m", path);
    enum err err = read_header(r, path, &has_header, fail);
    if (!err && has_header)
        read_frames(r, ret);
    return err;
}

enum err wal_reader_page(
    const struct wal_reader *r, const struct wal_page *page, uint8_t *ret, struct fail *fail)
{
    if (pread(r->fd, ret, r->page_size, page->at) == (ssize_t)r->page_size)
        return OK;
    return fail_set(fail, ERR_IO, "cannot read the write-ahead log: %m");
}
