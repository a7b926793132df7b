/* Digests of readings; see content.h. */
#include "paper/content.h"

#include "paper/cell/printed.h"

enum { CONTENT_SIZE_MAX = READING_INDEX_SIZE_MAX };

/* "--" equals an empty cell. A known asset type is replaced by its meaning. */
static struct str normal(struct str cell, enum cell which)
{
    enum asset_type type;
    if (printed_is_empty(cell))
        return STR_NULL;
    if (which == CELL_ASSET_TYPE && printed_asset_type(cell, &type))
        return asset_type_name(type);
    return cell;
}

static void put_row(struct json_out *j, const struct reading_row *row)
{
    json_array_begin(j);
    json_i64(j, row->row);
    json_i64(j, row->status);
    for (int c = 0; c < CELL_COUNT; c++)
        json_str(j, normal(row->cell[c], (enum cell)c));
    json_array_end(j);
}

void content_digest(const struct reading *reading, uint8_t ret[SHA256_SIZE])
{
    struct json_out j;
    BUF_SCOPED(b, CONTENT_SIZE_MAX);
    json_init(&j, &b);
    json_array_begin(&j);
    json_i64(&j, reading->kind);
    json_str(&j, reading->document_id);
    json_str(&j, reading->state_district);
    json_str(&j, reading->filed);
    json_str(&j, reading->report_date);
    json_i64(&j, reading->amendment);
    for (size_t i = 0; i < reading->row_count; i++)
        put_row(&j, &reading->rows[i]);
    json_array_end(&j);
    sha256(buf_view(&b), ret);
}
