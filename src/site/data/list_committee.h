/*
 * The filter of a list by committee. It offers every committee that can be behind a conflict
 * signal, whether or not a trade has one, so that it says nothing about trades that a visitor does
 * not see yet. Private to src/site.
 */
#pragma once

#include "site/frame/page_call.h"

/* Shows the field of call->query_form (NULL: nothing is given) as a choice of full committees, and
 * of the given one if it is none of them. */
void list_committee_show(struct page_call *call, const char *field);

/* "House Committee on Agriculture", "Subcommittee on Forestry of the House Committee on
 * Agriculture"; the id itself if no list of the program has it. `id` is in capital letters. */
struct str list_committee_title(struct arena *arena, struct str id);
