// nginx, HAProxy and Caddy in front of a server or several, with the files of deploy/. Only the
// servers, the port (loopback, without TLS) and the timeouts differ. The timeouts are shorter, so
// that a finished connection is closed soon, but not so short that a starved proxy gives up on a
// request that has arrived. A proxy logs one line for every request it reads.

import { strict as assert } from 'node:assert';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Child } from './child.mjs';
import { Connection } from './connection.mjs';
import { freePort } from './ports.mjs';
import { programPath } from './programs.mjs';
import { root } from './settings.mjs';
import { until } from './until.mjs';

const SOCKET = '/run/stockact/http.sock';
const MARK = '@@'; // each line of a log begins with it

/** A file of deploy/, with replacements [old, new]; every old text must exist. */
function deployed(name, changes) {
  let text = readFileSync(path.join(root, 'deploy', name), 'utf8');
  for (const [from, to] of changes) {
    const changed = text.replaceAll(from, to);
    assert.notEqual(changed, text, `deploy/${name} has ${from}`);
    text = changed;
  }
  return text;
}

/**
 * The text of nginx.conf or haproxy.cfg with its part for several servers in the place of that for
 * one, and these two in it ("host:port").
 */
export function forServers(text, [one, two]) {
  const changed = text
    .replace(/^ +server .*\/run\/stockact\/http.sock.*\n/m, '')
    .replace(/^( +)#(?=[a-z])/gm, '$1')
    .replace('192.0.2.11:8080', one)
    .replace('192.0.2.12:8080', two);
  assert.ok(changed.includes(one) && changed.includes(two) && !changed.includes(SOCKET));
  return changed;
}

/** The changes that put `upstream` into a file: the path of a unix socket, or two addresses. */
const upstreamOf = (upstream) =>
  typeof upstream === 'string' ? [SOCKET, upstream] : [/^[^]*$/g, (t) => forServers(t, upstream)];

function nginxConfig({ folder, port, upstream, unprivileged }) {
  const servers = deployed('nginx.conf', [
    upstreamOf(upstream),
    [/listen \[::\]:.*\n/g, ''],
    [/listen 80;/g, `listen unix:${folder}/redirect.sock;`],
    [/listen 443 ssl http2;/g, `listen 127.0.0.1:${port};`],
    [/ssl_certificate.*\n/g, ''],
  ]);
  return `daemon off;
master_process off;
${unprivileged ? '' : 'user root;'}
worker_processes 1;
pid ${folder}/pid;
error_log ${folder}/error.log;
events { worker_connections 4096; }
http {
  log_format lines escape=json '${MARK} $remote_addr $status $upstream_status '
                               '$upstream_http_x_request_id $sent_http_connection';
  access_log ${folder}/access.log lines;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  client_header_timeout 4s;
  client_body_timeout 4s;
  keepalive_timeout 300ms;
  keepalive_requests 1000000;
  lingering_timeout 100ms;
  lingering_time 300ms;
${servers}}
`;
}

function haproxyConfig({ folder, port, upstream }) {
  return deployed('haproxy.cfg', [
    upstreamOf(upstream),
    ['log /dev/log local0', 'log stdout format raw local0'],
    [
      'option httplog',
      `log-format "${MARK} %ci %ST %s %[capture.res.hdr(0)]"`.replaceAll(' %', '\\ %'),
    ],
    ['bind :80', `bind unix@${folder}/redirect.sock`],
    [
      /bind :443 ssl .*/g,
      `bind 127.0.0.1:${port}\n    capture response header X-Request-Id len 64`,
    ],
    [/timeout http-request .*/g, 'timeout http-request 4s'],
    [/timeout http-keep-alive .*/g, 'timeout http-keep-alive 300ms'],
    [/timeout client .*/g, 'timeout client 4s'],
  ]);
}

function caddyConfig({ port, upstream }) {
  const text = readFileSync(path.join(root, 'deploy/container/Caddyfile'), 'utf8');
  const servers = text
    .replace('{$STOCKACT_HOST}', `http://127.0.0.1:${port}`)
    .replace('one:8080 two:8080', upstream.join(' '));
  return `{\n\tadmin off\n}\n${servers}`;
}

/** The commands: one process each, logging into a file that is read after its exit. */
const KINDS = {
  nginx: {
    config: nginxConfig,
    file: 'nginx.conf',
    command: (program, file) => [program, ['-c', file, '-p', path.dirname(file)]],
    end: 'SIGQUIT',
    fields: ([address, status, upstream, id, connection]) => ({
      address,
      status: Number(status),
      forwarded: upstream !== '' && upstream !== '-',
      id: id === '-' ? '' : id,
      closes: connection === 'close',
    }),
  },
  haproxy: {
    config: haproxyConfig,
    file: 'haproxy.cfg',
    command: (program, file) => [
      'sh',
      [
        '-c',
        'exec "$0" -db -f "$1" >"$2"',
        program,
        file,
        path.join(path.dirname(file), 'access.log'),
      ],
    ],
    end: 'SIGUSR1',
    fields: ([address, status, server, id]) => ({
      address,
      status: Number(status),
      forwarded: server !== '<NOSRV>',
      id: id === '-' ? '' : id,
      closes: false, // not known; it closes after what it refuses
    }),
  },
};

export const proxyKinds = Object.keys(KINDS);

/** Those that a test puts in front of two servers. Caddy writes no log here. */
KINDS.caddy = {
  config: caddyConfig,
  file: 'Caddyfile',
  command: (program, file) => [program, ['run', '--adapter', 'caddyfile', '--config', file]],
  end: 'SIGTERM',
};
export const balancerKinds = Object.keys(KINDS);

export class Proxy {
  /** Starts one of a kind in front of `upstream`: a unix socket, or an array of two "host:port". */
  static async start(kind, upstream) {
    const proxy = new Proxy();
    proxy.kind = KINDS[kind];
    proxy.folder = mkdtempSync(path.join(os.tmpdir(), `stockact-${kind}-`));
    proxy.where = { host: '127.0.0.1', port: await freePort() };
    const file = path.join(proxy.folder, proxy.kind.file);
    const unprivileged = process.getuid() !== 0;
    const { folder } = proxy;
    const text = proxy.kind.config({ folder, port: proxy.where.port, upstream, unprivileged });
    writeFileSync(file, text);
    const [command, args] = proxy.kind.command(programPath(kind), file);
    proxy.child = new Child(command, args, {
      env: { PATH: process.env.PATH, HOME: folder },
      dieWithParent: 'SIGKILL',
    });
    await until(`${kind} accepts`, async () => {
      if (proxy.child.ended) throw new Error(proxy.child.describe());
      try {
        (await Connection.open(proxy.where)).destroy();
        return true;
      } catch {
        return false;
      }
    });
    return proxy;
  }

  /**
   * Stops it, and returns its log of each request it read: the client's `address`, the `status` of
   * the response, whether it was `forwarded`, the `id` that the server then gave it, and whether
   * the response says that the connection `closes`.
   */
  async stop() {
    await this.child.stop(this.kind.end);
    if (!this.kind.fields) return this.#clear([]);
    const lines = readFileSync(path.join(this.folder, 'access.log'), 'utf8').split('\n');
    return this.#clear(
      lines
        .filter((line) => line.startsWith(`${MARK} `))
        .map((line) => this.kind.fields(line.split(' ').slice(1))),
    );
  }

  #clear(log) {
    rmSync(this.folder, { recursive: true, force: true });
    return log;
  }
}
