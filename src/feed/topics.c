/* What conflict signals are about; see topics.h. */
#include "feed/topics.h"

#include "base/hash.h"
#include "base/json_in.h"

void topics_init(struct topics *t)
{
    *t = (struct topics){.last = 0};
    arena_init(&t->arena);
    intmap_init(&t->by_reason);
}

void topics_finish(struct topics *t)
{
    arena_finish(&t->arena);
    intmap_finish(&t->by_reason);
}

/* --- committees */

/* The name of today, where the map of committees has it; else the one in the evidence. A
 * subcommittee's title ends with that of its committee. */
static struct str title_of(struct str id, struct str title, bool of_parent)
{
    const struct str between = STR(" of the ");
    size_t count;
    const struct committee_entry *entry = industry_of_committee(id, &count);
    if (id.n == COMMITTEE_ID_SIZE && count)
        return entry->name;
    for (size_t at = title.n; of_parent && at >= between.n; at--)
        if (str_eq(str_slice(title, at - between.n, at), between))
            return str_slice(title, at, title.n);
    return title;
}

/* UINT32_MAX: there are too many. */
static uint32_t intern(struct topics *t, struct str id, struct str title, bool of_parent)
{
    uint32_t number = topics_committee_with(t, id), parent;
    if (number != UINT32_MAX)
        return number;
    parent = id.n > COMMITTEE_ID_SIZE ? intern(t, str_slice(id, 0, COMMITTEE_ID_SIZE), title, true)
                                      : topics_committee_count(t);
    number = topics_committee_count(t);
    if (parent == UINT32_MAX || number == TOPIC_COMMITTEES_MAX)
        return UINT32_MAX;
    struct topic_committee *committee = ARENA_NEW(&t->arena, struct topic_committee);
    *committee = (struct topic_committee){
        arena_str(&t->arena, id), arena_str(&t->arena, title_of(id, title, of_parent)), parent};
    atomic_store_explicit(&t->committees[number], committee, memory_order_relaxed);
    atomic_store_explicit(&t->committee_count, number + 1, memory_order_release);
    return number;
}

uint32_t topics_committee_count(const struct topics *t)
{
    return atomic_load_explicit(&t->committee_count, memory_order_acquire);
}

const struct topic_committee *topics_committee(const struct topics *t, uint32_t number)
{
    return atomic_load_explicit(&t->committees[number], memory_order_relaxed);
}

uint32_t topics_committee_with(const struct topics *t, struct str id)
{
    uint32_t count = topics_committee_count(t);
    for (uint32_t i = 0; i < count; i++)
        if (str_eq(topics_committee(t, i)->id, id))
            return i;
    return UINT32_MAX;
}

/* --- findings */

/* NULL: the evidence cannot be read. */
static struct signal_topic *read_topic(struct json_in *j, struct topics *t)
{
    struct signal_topic *topic = ARENA_NEW(&t->arena, struct signal_topic);
    const json_t *list = json_in_array(j, j->root, "committees");
    size_t n = list ? json_array_size(list) : 0;
    uint32_t *numbers = ARENA_ARRAY(&t->arena, uint32_t, n + 1);
    struct str *names = ARENA_ARRAY(&t->arena, struct str, n + 1);
    *topic = (struct signal_topic){
        .industry = industry_from_name(json_in_str(j, j->root, "industry")),
        .basis = conflict_basis_from_name(json_in_opt_str(j, j->root, "basis")),
        .grade = conflict_grade_from_name(json_in_opt_str(j, j->root, "grade")),
        .committees = numbers,
        .names = names,
    };
    for (size_t i = 0; i < n; i++) {
        const json_t *seat = json_in_element(j, list, i, "a committee");
        struct str id = seat ? json_in_str(j, seat, "id") : STR_NULL;
        struct str name = seat ? json_in_str(j, seat, "name") : STR_NULL;
        uint32_t number =
            !j->err && committee_id_valid(id) ? intern(t, id, name, false) : UINT32_MAX;
        if (number == UINT32_MAX)
            continue;
        struct str title = topics_committee(t, number)->title;
        names[topic->committee_count] = str_eq(title, name) ? title : arena_str(&t->arena, name);
        numbers[topic->committee_count++] = number;
    }
    return j->err ? NULL : topic;
}

void topics_add(struct topics *t, const struct finding *finding)
{
    SCOPED(json_in_close) struct json_in j;
    struct fail unused;
    t->last = finding->no;
    if (json_in_open_object(&j, STR("the evidence"), finding->evidence, &unused) != OK)
        return;
    struct signal_topic *topic = read_topic(&j, t);
    if (topic)
        intmap_put(&t->by_reason, hash_str(finding->reason), topic);
}

static void visit_finding(void *ctx, const struct finding *finding, bool damaged)
{
    struct topics *t = ctx;
    t->last = finding->no;
    if (!damaged)
        topics_add(t, finding);
}

enum err topics_read(struct topics *t, struct db *db, struct fail *fail)
{
    return finding_each_after(db, t->last, visit_finding, t, fail);
}

const struct signal_topic *topics_find(const struct topics *t, struct str reason)
{
    return intmap_get(&t->by_reason, hash_str(reason));
}

bool topics_keep(
    const struct topics *t, const struct topic_choice *choice, const struct signal_topic *topic)
{
    bool found = !choice->of_committee;
    if (!topic || (choice->industry && topic->industry != choice->industry))
        return !choice->industry && !choice->of_committee;
    for (uint32_t i = 0; i < topic->committee_count && !found; i++)
        found = topic->committees[i] == choice->committee ||
                topics_committee(t, topic->committees[i])->parent == choice->committee;
    return found;
}
