-- Step 6 of the schema: what the dispatcher of webhooks keeps (docs/adr/0017-webhook-outbox.md).

-- An endpoint's streak is the time between two 2xx: failures are counted in it.

ALTER TABLE endpoint ADD COLUMN streak {int} NOT NULL DEFAULT 1;

-- Attempts since the delivery came or was replayed; those in all are `attempts`. A claim moves
-- due_at to the end of its lease, so that a lease that nobody ended is due by itself.

ALTER TABLE delivery ADD COLUMN tries {int} NOT NULL DEFAULT 0;

ALTER TABLE delivery ADD COLUMN counted_in {int} NOT NULL DEFAULT 0;

-- The queue of each endpoint, oldest first; and what is on its way.

CREATE INDEX delivery_waiting ON delivery (endpoint_no, due_at, no) WHERE state = 'pending';

CREATE INDEX delivery_leased ON delivery (lease_node, endpoint_no) WHERE lease_node IS NOT NULL;

-- Whose row lock lets one server claim at a time.

INSERT INTO counter (name, value) VALUES ('claim', 0);

-- When one ended, for the log and for replaying what failed since.

CREATE INDEX delivery_ended ON delivery (state, ended_at) WHERE ended_at IS NOT NULL;

DROP INDEX delivery_due;

-- An attempt: milliseconds by phase, and what was answered.

ALTER TABLE attempt ADD COLUMN detail {text};

ALTER TABLE attempt ADD COLUMN remote {text};

ALTER TABLE attempt ADD COLUMN resolve_ms {int};

ALTER TABLE attempt ADD COLUMN connect_ms {int};

ALTER TABLE attempt ADD COLUMN tls_ms {int};

ALTER TABLE attempt ADD COLUMN wait_ms {int};

ALTER TABLE attempt ADD COLUMN answer {blob};

CREATE INDEX attempt_started ON attempt (started_at);

-- Mail that is to be sent: written with what it tells of, sent by whoever has a mail server.

CREATE TABLE mail (
    no {id},
    to_email {text} NOT NULL,
    subject {text} NOT NULL,
    body {text} NOT NULL,
    created_at {int} NOT NULL,
    due_at {int} NOT NULL,
    tries {int} NOT NULL DEFAULT 0,
    lease_node {text},
    ended_at {int},
    error {text}
) {strict};

CREATE INDEX mail_due ON mail (due_at) WHERE ended_at IS NULL;
