// Scripted receivers of webhooks: the received requests, and any response, byte by byte. With
// certificates from their own CA, and a DNS server for their names.

import { strict as assert } from 'node:assert';
import dgram from 'node:dgram';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import tls from 'node:tls';
import { Child, run } from './child.mjs';

const HEAD_END = '\r\n\r\n';

/** One received request: {line, headers, body (Buffer), at, connection (its number)}. */
function takeRequest(bytes) {
  const end = bytes.indexOf(HEAD_END);
  if (end < 0) return null;
  const [line, ...fields] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(
    fields.map((field) => {
      const [, name, value] = /^([^:]+): ?(.*)$/.exec(field);
      return [name.toLowerCase(), value];
    }),
  );
  const from = end + HEAD_END.length;
  const to = from + Number(headers['content-length'] ?? 0);
  if (bytes.length < to) return null;
  return { line, headers, body: bytes.subarray(from, to), rest: bytes.subarray(to) };
}

export const answer = (status, fields = '', body = '') =>
  `HTTP/1.1 ${status} X\r\n${fields}Content-Length: ${body.length}\r\n\r\n${body}`;

export class Receiver {
  /** Complete requests, in order of arrival. */
  requests = [];
  connections = 0;
  #sockets = new Set();

  /**
   * `play(socket, request)` responds to a request; a text is sent unchanged, null sends nothing.
   * `secure`: options for tls.createServer. Listens on `host` and `port` (0: a free one).
   */
  static async start(t, play = answer(200), { secure, host = '127.0.0.1', port = 0 } = {}) {
    const receiver = new Receiver();
    receiver.play = play;
    const take = (socket) => receiver.#take(socket);
    receiver.server = secure ? tls.createServer(secure, take) : net.createServer(take);
    if (secure) receiver.server.on('tlsClientError', () => {}); // the test looks at the server
    await new Promise((resolve) => receiver.server.listen(port, host, resolve));
    receiver.port = receiver.server.address().port;
    receiver.host = host;
    receiver.scheme = secure ? 'https' : 'http';
    t.after(() => receiver.close());
    return receiver;
  }

  url(host = this.host) {
    return `${this.scheme}://${host}:${this.port}/hook`;
  }

  #take(socket) {
    const connection = ++this.connections;
    let waiting = Buffer.alloc(0);
    this.#sockets.add(socket);
    socket.on('error', () => {}); // whoever sends may hang up
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('data', (bytes) => {
      waiting = Buffer.concat([waiting, bytes]);
      for (let request; (request = takeRequest(waiting));) {
        waiting = request.rest;
        this.requests.push({ ...request, at: performance.now(), connection });
        this.#answer(socket, this.requests.at(-1));
      }
    });
  }

  #answer(socket, request) {
    const said = typeof this.play === 'function' ? this.play(socket, request) : this.play;
    if (typeof said === 'string') socket.write(said);
  }

  /** Ids of deliveries, one for each arrival. */
  get ids() {
    return this.requests.map((request) => request.headers['x-svc-delivery-id']);
  }

  close() {
    for (const socket of this.#sockets) socket.destroy();
    this.server.close();
  }
}

/** Sends `text` one byte every `ms`, until the connection ends. */
export function drip(socket, text, ms) {
  let sent = 0;
  const timer = setInterval(() => {
    if (sent === text.length || socket.destroyed) clearInterval(timer);
    else socket.write(text[sent++]);
  }, ms);
  socket.on('close', () => clearInterval(timer));
}

/** Sends `head`, then bytes until the reader closes. */
export function flood(socket, head) {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  const more = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.write(head);
  socket.on('drain', more);
  more();
}

/**
 * A port that neither accepts nor refuses connections: the backlog of a listening socket that is
 * never accepted from is full.
 */
export async function blackHole(t) {
  const script = `
import socket, time
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(0)
held = []
for _ in range(4):
    c = socket.socket(); c.setblocking(False); held.append(c)
    try: c.connect(s.getsockname())
    except BlockingIOError: pass
print(s.getsockname()[1], flush=True)
time.sleep(3600)
`;
  const env = { PATH: process.env.PATH };
  const child = new Child('python3', ['-c', script], { env, dieWithParent: 'SIGKILL' });
  t.after(() => child.stop('SIGKILL'));
  const [, port] = await child.waitFor(/^(\d+)$/m);
  return Number(port);
}

async function openssl(folder, ...args) {
  const env = { PATH: process.env.PATH };
  const done = await run('openssl', args, { cwd: folder, env });
  assert.equal(done.code, 0, done.stderr);
}

/** A CA in its own folder, with certificates by name: {key, cert}. */
export class Authority {
  static async make(parent, name = 'authority') {
    const authority = new Authority();
    authority.folder = path.join(parent, name);
    mkdirSync(authority.folder);
    authority.file = path.join(authority.folder, 'ca.crt');
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
    const subject = ['-subj', '/CN=Invented Authority', '-days', '2'];
    const files = ['-keyout', 'ca.key', '-out', 'ca.crt'];
    await openssl(authority.folder, 'req', '-x509', ...key, ...subject, ...files);
    return authority;
  }

  async certificate(name, { expired = false } = {}) {
    const base = expired ? `${name}.expired` : name;
    const config = `${base}.cnf`;
    writeFileSync(
      path.join(this.folder, config),
      [
        '[ca]',
        'default_ca = own',
        '[own]',
        `database = ${base}.txt`,
        'new_certs_dir = .',
        'rand_serial = yes',
        'certificate = ca.crt',
        'private_key = ca.key',
        'default_md = sha256',
        'policy = any',
        'x509_extensions = names',
        '[any]',
        'commonName = supplied',
        '[names]',
        `subjectAltName = ${net.isIP(name) ? 'IP' : 'DNS'}:${name}`,
      ].join('\n'),
    );
    writeFileSync(path.join(this.folder, `${base}.txt`), '');
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
    const wanted = ['-subj', `/CN=${name}`, '-keyout', `${base}.key`, '-out', `${base}.csr`];
    await openssl(this.folder, 'req', ...key, ...wanted);
    const dates = expired
      ? ['-startdate', '20200101000000Z', '-enddate', '20210101000000Z']
      : ['-days', '1'];
    const files = ['-in', `${base}.csr`, '-out', `${base}.crt`];
    await openssl(this.folder, 'ca', '-batch', '-notext', '-config', config, ...dates, ...files);
    return {
      key: readFileSync(path.join(this.folder, `${base}.key`)),
      cert: readFileSync(path.join(this.folder, `${base}.crt`)),
    };
  }
}

const TYPE_A = 1;
const NO_SUCH_NAME = 3;

/**
 * A DNS server on a free port. `names` maps a name to lists of IPv4 addresses, one list per query,
 * the last one for all further queries. No other name exists.
 */
export class NameServer {
  asked = [];

  static async start(t, names) {
    const server = new NameServer();
    server.names = names;
    server.socket = dgram.createSocket('udp4');
    server.socket.on('message', (query, from) => {
      server.socket.send(server.#reply(query), from.port, from.address);
    });
    await new Promise((resolve) => server.socket.bind(0, '127.0.0.1', resolve));
    server.address = `127.0.0.1:${server.socket.address().port}`;
    t.after(() => server.socket.close());
    return server;
  }

  #reply(query) {
    const labels = [];
    let at = 12;
    for (; query[at] !== 0; at += query[at] + 1)
      labels.push(query.toString('latin1', at + 1, at + 1 + query[at]));
    const name = labels.join('.').toLowerCase();
    const type = query.readUInt16BE(at + 1);
    const question = query.subarray(12, at + 5);
    const known = Object.hasOwn(this.names, name);
    let addresses = [];
    if (known && type === TYPE_A) {
      const before = this.asked.filter((one) => one === name).length;
      addresses = this.names[name][Math.min(before, this.names[name].length - 1)];
      this.asked.push(name);
    }
    const head = Buffer.alloc(12);
    query.copy(head, 0, 0, 2);
    head.writeUInt16BE(0x8180 | (known ? 0 : NO_SUCH_NAME), 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(addresses.length, 6);
    const records = addresses.map((address) =>
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
    );
    return Buffer.concat([head, question, ...records]);
  }
}
