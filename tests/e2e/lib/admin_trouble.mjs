// A service in trouble, for the pages of admins: e-mails that were given up, endpoints whose
// deliveries are held, a fetch that failed; and texts of others that try to be markup.

import { PlainReceiver } from './plain_receiver.mjs';

/**
 * Fills the site, whose settings must include `fillWithTrouble.env`: {email, id} of the account that
 * is in trouble.
 */
export async function fillWithTrouble(t, site, server) {
  const receiver = await PlainReceiver.start(t);
  const email = 'trouble@example.org';
  const create = ['accounts', 'create', '--email', email, '--plan', 'den'];
  const [{ id }] = await site.stockact(...create);
  await site.mint({ email, name: '<img src=x onerror=alert(1)>' });
  const [{ id: endpoint }] = await site.stockact(
    ...['webhooks', 'add', '--email', email, '--url', receiver.url(500)],
  );
  await site.stockact('webhooks', 'disable', '--id', endpoint);
  await site.database.execute(
    `INSERT INTO event (id, type, created_at, body) VALUES ('evt_x', 'trade.published', 1, '{}');
     INSERT INTO delivery (id, event_no, endpoint_no, state, attempts, due_at, created_at)
     SELECT 'dlv_x', v.no, e.no, 'pending', 0, 1, ${Date.now()} FROM event v, endpoint e
     WHERE v.id = 'evt_x';
     INSERT INTO mail (to_email, subject, body, created_at, due_at, tries, ended_at, error) VALUES
     ('${email}', 'One', 'x', 1, 1, 5, ${Date.now()}, '550 <script>alert(1)</script>'),
     ('${email}', 'Two', 'x', 1, 1, 5, ${Date.now()}, '550 <script>alert(1)</script>');
     INSERT INTO job_run (name, started_at, ended_at, failed, result) VALUES
     ('sync house', 1, 2, 1, '{"error":"the site said <b>bold</b>"}');`,
  );
  return { email, id, server };
}

fillWithTrouble.env = {
  STOCKACT_WEBHOOK_ALLOW: '127.0.0.0/8',
  STOCKACT_SMTP_URL: 'smtp://127.0.0.1:1',
  STOCKACT_MAIL_FROM: 'notices@example.org',
};
