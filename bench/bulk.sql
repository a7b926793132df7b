-- What the pages of an account and of an admin show: a busy year of one account, beside the invented
-- trades. For SQLite; person.py replaces :now (milliseconds), :deliveries (at least 1,000), which are
-- also the lines of the log, and :owner.
--
-- Everything lies within the days that servers keep, so that none removes it.

CREATE TEMP TABLE n (i INTEGER PRIMARY KEY);

INSERT INTO n WITH RECURSIVE up(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM up WHERE i < :deliveries)
    SELECT i FROM up;

-- Other accounts, and what people did: for the lists of admins.

INSERT INTO account (id, email, email_folded, plan, role, created_at)
    SELECT printf('acc_bench%06d', i), 'person' || i || '@example.org',
        'person' || i || '@example.org', CASE i % 3 WHEN 0 THEN 'den' ELSE 'pack' END, 'member',
        :now - i * 60000
    FROM n WHERE i <= 5000;

INSERT INTO action_log (at, actor, actor_id, session_id, action, account_id, subject_kind, subject_id)
    SELECT :now - (:deliveries - i) * 1000, 'account', printf('acc_bench%06d', i % 5000 + 1),
        printf('ses_bench%06d', i), CASE i % 3 WHEN 0 THEN 'key.mint' ELSE 'session.start' END,
        printf('acc_bench%06d', i % 5000 + 1), 'session', printf('ses_bench%06d', i)
    FROM n;

INSERT INTO mail (to_email, subject, body, created_at, due_at, tries, ended_at, error)
    SELECT 'person' || i || '@example.org', 'Invented notice', 'Invented.', :now - i * 60000,
        :now + 86400000, 1, CASE WHEN i % 2 = 0 THEN :now - i END,
        CASE WHEN i % 2 = 0 THEN 'the mailbox is full' END
    FROM n WHERE i <= 2000;

INSERT INTO job_run (name, server, started_at, ended_at, failed, result)
    SELECT CASE i % 2 WHEN 0 THEN 'sweep' ELSE 'sync' END, 'bench', :now - i * 3600000,
        :now - i * 3600000 + 5000, i % 10 = 0, '{}'
    FROM n WHERE i <= 500;

-- What the keys of the owner were used for.

INSERT INTO key_day (key_no, day, ok, not_modified, client_errors, rate_limited, server_errors)
    SELECT k.no, :now / 86400000 - n.i, 9000 + n.i % 700, 1000 + n.i % 90, n.i % 40, n.i % 11, n.i % 3
    FROM api_key k, n WHERE k.account_no = :owner AND n.i <= 390;

INSERT INTO key_error (key_no, at, status, error, path, count)
    SELECT k.no, :now - n.i * 3600000, 400, 'invalid_parameter', '/api/v1/trades', n.i
    FROM api_key k, n WHERE k.account_no = :owner AND n.i <= 20;

-- Endpoints, the first of which has all deliveries; each of the others has its share of a thousand.

INSERT INTO event (id, type, filing_no, created_at, body)
    SELECT printf('evt_bench%06d', n.i), 'trade.published',
        (SELECT f.no FROM filing f WHERE f.state = 'published' LIMIT 1), :now - n.i * 20000,
        '{"type":"trade.published","data":[' || substr(hex(zeroblob(1500)), 1, 1500) || ']}'
    FROM n WHERE n.i <= :deliveries;

INSERT INTO delivery (id, event_no, endpoint_no, state, attempts, tries, due_at, created_at, ended_at)
    SELECT printf('dlv_bench%06d_', n.i) || p.place, v.no, p.no,
        CASE WHEN n.i % 50 = 0 THEN 'failed' ELSE 'delivered' END,
        CASE WHEN n.i % 50 = 0 THEN 8 ELSE 1 END, CASE WHEN n.i % 50 = 0 THEN 8 ELSE 1 END,
        v.created_at, v.created_at, v.created_at + 900
    FROM n JOIN event v ON v.id = printf('evt_bench%06d', n.i),
        (SELECT no, row_number() OVER (ORDER BY no) AS place FROM endpoint
            WHERE account_no = :owner) AS p
    WHERE n.i <= :deliveries AND (p.place = 1 OR n.i <= 1000)
    ORDER BY n.i DESC;

INSERT INTO attempt (delivery_no, number, started_at, ended_at, status, error, url, request,
        endpoint_no, remote, resolve_ms, connect_ms, tls_ms, wait_ms, answer)
    SELECT d.no, n.i, d.created_at + n.i * 10, d.created_at + n.i * 10 + 80,
        CASE d.state WHEN 'failed' THEN 500 ELSE 200 END,
        CASE d.state WHEN 'failed' THEN 'status' END, 'https://receiver.example.org/hook',
        'POST /hook HTTP/1.1' || char(10) || substr(hex(zeroblob(300)), 1, 500), d.endpoint_no,
        '192.0.2.1', 1, 10, 20, 40, CASE d.state WHEN 'failed' THEN CAST(hex(zeroblob(1000)) AS BLOB) END
    FROM delivery d JOIN n ON n.i <= d.attempts;

DROP TABLE n;
