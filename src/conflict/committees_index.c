/*
 * Reads committees-current.json: an array of committees with type, name, thomas_id (HSAG) and
 * optional subcommittees. The id of a subcommittee is the id of its committee followed by its
 * thomas_id (15).
 */
#include "base/utf8.h"
#include "conflict/committees_read.h"
#include "base/json_in.h"

enum { ENTRIES_MAX = 5000, NAME_SIZE_MAX = 300 };

/* The maximum number of committees and subcommittees. */
static size_t count_entries(const json_t *root)
{
    size_t count = json_array_size(root);
    for (size_t i = 0; i < json_array_size(root); i++)
        count += json_array_size(json_object_get(json_array_get(root, i), "subcommittees"));
    return count;
}

static struct str read_name(struct committees_read *r, struct json_in *j, const json_t *value)
{
    struct str name = str_trim(json_in_str(j, value, "name"));
    if (name.n == 0 || name.n > NAME_SIZE_MAX || !utf8_is_line(name))
        json_in_complain(j, "\"name\" is not a line of 1 to %d bytes", NAME_SIZE_MAX);
    return arena_str(r->arena, name);
}

/* Adds the committee, unless there was a complaint. */
static void add(struct committees_read *r, struct json_in *j, const struct committee *committee)
{
    if (!j->err && intmap_get(&r->by_id, committees_key(committee->id)))
        json_in_complain(j, "%.*s is listed twice", STR_ARG(committee->id));
    if (j->err)
        return;
    struct committee *kept = &r->committees[r->committee_count++];
    *kept = *committee;
    intmap_put(&r->by_id, committees_key(kept->id), kept);
}

static void read_subcommittee(
    struct committees_read *r, struct json_in *j, const json_t *value,
    const struct committee *parent)
{
    struct str number = json_in_str(j, value, "thomas_id");
    struct committee committee = {
        .id = arena_fmt(r->arena, "%.*s%.*s", STR_ARG(parent->id), STR_ARG(number)),
        .name = read_name(r, j, value),
        .chamber = parent->chamber,
        .parent = parent->id,
    };
    if (!committees_id_valid(committee.id, true))
        json_in_complain(j, "\"thomas_id\" of a subcommittee is not two digits");
    add(r, j, &committee);
    r->subcommittee_count++;
}

static void read_committee(struct committees_read *r, struct json_in *j, const json_t *value)
{
    struct str id = json_in_str(j, value, "thomas_id");
    if (!committees_id_valid(id, false))
        json_in_complain(j, "\"thomas_id\" is not four capital letters");
    if (j->err)
        return;
    struct committee committee = {.id = arena_str(r->arena, id)};
    j->within = committee.id;
    committee.name = read_name(r, j, value);
    struct str type = json_in_str(j, value, "type");
    committee.chamber = chamber_from_name(type);
    if (committee.chamber == CHAMBER_NONE && !str_eq(type, STR("joint")))
        json_in_complain(j, "\"type\" is not \"house\", \"senate\" or \"joint\"");
    add(r, j, &committee);
    const json_t *parts = json_in_opt_array(j, value, "subcommittees");
    for (size_t i = 0; i < json_array_size(parts) && !j->err; i++)
        read_subcommittee(r, j, json_in_element(j, parts, i, "a subcommittee"), &committee);
}

enum err committees_read_index(
    struct committees_read *r, const struct import_file *file, struct fail *fail)
{
    struct json_in j;
    enum err err = json_in_open(&j, file->name, file->text, fail);
    if (err)
        return err;
    size_t count = count_entries(j.root);
    if (count == 0 || count > ENTRIES_MAX)
        json_in_complain(&j, "lists %zu committees, not 1 to %d", count, ENTRIES_MAX);
    else
        r->committees = ARENA_ARRAY(r->arena, struct committee, count);
    for (size_t i = 0; i < json_array_size(j.root) && !j.err; i++) {
        j.record = i + 1;
        j.within = STR_NULL;
        read_committee(r, &j, json_in_element(&j, j.root, i, "it"));
    }
    err = j.err;
    json_in_close(&j);
    return err;
}
