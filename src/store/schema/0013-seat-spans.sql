-- Step 13 of the schema: committee seats that were imported as spans, beside the lists of single days.
-- The members need not be known. A span lies within one Congress. A row of committee_span_list is
-- the day of one of the lists that the spans were made from.

CREATE TABLE committee_span (
    member_id {text} NOT NULL,
    committee_id {text} NOT NULL,
    title {text} NOT NULL,
    from_day {int} NOT NULL,
    to_day {int},
    PRIMARY KEY (member_id, committee_id, from_day)
) {strict};

CREATE TABLE committee_span_list (
    day {int} PRIMARY KEY
) {strict};

CREATE TABLE committee_span_name (
    committee_id {text} NOT NULL,
    from_day {int} NOT NULL,
    name {text} NOT NULL,
    PRIMARY KEY (committee_id, from_day)
) {strict};
