-- Step 16 of the schema: accounts that people run themselves (docs/adr/0024-accounts.md).

-- A deleted account keeps its row, without address and password: keys, endpoints and the action log
-- refer to it. Its email is empty, and email_folded has its id.
--
-- `totp_step` is the last 30-second step whose code was used: a code works once. `totp_pending` is
-- the sealed secret of a second factor that its owner has not confirmed with a code yet.

ALTER TABLE account ADD COLUMN deleted_at {int};
ALTER TABLE account ADD COLUMN password_at {int};
ALTER TABLE account ADD COLUMN totp_at {int};
ALTER TABLE account ADD COLUMN totp_step {int};
ALTER TABLE account ADD COLUMN totp_pending {blob};

-- No version before this step wrote a session. `place` is the network of the last use, never a whole
-- address, and `browser` a short name. `proved_at` is when the person last gave the password.

DROP TABLE session;

CREATE TABLE session (
    no {id},
    id {text} NOT NULL UNIQUE,
    sha256 {blob} NOT NULL UNIQUE CHECK (length(sha256) = 32),
    account_no {int} NOT NULL REFERENCES account (no),
    created_at {int} NOT NULL,
    seen_at {int} NOT NULL,
    expires_at {int} NOT NULL,
    proved_at {int} NOT NULL,
    place {text},
    browser {text}
) {strict};

CREATE INDEX session_account ON session (account_no);

CREATE INDEX session_expires ON session (expires_at);

-- Secrets that were sent by e-mail, or that join the two steps of a sign-in, as SHA-256. `email` is
-- the address that a sign-up or an invitation is for, or the new one of a change of address.

CREATE TABLE token (
    no {id},
    sha256 {blob} NOT NULL UNIQUE CHECK (length(sha256) = 32),
    purpose {text} NOT NULL
        CHECK ({one_of purpose sign_up reset address_old address_new invitation sign_in}),
    account_no {int} REFERENCES account (no),
    email {text},
    email_folded {text},
    password_hash {text},
    plan {text} CHECK ({one_of plan scout wolf pack den}),
    role {text} CHECK ({one_of role member reviewer admin}),
    by_id {text},
    tries {int} NOT NULL DEFAULT 0,
    created_at {int} NOT NULL,
    expires_at {int} NOT NULL,
    used_at {int}
) {strict};

CREATE INDEX token_account ON token (account_no, purpose);

CREATE INDEX token_email ON token (email_folded, purpose);

CREATE INDEX token_expires ON token (expires_at);

CREATE TABLE recovery_code (
    no {id},
    account_no {int} NOT NULL REFERENCES account (no),
    sha256 {blob} NOT NULL CHECK (length(sha256) = 32),
    created_at {int} NOT NULL,
    used_at {int},
    UNIQUE (account_no, sha256)
) {strict};

-- Forms that were sent: each has a random number, which is accepted once.

CREATE TABLE once (
    number {blob} NOT NULL PRIMARY KEY CHECK (length(number) = 16),
    used_at {int} NOT NULL
) {strict};

CREATE INDEX once_used ON once (used_at);

-- Who did what, on what, when, and from which session. `actor_id` is the id of an account that acted.
-- `account_id` is the account that the action concerned. No address and no secret.

CREATE TABLE action_log (
    no {id},
    at {int} NOT NULL,
    actor {text} NOT NULL CHECK ({one_of actor visitor account operator}),
    actor_id {text},
    session_id {text},
    action {text} NOT NULL,
    account_id {text},
    subject_kind {text},
    subject_id {text},
    detail {text}
) {strict};

CREATE INDEX action_log_actor ON action_log (actor_id, no);

CREATE INDEX action_log_account ON action_log (account_id, no);

CREATE INDEX action_log_action ON action_log (action, no);

CREATE INDEX action_log_subject ON action_log (subject_id, no);

{append_only action_log};

-- Mail: whose it is, what it is about, and its folded address, which bounds how often an address
-- gets mail of one kind. A body with a secret link is sealed, and erased when it was sent.

ALTER TABLE mail ADD COLUMN kind {text};
ALTER TABLE mail ADD COLUMN account_no {int};
ALTER TABLE mail ADD COLUMN to_folded {text};
ALTER TABLE mail ADD COLUMN body_sealed {blob};

UPDATE mail SET account_no = (SELECT no FROM account a WHERE a.email = mail.to_email),
    to_folded = (SELECT email_folded FROM account a WHERE a.email = mail.to_email);

CREATE INDEX mail_to ON mail (to_folded, kind, created_at);

CREATE INDEX mail_account ON mail (account_no);
