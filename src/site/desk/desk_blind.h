/*
 * The form in which a person types a row from the page without seeing the stored row
 * (review/desk/blind.h): the fields that matter, in the order of the printed form. The partial is
 * web/desk_blind.mustache; the page puts the picture above it. Private to src/site/desk.
 */
#pragma once

#include "review/desk/blind.h"
#include "site/frame/page_call.h"

/* fields.NAME of `view` for the partial `desk_blind`, and `hasNotified`: only House forms state
 * the date of the notice. `posted` is what was typed, or NULL: every field is empty. */
void desk_blind_put(
    struct page_call *call, struct view *view, enum chamber chamber, const struct form *posted);

/* The values of a field that is chosen from a list, after an empty one, as `options` of `item`
 * (value, label, selected); false: the field is typed. */
bool desk_blind_options(
    struct page_call *call, struct view *item, enum blind_field field, struct str selected);

/* If the text begins with `name` of a field and a colon, it begins with `label` instead. */
void desk_fault_label(struct fail *fail, struct str name, struct str label);

/* The same for any field of the form: with its words. */
void desk_blind_label(struct fail *fail);

/* Reads the form; texts live in the arena of the call. Returns false with faults beside their
 * fields, or above the form if nothing was typed. */
bool desk_blind_read(struct page_call *call, struct form *form, struct blind_row *ret);
