// A mail server that stores its messages, with plain SMTP on loopback.

import { once } from 'node:events';
import net from 'node:net';
import { makeSite } from './site.mjs';
import { until } from './until.mjs';

export class MailSink {
  /** The accepted messages: {from, to, headers, body}; header names in lower case. */
  mails = [];
  /** The reply to the end of a message; a reply other than 250 rejects it. */
  reply = '250 taken in';
  /** The number of offered messages. */
  offered = 0;
  #server = net.createServer((socket) => this.#talk(socket));
  #sockets = new Set();

  /** Starts a server that ends with test `t`. */
  static async start(t) {
    const sink = new MailSink();
    sink.#server.listen(0, '127.0.0.1');
    await once(sink.#server, 'listening');
    t.after(() => sink.#close());
    return sink;
  }

  get url() {
    return `smtp://127.0.0.1:${this.#server.address().port}`;
  }

  #close() {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #talk(socket) {
    const envelope = { from: null, to: null, text: null };
    let unread = '';
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => {}); // it may leave as it likes
    socket.setEncoding('utf8').on('data', (data) => {
      unread += data;
      for (let end; (end = unread.indexOf('\r\n')) >= 0; unread = unread.slice(end + 2)) {
        const reply = this.#hear(envelope, unread.slice(0, end));
        if (reply) socket.write(`${reply}\r\n`);
        if (reply.startsWith('221')) socket.end();
      }
    });
    socket.write('220 sink.test\r\n');
  }

  /** The reply to one line; '' within a message. */
  #hear(envelope, line) {
    if (envelope.text !== null) return this.#hearText(envelope, line);
    const [verb] = line.toUpperCase().split(/[ :]/);
    const address = /<(.*?)>/.exec(line)?.[1];
    if (verb === 'EHLO') return '250 sink.test';
    if (verb === 'MAIL') envelope.from = address;
    if (verb === 'RCPT') envelope.to = address;
    if (verb === 'QUIT') return '221 bye';
    if (verb !== 'DATA') return '250 ok';
    envelope.text = [];
    return '354 go on';
  }

  #hearText(envelope, line) {
    if (line !== '.') {
      envelope.text.push(line.replace(/^\./, ''));
      return '';
    }
    this.offered++;
    if (this.reply.startsWith('250')) this.mails.push(read(envelope));
    envelope.text = null;
    return this.reply;
  }

  /** Waits for `count` messages and returns them. */
  async have(count) {
    await until(`${count} mails`, () => this.mails.length >= count);
    return this.mails;
  }
}

/** A mail server, and the settings of a site that sends to it, with `more`: {sink, env}. */
export async function mailSettings(t, more = {}) {
  const sink = await MailSink.start(t);
  const from = 'stockact <notices@example.org>';
  return { sink, env: { STOCKACT_SMTP_URL: sink.url, STOCKACT_MAIL_FROM: from, ...more } };
}

/** A site that sends its e-mails to a sink: {sink, site}. The options are those of makeSite. */
export async function makeMailSite(t, options = {}) {
  const { sink, env } = await mailSettings(t, options.env);
  return { sink, site: await makeSite(t, { ...options, env }) };
}

function read({ from, to, text }) {
  const end = text.indexOf('');
  const fields = text
    .slice(0, end)
    .join('\n')
    .replace(/\n[ \t]+/g, ' ')
    .split('\n');
  const headers = Object.fromEntries(
    fields.map((field) => {
      const [, name, value] = /^([\w-]+): (.*)$/.exec(field);
      return [name.toLowerCase(), value];
    }),
  );
  const packed = headers['content-transfer-encoding'] === 'base64';
  const body = text.slice(end + 1).join('\n');
  return { from, to, headers, body: packed ? Buffer.from(body, 'base64').toString('utf8') : body };
}
