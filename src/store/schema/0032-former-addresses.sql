-- Step 32 of the schema: former addresses of the accounts of reviewers. Drafts and their history name
-- people by the address that they had.

CREATE TABLE account_address (
    email {text} NOT NULL,
    account_no {int} NOT NULL REFERENCES account (no),
    PRIMARY KEY (email, account_no)
) {strict};

CREATE INDEX account_address_account ON account_address (account_no);
