/* How cells were read; see cell_source.h. */
#include "paper/cell/cell_source.h"

#include <assert.h>

enum { STORED_MAX = 64 * 1024 };

static const struct str how_names[CELL_HOW_COUNT] = {
    [CELL_NOT_READ] = STR_INIT("not_read"),
    [CELL_FROM_BOX] = STR_INIT("box"),
    [CELL_FROM_TEXT] = STR_INIT("text"),
    [CELL_ENTERED] = STR_INIT("entered"),
};

bool cell_source_is_unsure(const struct cell_source *source)
{
    return source->how == CELL_FROM_TEXT && source->reason.n;
}

struct str cell_source_name(const struct cell_source *source)
{
    assert(source->how < CELL_HOW_COUNT);
    return cell_source_is_unsure(source) ? STR("unsure") : how_names[source->how];
}

void cell_sources_put(struct json_out *j, const struct cell_source sources[static CELL_COUNT])
{
    json_object_begin(j);
    for (int c = 0; c < CELL_COUNT; c++) {
        const struct cell_source *source = &sources[c];
        if (source->how == CELL_NOT_READ && str_is_null(source->reason))
            continue;
        json_key(j, cell_name((enum cell)c));
        json_object_begin(j);
        JSON_KEY_STR(j, "how", how_names[source->how]);
        if (!str_is_null(source->reason))
            JSON_KEY_STR(j, "reason", source->reason);
        json_object_end(j);
    }
    json_object_end(j);
}

static enum cell_how get_how(struct json_in *j, const json_t *source)
{
    struct str text = json_in_str(j, source, "how");
    for (int h = 0; h < CELL_HOW_COUNT; h++)
        if (str_eq(how_names[h], text))
            return (enum cell_how)h;
    json_in_complain(j, "\"how\" has an unknown value");
    return CELL_NOT_READ;
}

static struct str get_reason(struct json_in *j, const json_t *source, struct arena *arena)
{
    struct str text = json_in_opt_str(j, source, "reason");
    bool line = str_find_char(text, '\n') < 0 && str_find_char(text, '\r') < 0 &&
                str_find_char(text, '\t') < 0;
    if (text.n <= CELL_REASON_MAX && line)
        return arena_str(arena, text);
    json_in_complain(j, "\"reason\" is not one line of at most %d bytes", CELL_REASON_MAX);
    return STR_NULL;
}

void cell_sources_get(
    struct json_in *j, const json_t *object, struct arena *arena,
    struct cell_source ret[static CELL_COUNT])
{
    for (int c = 0; c < CELL_COUNT; c++) {
        const char *name = cell_name((enum cell)c).p;
        ret[c] = (struct cell_source){.how = CELL_NOT_READ};
        if (j->err || !json_object_get(object, name))
            continue;
        const json_t *source = json_in_object(j, object, name);
        ret[c].how = get_how(j, source);
        ret[c].reason = get_reason(j, source, arena);
    }
}

bool cell_sources_read(
    struct str text, struct arena *arena, struct cell_source ret[static CELL_COUNT])
{
    SCOPED(json_in_close) struct json_in j = {.root = NULL};
    struct fail ignored = {0};
    memset(ret, 0, CELL_COUNT * sizeof *ret);
    if (str_is_null(text) || json_in_open_object(&j, STR("sources"), text, &ignored))
        return false;
    cell_sources_get(&j, j.root, arena, ret);
    bool sound = !j.err;
    if (!sound)
        memset(ret, 0, CELL_COUNT * sizeof *ret);
    return sound;
}

struct str cell_sources_enter(struct str text, enum cell cell, struct arena *arena)
{
    struct cell_source sources[CELL_COUNT];
    struct json_out j;
    BUF_SCOPED(b, STORED_MAX);
    if (!cell_sources_read(text, arena, sources))
        return text;
    sources[cell] = (struct cell_source){.how = CELL_ENTERED};
    json_init(&j, &b);
    cell_sources_put(&j, sources);
    return arena_str(arena, buf_view(&b));
}

bool page_place_is_valid(const struct page_place *place)
{
    return place->left >= 0 && place->top >= 0 && place->width > 0 && place->height > 0 &&
           place->width <= PAGE_PLACE_WHOLE && place->height <= PAGE_PLACE_WHOLE &&
           place->left <= PAGE_PLACE_WHOLE - place->width &&
           place->top <= PAGE_PLACE_WHOLE - place->height;
}
