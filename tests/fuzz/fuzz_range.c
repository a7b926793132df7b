/* Any bytes as the value of Range: a range that is read lies within the content, is as long as its
 * numbers say, and comes out the same when it is written as "bytes=FROM-TO". The first eight bytes
 * choose the size of the content. */
#include "fuzz.h"

#include "base/buf.h"
#include "edge/representation.h"

enum { TEXT_MAX = 1000 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str value = fuzz_text(data, size);
    if (size < sizeof(uint64_t) || size > TEXT_MAX)
        return 0;
    uint64_t number = fuzz_number(&value), content = number >> (1 + number % 60);
    uint64_t at = content + 1, end = content + 2;
    if (!range_read(value, content, &at, &end)) {
        assert(at == content + 1 && end == content + 2);
        return 0;
    }
    assert(str_starts(value, STR("bytes=")) && str_find_char(value, '-') >= 0);
    assert(str_find_char(value, ',') < 0);
    assert(end <= content);
    if (at >= end)
        return 0;
    char text[TEXT_MAX];
    struct buf b = buf_over(text, sizeof text);
    uint64_t again_at, again_end;
    buf_fmt(&b, "bytes=%llu-%llu", (unsigned long long)at, (unsigned long long)(end - 1));
    bool read = range_read(buf_view(&b), content, &again_at, &again_end);
    assert(read && again_at == at && again_end == end);
    return 0;
}
