-- Step 24 of the schema: what a reviewer typed into a form and has not saved.

CREATE TABLE typed (
    account_no {int} NOT NULL REFERENCES account (no),
    place {text} NOT NULL,
    body {text} NOT NULL,
    typed_at {int} NOT NULL,
    PRIMARY KEY (account_no, place)
) {strict};

CREATE INDEX typed_at ON typed (typed_at);
