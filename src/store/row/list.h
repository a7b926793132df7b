/* Collects result rows and then moves them to the caller's arena. Private to src/store. */
#pragma once

#include "db/db.h"

struct list {
    char *items;
    size_t size; /* of one item */
    size_t count;
    size_t room;
};

void list_init(struct list *list, size_t item_size);
/* Declares an empty one, which is freed where its block ends. */
#define LIST_SCOPED(name, type)                                                                    \
    struct list name __attribute__((cleanup(list_finish))) = {.size = sizeof(type)}
void *list_add(struct list *list); /* returns a zeroed item; earlier ones may move */
/* Copies the items into the arena and frees the list. Never NULL. */
void *list_keep(struct list *list, struct arena *arena);
/* Ends the query and moves the items to `items` and `count` of *ret, which an error leaves as it
 * was. Frees the list. */
#define list_end(list, q, arena, ret, fail)                                                        \
    list_end_items(list, q, arena, &(ret)->items, &(ret)->count, fail)
enum err list_end_items(
    struct list *list, struct query *q, struct arena *arena, void *ret_items, size_t *ret_count,
    struct fail *fail);
/* The whole of it: ends the query, and *ret has an item of each row, which the last argument makes.
 * An error leaves *ret as it was. */
#define list_read(q, arena, ret, fail, ...)                                                        \
    list_read_items(q, arena, &(ret)->items, &(ret)->count, fail, __VA_ARGS__)
#define list_read_items(q, arena, ret_items, ret_count, fail, ...)                                 \
    ({                                                                                             \
        struct list rows_;                                                                         \
        list_init(&rows_, sizeof **(ret_items));                                                   \
        while (query_row(q))                                                                       \
            *(__typeof__(*(ret_items)))list_add(&rows_) = (__VA_ARGS__);                           \
        list_end_items(&rows_, q, arena, ret_items, ret_count, fail);                              \
    })
void list_finish(struct list *list); /* frees the list; fine after list_keep */
