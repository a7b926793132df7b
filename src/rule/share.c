/* Estimates of shares; see share.h. */
#include "rule/share.h"

#include <assert.h>
#include <math.h>

static const double z = 1.959964; /* of 95 % of a normal distribution */

static struct share wilson(double rate, double checked)
{
    double square = z * z / checked;
    double middle = (rate + square / 2) / (1 + square);
    double half = sqrt(rate * (1 - rate) * square + square * square / 4) / (1 + square);
    struct share share = {rate, middle - half, middle + half};
    /* Rounding must not leave the exact ends. */
    if (rate <= 0 || share.low < 0)
        share.low = 0;
    if (rate >= 1 || share.high > 1)
        share.high = 1;
    return share;
}

bool share_of(int64_t wrong, int64_t checked, struct share *ret)
{
    assert(wrong >= 0 && wrong <= checked);
    if (!checked)
        return false;
    *ret = wilson((double)wrong / (double)checked, (double)checked);
    return true;
}

bool share_of_parts(const struct share_part *parts, size_t count, struct share *ret)
{
    double rows = 0, wrong = 0, squares = 0;
    for (size_t i = 0; i < count; i++) {
        const struct share_part *part = &parts[i];
        assert(part->wrong >= 0 && part->wrong <= part->checked);
        if (!part->checked || part->rows <= 0)
            continue;
        double n = (double)part->rows, checked = (double)part->checked;
        double worth = part->squares ? checked * checked / (double)part->squares : checked;
        rows += n;
        wrong += n * (double)part->wrong / checked;
        squares += n * n / worth;
    }
    if (rows <= 0)
        return false;
    *ret = wilson(wrong / rows, rows * rows / squares);
    return true;
}

bool share_of_groups(const struct share_part *part, struct share *ret)
{
    struct share_part only = *part;
    only.rows = 1;
    return share_of_parts(&only, 1, ret);
}

void share_put(struct buf *b, double share)
{
    buf_fmt(b, "%.4f", share);
}

void share_put_words(struct buf *b, double share)
{
    int tenths = (int)(share * 1000 + 0.5);
    if (share <= 0)
        buf_text(b, "0 %");
    else if (tenths == 0)
        buf_text(b, "under 0.1 %");
    else if (share >= 1)
        buf_text(b, "100 %");
    else if (tenths >= 1000)
        buf_text(b, "over 99.9 %");
    else
        buf_fmt(b, "%d.%d %%", tenths / 10, tenths % 10);
}
