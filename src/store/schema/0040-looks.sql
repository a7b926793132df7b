-- Step 40 of the schema: evidence of looking (docs/adr/0039-evidence-of-looking.md), usable from 36.

-- What the server has shown of a draft to a person, and when last. `pages` and `opened` (rows) are
-- sets of numbers, "1-3,7". `ms`: the time between the requests. The pictures that a command has
-- written have no person: by_email is empty.

CREATE TABLE draft_look (
    draft_no {int} NOT NULL REFERENCES draft (no),
    by_email {text} NOT NULL,
    pages {text} NOT NULL,
    opened {text} NOT NULL,
    ms {int} NOT NULL,
    last_at {int} NOT NULL,
    PRIMARY KEY (draft_no, by_email)
) {strict};

CREATE INDEX draft_look_person ON draft_look (by_email, last_at);

-- What an acceptance of a draft can prove by it. `pages` are those with rows that were shown.

CREATE TABLE acceptance (
    no {id},
    draft_no {int} NOT NULL REFERENCES draft (no),
    at {int} NOT NULL,
    by_email {text} NOT NULL,
    way {text} NOT NULL CHECK ({one_of way script desk command}),
    review {text} NOT NULL CHECK ({one_of review row page unseen}),
    pages {text} NOT NULL,
    opened {text} NOT NULL,
    row_count {int} NOT NULL,
    ms {int} NOT NULL,
    clean {int} NOT NULL
) {strict};

CREATE INDEX acceptance_draft ON acceptance (draft_no);

CREATE INDEX acceptance_at ON acceptance (at);

{append_only acceptance};

-- The acceptance of the last publication; null: bulk history, or accepted by an earlier version.

ALTER TABLE filing ADD COLUMN acceptance_no {int};
