/*
 * A second reading of a document, in another way than the first and without its rules for rows and
 * cells, so that the two do not share mistakes. Every cell that the second can read must agree;
 * white space does not count. A cell that differs is a doubt about its row, and another number of
 * rows fails the self-check `second_reading`. Both run in the confined child.
 */
#pragma once

#include "paper/readers.h"

/* A row as read the second time. CELL_TICKER holds both symbols, CELL_ASSET the detail too. */
struct second_row {
    int row;
    struct str cell[CELL_COUNT]; /* null: not printed */
    bool unread[CELL_COUNT];     /* it is not clear where the cell ends: nothing is said about it */
};

enum { SECOND_READING_SHOWN_MAX = 200 }; /* bytes that are kept of a cell that differs */

struct second_reading {
    struct second_row *rows; /* ascending `row`, as in the first reading */
    size_t row_count;
};

/* Reads the words of a House report in the order in which the file draws them
 * (house_words_in_order): rows and labels as patterns in lines, without columns. */
void house_second_read(struct str text, struct arena *arena, struct second_reading *ret);

/* Reads the tags and texts of a Senate page in their order, without a tree. */
void senate_second_read(struct str html, struct arena *arena, struct second_reading *ret);

/* Adds the self-check to the first reading, and to its rows the cells that differ (`second`). */
void second_reading_check(
    struct reading *first, const struct second_reading *second, struct arena *arena);

/* Read a document both ways: house_ptr_read and senate_page_read, with that check. */
void house_ptr_read_twice(
    struct str bbox, const struct pdf_facts *facts, struct arena *arena, struct reading *ret);
void senate_page_read_twice(struct str html, struct arena *arena, struct reading *ret);
