/*
 * Reads one page of a scan as the program does, for bench/scans.py: the picture of a page in (a
 * graymap), a line of JSON per row out. Can first turn, skew or spoil the page.
 *
 *     scan_page PAGE.pgm [--turn 90] [--skew 3] [--worse fax] [--sheet SHEET.pgm | --tsv FILE]
 *
 * --worse: as a worse machine would have scanned the page (tests/unit/worse_page.h).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/json_out.h"
#include "scan/scan_page.h"
#include "worse_page.h"

enum { FILE_SIZE_MAX = 512 * 1024 * 1024, LINE_SIZE_MAX = 64 * 1024 };

static const char *option(int argc, char **argv, const char *name)
{
    for (int i = 2; i + 1 < argc; i++)
        if (strcmp(argv[i], name) == 0)
            return argv[i + 1];
    return NULL;
}

static struct str read_file(const char *path, struct buf *b)
{
    FILE *file = fopen(path, "rb");
    buf_init(b, FILE_SIZE_MAX);
    while (file) {
        char *room = buf_reserve(b, LINE_SIZE_MAX);
        size_t n = room ? fread(room, 1, LINE_SIZE_MAX, file) : 0;
        if (n == 0)
            break;
        buf_commit(b, n);
    }
    if (file)
        fclose(file);
    else
        perror(path);
    return buf_view(b);
}

static void write_sheet(const char *path, const struct gray *sheet)
{
    FILE *file = fopen(path, "wb");
    if (!file) {
        perror(path);
        return;
    }
    if (sheet->height > 0) {
        fprintf(file, "P5\n%d %d\n255\n", sheet->width, sheet->height);
        fwrite(sheet->dots, 1, (size_t)sheet->width * (size_t)sheet->height, file);
    }
    fclose(file);
}

static void put_cell(struct json_out *j, const struct scan_row *row, enum cell cell)
{
    static const char how[] = "-bt?";
    char letter[] = {how[row->source[cell].how], '\0'};
    json_key(j, cell_name(cell));
    json_array_begin(j);
    json_str(j, row->cell[cell]);
    json_str(j, str_from(letter));
    json_str(j, row->source[cell].reason);
    json_array_end(j);
}

static void put_row(const struct scan_row *row)
{
    static const enum cell cells[] = {CELL_OWNER,    CELL_ASSET,  CELL_TYPE, CELL_DATE,
                                      CELL_NOTIFIED, CELL_AMOUNT, CELL_ID,   CELL_CAP_GAINS};
    struct buf b;
    struct json_out j;
    buf_init(&b, LINE_SIZE_MAX);
    json_init(&j, &b);
    json_object_begin(&j);
    json_key(&j, STR("top"));
    json_i64(&j, row->place.top);
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        put_cell(&j, row, cells[i]);
    json_object_end(&j);
    printf("%.*s\n", STR_ARG(buf_view(&b)));
    buf_finish(&b);
}

static void put_page(const struct scan_page *page, double seconds)
{
    struct buf b;
    struct json_out j;
    buf_init(&b, LINE_SIZE_MAX);
    json_init(&j, &b);
    json_object_begin(&j);
    json_key(&j, STR("form"));
    json_str(&j, scan_form_name(page->form));
    json_key(&j, STR("turn"));
    json_i64(&j, page->turn);
    json_key(&j, STR("skew"));
    json_i64(&j, page->skew);
    json_key(&j, STR("rows"));
    json_i64(&j, (int64_t)page->row_count);
    json_key(&j, STR("reason"));
    json_str(&j, page->reason);
    json_object_end(&j);
    printf("%.*s\n", STR_ARG(buf_view(&b)));
    fprintf(stderr, "%.3f s\n", seconds);
    buf_finish(&b);
}

int main(int argc, char **argv)
{
    struct buf picture, table;
    struct gray gray;
    struct arena arena;
    struct scan_page page;
    if (argc < 2 || !gray_read(read_file(argv[1], &picture), &gray)) {
        fprintf(
            stderr, "usage: scan_page PAGE.pgm [--turn N] [--skew N] [--worse NAME] "
                    "[--sheet FILE | --tsv FILE]\n");
        return 2;
    }
    const char *turn = option(argc, argv, "--turn"), *skew = option(argc, argv, "--skew");
    const char *worse = option(argc, argv, "--worse"), *sheet = option(argc, argv, "--sheet");
    const char *tsv = option(argc, argv, "--tsv");
    enum worse_kind kind = worse ? worse_kind_of(str_from(worse)) : WORSE_NONE;
    if (kind == WORSE_COUNT) {
        fprintf(stderr, "there is no kind \"%s\" of worse pages\n", worse);
        return 2;
    }
    arena_init(&arena);
    if (turn || skew || worse)
        gray = worse_page(
            &gray, turn ? (int)strtol(turn, NULL, 10) : 0, skew ? strtod(skew, NULL) : 0, kind,
            &arena);
    clock_t from = clock();
    scan_page_measure(&gray, &arena, &page);
    double seconds = (double)(clock() - from) / CLOCKS_PER_SEC;
    if (sheet)
        write_sheet(sheet, &page.sheet);
    if (tsv)
        scan_page_text(&page, read_file(tsv, &table), &arena);
    put_page(&page, seconds);
    for (size_t i = 0; i < page.row_count; i++)
        put_row(&page.rows[i]);
    return 0;
}
