/*
 * The box "Cap. gains > $200?" of a row of a House report. Newer reports draw it (pdf_flow.h),
 * older ones print it as letters of a symbol font.
 */
#pragma once

#include "paper/house_words.h"
#include "paper/readers.h"

/* Adds the box that the words of the line print from this one on, if they do. */
void house_box_take(struct pdf_boxes *boxes, const struct house_line *line, size_t from);

/* "checked" or "not checked": the box right of `left`, beside the first line of the row. Null:
 * there is none, or more than one. */
struct str house_box_text(const struct pdf_boxes *boxes, const struct house_place *row, int left);
