/*
 * The reviewer's filters and order of the queue, as parameters of the desk's pages and as hidden
 * fields of its forms, so that "accept and next" stays in the same list. Private to src/site/desk.
 */
#pragma once

#include "html/link.h"
#include "site/frame/page_call.h"
#include "site/frame/page_query.h"
#include "store/desk/draft_queue.h"

enum { DESK_QUERY_NAMES = 6 };

struct desk_query {
    struct draft_queue_filter filter;
    struct link_param given[DESK_QUERY_NAMES]; /* the values that are not the default */
    size_t given_count;
};

/* The names, for page_query_form: DESK_QUERY_NAMES of them. */
extern const struct page_query_name desk_query_names[];

/* Reads the query of a GET or the hidden fields of a POST. An invalid value is a fault of the
 * form, and counts as missing. */
void desk_query_read(struct page_call *call, struct form *form, struct desk_query *ret);

/* `carried` of the view: name and value of each, for hidden fields. */
void desk_query_carry(struct page_call *call, const struct desk_query *query);

/* "/desk/house-20990001?sort=clean"; null id: the queue itself. */
struct str desk_link(struct page_call *call, struct str filing_id, const struct desk_query *query);

/* The address of the first draft after `filing_id` in the list (null: of all) that this reviewer
 * can decide now; the queue if there is none. */
enum err desk_next(
    struct page_call *call, struct db *db, const struct desk_query *query, struct str filing_id,
    struct str *ret, struct fail *fail);
