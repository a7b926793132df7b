/*
 * Reads committees-current.json: an array of committees with type, name, thomas_id (HSAG) and
 * optional subcommittees. The id of a subcommittee is the id of its committee followed by its
 * thomas_id (15).
 */
#include "base/hidden.h"
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
    const char *hidden = hidden_reason(r->arena, "\"name\"", name);
    if (hidden)
        json_in_complain(j, "%s", hidden);
    if (name.n == 0 || name.n > NAME_SIZE_MAX || !hidden_free_line(name))
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
    struct committees_read *r, const struct json_in *j, const json_t *parts, size_t i,
    const struct committee *parent)
{
    struct fail why;
    struct json_in entry = json_in_entry(j, &why);
    const json_t *value = json_in_element(&entry, parts, i, "a subcommittee");
    struct str number = json_in_str(&entry, value, "thomas_id");
    struct committee committee = {
        .id = arena_fmt(r->arena, "%.*s%.*s", STR_ARG(parent->id), STR_ARG(number)),
        .name = read_name(r, &entry, value),
        .chamber = parent->chamber,
        .parent = parent->id,
    };
    if (!committee_id_valid(committee.id) || !committee_id_is_panel(committee.id))
        json_in_complain(
            &entry, "\"thomas_id\" of a subcommittee is not two digits: \"%.*s\"", STR_ARG(number));
    add(r, &entry, &committee);
    r->subcommittee_count += !committees_leave_out(r, &entry, committee.id, 0);
}

static void read_committee(struct committees_read *r, const struct json_in *j, size_t i)
{
    struct fail why;
    struct json_in entry = json_in_entry(j, &why);
    const json_t *value = json_in_element(&entry, j->root, i, "it");
    struct str id = json_in_str(&entry, value, "thomas_id");
    if (!committee_id_valid(id) || committee_id_is_panel(id))
        json_in_complain(&entry, "\"thomas_id\" is not four capital letters");
    struct committee committee = {.id = entry.err ? STR_NULL : arena_str(r->arena, id)};
    entry.within = committee.id;
    committee.name = read_name(r, &entry, value);
    struct str type = json_in_str(&entry, value, "type");
    committee.chamber = chamber_from_name(type);
    if (committee.chamber == CHAMBER_NONE && !str_eq(type, STR("joint")))
        json_in_complain(&entry, "\"type\" is not \"house\", \"senate\" or \"joint\"");
    const json_t *parts = json_in_opt_array(&entry, value, "subcommittees");
    add(r, &entry, &committee);
    if (committees_leave_out(r, &entry, committee.id, 0))
        return;
    for (size_t k = 0; k < json_array_size(parts); k++)
        read_subcommittee(r, &entry, parts, k, &committee);
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
        read_committee(r, &j, i);
    }
    j.record = 0;
    if (!j.err && r->committee_count == 0)
        json_in_complain(&j, "no committee in it is one: %.*s", STR_ARG(r->odd->what));
    err = j.err;
    json_in_close(&j);
    return err;
}
